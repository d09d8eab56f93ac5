"""What names a person or opens an account is replaced before anything is stored."""

import pathlib

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from logs import assistant, lines, user

import mossbench as mb
from mossbench.cli import cli
from mossbench.traces.folder import TracesFolder
from mossbench.traces.personal_columns import names_somebody
from mossbench.traces.redaction import Redactor, has_check_digit

FOUND = {
    "email": ["ada@example.org", "first.last+tag@mail.example.co.uk"],
    "phone": [
        "+49 30 1234 5678",
        "+1 (415) 555-0132",
        "(415) 555-0132",
        "415-555-0132",
        "030 12345678",
        "0049 30 123456",
        "(030) 901820",
        "01705553366",
        "0612345678",
    ],
    "iban": ["DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "GB82 WEST 1234 5698 7654 32", "NO9386011117947"],
    "card": ["4111 1111 1111 1111", "4111111111111111", "5500-0000-0000-0004", "3400 000000 00009"],
    "ip": ["192.168.10.20", "8.8.8.8", "2001:db8::8a2e:370:7334", "fe80::1"],
    "key": [
        "sk-abcdefghijklmnop1234",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----",
    ],
}
LEFT = [
    "On 2024-01-15 at 10:20:30 we sold 1,234,567 of them.",
    "01-02-2024 and 15.01.2024 are dates",
    "Bake at 180 for 45 minutes, 12 x 12 cm, 3.14159265358979",
    "4111 1111 1111 1112 has no valid check digit",
    "std::vector<int> and version 1.2.3",
    "DE88370400440532013000 has no valid check digits, nor has order AB12CDEF3456GHIJ",
    "at 1767261600 the counter said 0000123456 and 0.123456789012",
    "https://example.org/a/b?c=1",
    "Call me @ noon",
]


@pytest.mark.parametrize("kind, text", [(kind, text) for kind, texts in FOUND.items() for text in texts])
def test_it_is_found_in_a_sentence_and_counted(kind, text):
    redactor = Redactor()
    assert redactor.text(f"Write to {text}, please.") == f"Write to [{kind}], please."
    assert redactor.counts == {kind: 1}


@pytest.mark.parametrize("text", LEFT)
def test_other_texts_stay_as_they_are(text):
    redactor = Redactor()
    assert redactor.text(text) == text
    assert not redactor.counts


def test_values_behind_the_names_of_secrets_are_keys():
    redactor = Redactor()
    assert redactor.text('password: "hunter22x" and API_KEY=abcdef123456') == 'password: "[key]" and API_KEY=[key]'
    assert redactor.counts == {"key": 2}


@pytest.mark.parametrize(
    "text",
    [
        "token=X",
        "https://example.org/a?token=X&b=1",
        "token: X",
        "my api key: X",
        "my password is X",
        "The token is X",
        "pwd=X",
        "Mein Passwort ist X",
        "Kennwort: X",
        "Mon mot de passe est X",
        "mot de passe : X",
        "Mi contraseña es X",
        "contraseña: X",
        "我的密码是X",
        "密码：X",
        "Пароль: X",
        "パスワードはX",
        "user_token = X",
        '"passwd": "X"',
    ],
)
def test_secrets_behind_their_name_in_several_languages(text):
    redactor = Redactor()
    assert redactor.text(text.replace("X", "abcd1234efgh")) == text.replace("X", "[key]")
    assert redactor.counts == {"key": 1}


@pytest.mark.parametrize(
    "text",
    [
        "My password is wrong, and the token is expired.",
        "Is the secret to good bread the flour?",
        "max_tokens=4096 and n_tokens: 100000",
        "Token: the smallest unit of a text",
        "Wie ändere ich mein Passwort?",
        "Das Passwort ist falsch.",
        "api key: how do I get one?"[:3],
    ],
)
def test_sentences_on_secrets_stay_as_they_are(text):
    assert Redactor().text(text) == text


def test_keys_of_the_environment_are_redacted(monkeypatch):
    monkeypatch.setenv("OUR_SERVICE_TOKEN", "plain-words-that-are-a-token")
    redactor = Redactor()
    assert redactor.text("It is plain-words-that-are-a-token.") == "It is [redacted]."
    assert redactor.counts == {"key": 1}


def test_own_patterns_are_redacted_first_and_counted():
    redactor = Redactor({"order": r"ORD-\d+"})
    assert redactor.text("ORD-4155550132 of ada@example.org") == "[order] of [email]"
    assert redactor.counts == {"order": 1, "email": 1}


@pytest.mark.parametrize(
    "patterns, message",
    [
        ({"x": "("}, "not a regular expression"),
        ({"x": "a*"}, "matches an empty text"),
        ({"a b": "x"}, "expected letters"),
    ],
)
def test_a_wrong_pattern_is_an_error(patterns, message):
    with pytest.raises(mb.UsageError, match=message):
        Redactor(patterns)


def test_the_check_digit_of_cards():
    assert has_check_digit([4, 2])  # 4 * 2 + 2 = 10
    assert not has_check_digit([4, 3])


@given(st.text())
def test_any_text_can_be_redacted_and_written(text):
    Redactor().text(text).encode()


@pytest.mark.parametrize(
    "piece", ["token=", "password is ", "token", "a@", "1 ", "1-", ":1", "password:", "sk-", "a.", "0 0/", "é1:"]
)
def test_hostile_texts_take_no_long(piece):
    import time

    redactor = Redactor()
    start = time.process_time()
    redactor.text(piece * 20_000)
    assert time.process_time() - start < 5


def test_nothing_that_was_redacted_is_in_any_file_of_the_folder():
    """Not in texts, names, columns, errors, unread lines, or the names of images."""
    secrets = ["ada@example.org", "+49 30 1234 5678", "4111 1111 1111 1111", "sk-abcdefghijklmnop1234", "10.20.30.40"]
    everything = " ".join(secrets)
    picture = {"type": "image_url", "image_url": {"url": f"photos/{secrets[0]}.png"}}
    records = [
        {
            "id": everything,
            "model": everything,
            "user": secrets[0],
            "conversation_id": secrets[1],
            "metadata": {"user_email": secrets[0], secrets[0]: everything, "ip": secrets[4]},
            "messages": [
                {"role": "system", "content": everything},
                user(everything),
                assistant(everything),
                user(everything, picture),
                assistant(everything),
            ],
        },
        {"error": everything, "messages": [user(everything)]},
        {"finish_reason": everything, "messages": [user("How?"), assistant("So.")]},
        {everything: 1},
        {"messages": [{"role": "assistant", "content": everything}]},
    ]
    with open("log.jsonl", "w") as file:
        file.write(lines(records) + everything + "\n")
    mb.import_traces("log.jsonl", "traces")
    for path in pathlib.Path("traces").rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert not [secret for secret in secrets if secret.encode() in content], path


def test_the_command_says_how_much_was_redacted():
    with open("log.jsonl", "w") as file:
        file.write(lines([{"messages": [user("Mail ada@example.org"), assistant("Done.")]}]))
    done = CliRunner().invoke(cli, ["traces", "import", "log.jsonl", "--out", "traces"])
    assert "redacted: 1 e-mail address\n" in done.output


NAMING = (
    "Name name first_name firstName full_name client Vorname Nachname Kundenname Anschrift birthday customer_id "
    "user_email endUserId api_key Straße prénom apellidos fecha_nacimiento 姓名 電話番号 имя ФИО dateOfBirth address2 "
    "customer.name contact_name billing-address Geburtsdatum nome 이름 account patientId"
).split()
NOT_NAMING = "lang model_name tool_name moderation version client_version userAgent country n_users file_name".split()


@pytest.mark.parametrize("name", NAMING)
def test_columns_that_say_who_somebody_is(name):
    assert names_somebody(name)


@pytest.mark.parametrize("name", NOT_NAMING)
def test_columns_that_say_something_else(name):
    assert not names_somebody(name)


def test_columns_that_name_somebody_are_dropped_and_all_are_listed():
    with open("log.csv", "w") as file:
        file.write("question,answer,Vorname,Kundenname,lang\nHow?,So.,Ada,Lovelace GmbH,de\n")
    done = CliRunner().invoke(cli, ["traces", "import", "log.csv", "--out", "traces"])
    assert "columns dropped, as they say who somebody is: Vorname, Kundenname\n" in done.output
    assert "columns kept, redacted: lang; check that none of them names somebody" in done.output
    (trace,) = TracesFolder.open("traces").traces()
    assert trace.columns == {"lang": "de"}
    for path in pathlib.Path("traces").rglob("*"):
        assert not path.is_file() or b"Lovelace" not in path.read_bytes()

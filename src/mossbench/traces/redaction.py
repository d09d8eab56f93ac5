"""Redaction: what names a person or opens an account is replaced before anything is stored, and counted by kind.

E-mail addresses, phone numbers, payment cards and IBANs (with valid check digits), IP addresses, keys and passwords,
and patterns of one's own. Names, postal addresses and whatever only its meaning makes personal are not found. Images
are not looked into.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from ipaddress import IPv6Address
from typing import Any

from mossbench.errors import UsageError
from mossbench.models.keys import REDACTED, known_secrets, redacted

KINDS = ("email", "phone", "card", "iban", "ip", "key")
_KEY = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)"
    r"|(?<![\w-])(?:"
    r"sk-[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{35}"
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{18,}|hf_[A-Za-z0-9]{30,}|xox[abeprs]-[\w-]{10,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{6,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r")"
    r"|(?<=[Bb]earer )[\w.~+/-]{16,}=*"
)
_PASSWORD = (
    r"passw(?:or)?d|passphrase|passcode|pwd|passwort|kennwort|mot de passe|contrase[ñn]a|senha|wachtwoord|has[łl]o"
    r"|пароль|密码|密碼|口令|パスワード|비밀번호|암호|كلمة المرور|كلمة السر|पासवर्ड"
)
_SECRET_STEMS = (
    "api", "secret", "passw", "passp", "passc", "pwd", "token", "kennwort", "mot de passe", "contrase", "senha",
    "wachtwoord", "hasło", "haslo", "пароль",
    "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "كلمة", "पासवर्ड",
)  # fmt: skip
"""One of these stands in every text that names a secret, in lower case."""
_NAMED_SECRET = re.compile(
    rf"(?i)((?:api[ _-]?key|secret|{_PASSWORD})[\"']?\s{{0,3}}[:=：]\s{{0,3}}[\"']?)(?!\[)([^\s\"',;}}{{&]{{4,}})"
    r"|(token[\"']?(?:=|\s{0,3}[:：]\s{0,3}|\s{1,3}=\s{0,3})[\"']?)(?!\[)((?=[^\s\"',;}{&]{0,80}\d)[^\s\"',;}{&]{6,})"
)
"""Behind the name and a colon or an equals sign; of a token with a digit in it, as that word has other meanings."""
_SAID_SECRET = re.compile(
    rf"(?i)((?:api[ _-]?key|token|secret|{_PASSWORD})\s{{0,3}}"
    r"(?:\s(?:is|was|ist|lautet|est|es|é|è|to|auf)\s{1,3}|[是为為は]\s{0,3}|는\s{0,3}|은\s{0,3})[\"'«„“「]?)"
    r"(?!\[)((?=[^\s\"',;}{]{0,80}\d)[^\s\"',;}{»“”」。]{4,})"
)
"""Behind "my password is"; with a digit in it, as other sentences begin like this."""
_EMAIL = re.compile(r"[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}\b")
_LONG_NUMBER = re.compile(r"(?<![\w-])\d(?:[ -]?\d){12,}(?![\w-])")
_GROUP = re.compile(r"\d+")
_CARD_DIGITS = range(13, 20)
_MOST_PHONE_DIGITS = 15
_FEWEST_PHONE_DIGITS = 8
_MOST_GROUPS = 60
_IP4 = re.compile(r"(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\.?\w)")
_IP6 = re.compile(r"(?<![\w:])(?=[0-9a-fA-F:]{0,38}\d)[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}(?![\w:])")
_PHONE = re.compile(
    r"(?<![\w.+-])(?:"
    r"(?:\+|00)[1-9]\d{0,2}(?:[ ./-]?\(?\d{1,5}\)?){2,6}"
    r"|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}"
    r"|(?:\(0\d{1,5}\) ?|0\d{1,5}[ /-])\d{2,}(?:[ /-]\d{2,}){0,4}"
    r"|0[1-9]\d{8,10}"
    r")(?![\w-])"
)
_IBAN = re.compile(r"(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\w-])")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_DIGITS = re.compile(r"\d\D{0,2}\d\D{0,2}\d")
_MOST_NAME = 40


class Redactor:
    """Redacts texts, and counts what it redacts."""

    def __init__(self, own_patterns: Mapping[str, str] | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self._own = {name: _compiled(name, pattern) for name, pattern in (own_patterns or {}).items()}
        self._secrets = known_secrets()

    def text(self, text: str) -> str:
        """The text, redacted; characters that cannot be written are replaced."""
        if not text:
            return text
        if not text.isascii():
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for name, pattern in self._own.items():
            text = self._replaced(name, pattern, text)
        if self._secrets:
            text = self._without_known_secrets(text)
        text = self._replaced("key", _KEY, text)
        lowered = text.lower()
        if any(stem in lowered for stem in _SECRET_STEMS):
            text = self._without_named_secrets(text)
        if "@" in text:
            text = self._replaced("email", _EMAIL, text)
        return self._without_numbers(text) if _DIGITS.search(text) else text

    def value(self, value: Any) -> Any:
        """A plain value; only texts change."""
        return self.text(value) if isinstance(value, str) else value

    def _replaced(self, kind: str, pattern: re.Pattern[str], text: str) -> str:
        text, n = pattern.subn(f"[{kind}]", text)
        if n:
            self.counts[kind] += n
        return text

    def _without_known_secrets(self, text: str) -> str:
        n_before = text.count(REDACTED)
        clean = redacted(text, self._secrets)
        n = clean.count(REDACTED) - n_before
        if n > 0:
            self.counts["key"] += n
        return clean

    def _without_named_secrets(self, text: str) -> str:
        text, n_named = _NAMED_SECRET.subn(lambda match: f"{match[1] or match[3]}[key]", text)
        text, n_said = _SAID_SECRET.subn(r"\1[key]", text)
        if n_named or n_said:
            self.counts["key"] += n_named + n_said
        return text

    def _without_numbers(self, text: str) -> str:
        if "." in text:
            text = self._replaced("ip", _IP4, text)
        if ":" in text:
            text = _IP6.sub(self._address, text)
        text = _IBAN.sub(self._account, text)
        text = _LONG_NUMBER.sub(self._without_cards, text)
        return _PHONE.sub(self._phone, text)

    def _address(self, match: re.Match[str]) -> str:
        try:
            IPv6Address(match[0])
        except ValueError:
            return match[0]
        self.counts["ip"] += 1
        return "[ip]"

    def _account(self, match: re.Match[str]) -> str:
        compact = match[0].replace(" ", "")
        number = "".join(str(int(character, 36)) for character in compact[4:] + compact[:4])
        if int(number) % 97 != 1:  # ISO 7064
            return match[0]
        self.counts["iban"] += 1
        return "[iban]"

    def _without_cards(self, match: re.Match[str]) -> str:
        """A long number without the groups of digits that are a card: other numbers may stand beside it."""
        text = match[0]
        groups = list(_GROUP.finditer(text))[:_MOST_GROUPS]
        parts: list[str] = []
        position = 0
        first = 0
        while first < len(groups):
            end = _end_of_card(groups[first:])
            if end is None:
                first += 1
                continue
            parts += [text[position : groups[first].start()], "[card]"]
            self.counts["card"] += 1
            position = end
            while first < len(groups) and groups[first].start() < end:
                first += 1
        return "".join([*parts, text[position:]])

    def _phone(self, match: re.Match[str]) -> str:
        if _DATE.fullmatch(match[0]):
            return match[0]
        end = 0
        n_digits = 0
        for group in _GROUP.finditer(match[0]):
            if n_digits + len(group[0]) > _MOST_PHONE_DIGITS:
                break
            n_digits += len(group[0])
            end = group.end()
        if n_digits < _FEWEST_PHONE_DIGITS:
            return match[0]
        self.counts["phone"] += 1
        rest = match[0][end:]
        return f"[phone]{rest.removeprefix(')')}"


def _end_of_card(groups: Sequence[re.Match[str]]) -> int | None:
    """Where the card ends that begins with the first of these groups of digits; None if none does."""
    digits: list[int] = []
    for group in groups:
        digits += map(int, group[0])
        if len(digits) >= _CARD_DIGITS.stop:
            return None
        if len(digits) in _CARD_DIGITS and 2 <= digits[0] <= 6 and has_check_digit(digits):
            return group.end()
    return None


def has_check_digit(digits: list[int]) -> bool:
    """Whether the last digit is the check digit of the others (Luhn's formula)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _compiled(name: str, pattern: str) -> re.Pattern[str]:
    if not re.fullmatch(rf"\w[\w-]{{0,{_MOST_NAME - 1}}}", name):
        raise UsageError(f"a pattern is named {name[:_MOST_NAME]!r}; expected letters, digits, _ and -")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise UsageError(f"the pattern {name!r} is not a regular expression: {error}") from error
    if compiled.match(""):
        raise UsageError(f"the pattern {name!r} matches an empty text, so it would be found everywhere")
    return compiled

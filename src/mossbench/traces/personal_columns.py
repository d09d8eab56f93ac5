"""Columns of a log that say who somebody is, told from their names in several languages.

Only names of columns are looked at, so an import names the columns that it keeps as well as those that it drops.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LONGEST_NAME = 80

# Somebody: on their own, with an id, and with a word for name
_SOMEBODY = """
    user enduser session conversation thread chat customer account member client patient employee person student pupil
    guest applicant contact owner author sender recipient cardholder holder subscriber caller tenant
    kunde kunden kundin nutzer benutzer mitarbeiter patientin person ansprechpartner absender empfanger anrufer
    utilisateur utilisatrice client cliente employe usuario usuaria empleado paciente utente dipendente paziente
    usuario funcionario klant gebruiker medewerker uzytkownik klient pacjent kullanici musteri
    пользователь клиент сотрудник пациент 用户 客户 用戶 客戶 员工 患者 顧客 利用者 ユーザー 사용자 고객 مستخدم عميل
""".split()
_ID_WORDS = "id ids name email mail key uuid guid no nr number nummer num numero code hash login".split()

# A word for name, which is somebody's where nothing says whose it is
_NAME_WORDS = "name names nom nombre nome naam namn navn imie isim имя 名 姓 이름 اسم الاسم नाम".split()

# What is personal whatever stands before it
_PERSONAL = """
    firstname lastname fullname givenname familyname middlename surname forename nickname maidenname username realname
    screenname displayname initials salutation
    vorname nachname familienname rufname zuname geburtsname vorundnachname anrede
    prenom nomdefamille nomcomplet apellido apellidos nombrecompleto cognome nomecompleto nomecognome sobrenome apelido
    voornaam achternaam nazwisko soyad фамилия отчество фио полноеимя 姓名 名字 全名 氏名 名前 お名前 성명 성함
    address streetaddress homeaddress postaladdress street anschrift adresse wohnort wohnadresse strasse hausnummer plz
    postleitzahl zip zipcode postcode postalcode rue codepostal direccion domicilio calle codigopostal indirizzo
    endereco rua adres straat ulica адрес улица 地址 住址 住所 郵便番号 주소 عنوان العنوان पता
    birthday birthdate dateofbirth dob birth yearofbirth geburtsdatum geburtstag geburtsjahr geboren datedenaissance
    datenaissance naissance fechadenacimiento fechanacimiento nacimiento datadinascita datanascita nascita nascimento
    datadenascimento geboortedatum dataurodzenia датарождения 生日 出生日期 生年月日 誕生日 생년월일 생일
    email emails mail emailaddress mailaddress phone phonenumber telephone telefon telefonnummer tel telefono telefone
    telefoon rufnummer handynummer mobilenumber mobilephone courriel correo телефон 电话 電話 手机 手機 电话号码 手机号
    電話番号 전화 전화번호 هاتف
    ssn socialsecuritynumber passport passportnumber iban bankaccount kontonummer ausweisnummer personalausweis
    steuernummer steuerid taxid dni nif nie cpf cnpj pesel bsn nationalid idcard driverslicense licenseplate
    kennzeichen 身份证 身份证号 护照
    apikey password passwort kennwort secret token
""".split()


def names_somebody(column: str) -> bool:
    """Whether a column of this name says who somebody is, where they live or how they are reached."""
    return _names_somebody(column[:_LONGEST_NAME])


@lru_cache(maxsize=4096)
def _names_somebody(column: str) -> bool:
    words = _words(column)
    if not words:
        return False
    if "".join(words) in _NAMES or _api_key(words):
        return True
    return any(tail in _TAILS or _OF_SOMEBODY.fullmatch(tail) is not None for tail in _tails(words))


def _api_key(words: list[str]) -> bool:
    return "apikey" in "".join(words)


def _tails(words: list[str]) -> list[str]:
    """The last words of a name joined, from the last one alone to all; also without an id at the end."""
    tails = ["".join(words[first:]) for first in range(len(words))]
    if len(words) > 1 and words[-1] in _IDS:
        tails += ["".join(words[first:-1]) for first in range(len(words) - 1)]
    return tails


def _words(name: str) -> list[str]:
    """The words of a name, without case, accents and numbers: `kundenName_2` is kunden, name."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[\W\d_]+", _folded(apart)) if word]


def _folded(text: str) -> str:
    """Without case and accents; ß is ss."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


_NAMES = frozenset(map(_folded, _NAME_WORDS))
_IDS = frozenset(_ID_WORDS)
_TAILS = frozenset(map(_folded, _PERSONAL))
_OF_SOMEBODY = re.compile(
    rf"(?:{'|'.join(sorted(set(map(_folded, _SOMEBODY)), key=len, reverse=True))})"
    rf"(?:(?:s|n|en)?(?:{'|'.join([*_ID_WORDS, *map(_folded, _NAME_WORDS)])}))?"
)

"""Why an encrypted connection failed, and what the user can do about it.

Only failures that trying again does not cure: a certificate that is not trusted, or a port that does not speak the
protocol of the address.
"""

import asyncio
import ssl
from dataclasses import dataclass

TRUST = (
    "if you trust the server, save the certificate of its authority (or its own, if it is self-signed) as a PEM file "
    "and set SSL_CERT_FILE to it, or SSL_CERT_DIR to a folder of such files"
)
_LONGEST_CHAIN = 12  # exceptions, each raised from the next
_HANDSHAKE_LIMIT = 3.0  # seconds
# What OpenSSL says when the other side answers in plain text.
_PLAIN_TEXT_REASONS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "UNKNOWN_PROTOCOL")
# The connection just ended: the next one may last.
_LOST_REASONS = ("UNEXPECTED_EOF_WHILE_READING", "PROTOCOL_IS_SHUTDOWN", "APPLICATION_DATA_AFTER_CLOSE_NOTIFY")


@dataclass(frozen=True)
class TlsFault:
    message: str
    way_out: str


def find_tls_fault(error: BaseException | None) -> TlsFault | None:
    """The lasting TLS failure behind an error; None if the cause is another one, or may be temporary."""
    for _ in range(_LONGEST_CHAIN):
        if error is None:
            return None
        fault = _read_tls_error(error)
        if fault is not None:
            return fault
        reason = getattr(error, "reason", None)  # where urllib stores the cause
        urllib_cause = reason if isinstance(reason, BaseException) else None
        error = error.__cause__ or error.__context__ or urllib_cause
    return None


def _read_tls_error(error: BaseException) -> TlsFault | None:
    if isinstance(error, ssl.SSLCertVerificationError):
        cause = str(getattr(error, "verify_message", "") or error.reason or error)
        return TlsFault(f"the server's certificate is not trusted: {cause.rstrip('.')}", TRUST)
    if not isinstance(error, ssl.SSLError):
        return None
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError | ssl.SSLSyscallError | ssl.SSLWantReadError):
        return None
    reason = str(error.reason or "")
    if not reason or reason in _LOST_REASONS:
        return None
    if reason in _PLAIN_TEXT_REASONS:
        return TlsFault(
            "this port does not speak HTTPS (the server answered in plain text)", "use http:// in the address"
        )
    words = reason.replace("_", " ").lower()
    return TlsFault(f"the encrypted connection failed: {words}", f"check the address; {TRUST}")


PORT_SPEAKS_HTTPS = TlsFault("this port speaks HTTPS, and the address begins with http://", "use https://")


async def speaks_tls(host: str, port: int) -> bool:
    """Whether a server answers a TLS handshake; its certificate is not checked, and nothing is sent."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        async with asyncio.timeout(_HANDSHAKE_LIMIT):
            _, writer = await asyncio.open_connection(host, port, ssl=context, server_hostname=host)
    except ssl.SSLError as error:  # an alert is an answer in TLS too
        return "ALERT" in str(error.reason or "")
    except (OSError, TimeoutError, ValueError):
        return False
    writer.transport.abort()
    return True

"""The same reply gives the same outcome through every adapter: raw HTTP replies, played to all three.

`FORMS` are replies that have nothing of a provider's own; `SHAPED` are changes to a good reply of each wire format.
"""

import gzip
import json
import zlib
from functools import cache

import pytest

import mossbench as mb
from mossbench.outcomes import Layer
from servers.asking import ROOTS, ask_many, outcome_word
from servers.loopback import reset, send, serve, truncated
from servers.wire import completion, generated, message

TEXT = "Use glue."
GOOD = {"openai": completion(TEXT), "anthropic": message(TEXT), "google": generated(TEXT)}

ANSWER = "answer"
EMPTY = "empty"
BLOCKED = "blocked"
FAILED = "failed"
DENIED = "stops the run"
BUSY = "later: rate_limit"
OVERLOADED = "later: overload"
BROKEN = "later: server_error"
LOST = "later: connection"


def error(message_="no", **fields):
    return {"error": {"message": message_, **fields}}


def raw_deflate(data):
    """Deflate without zlib's header, as some servers send it."""
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(data) + compressor.flush()


def in_members(data, n_members):
    size = -(-len(data) // n_members)
    return b"".join(gzip.compress(data[start : start + size]) for start in range(0, len(data), size))


# What stands under `error` beside a good reply: nothing is wrong, or something is.
NO_ERRORS = [
    b"null",
    b"{}",
    b"false",
    b'""',
    b"[]",
    b'"ok"',
    b'{"code": null, "message": null}',
    b'{"code": 0, "message": "success"}',
    b'{"code": 0, "message": "Success", "type": null, "param": null, "details": []}',
    b'{"code": "0", "message": "OK"}',
    b'{"code": 200, "message": "ok"}',
    b'{"message": ""}',
    b'{"code": null, "message": " "}',
]
ERRORS = {
    b'{"code": 0, "message": "odd"}': FAILED,
    b'{"code": "odd", "message": ""}': FAILED,
    b'{"code": null, "message": null, "type": "overloaded_error"}': OVERLOADED,
    b'{"code": 502, "message": ""}': BROKEN,
    b'{"code": 0, "message": "success", "metadata": {"raw": "upstream failed"}}': FAILED,
    b"true": FAILED,
}


WORDS = [
    "Unknown parameter: 'content_filter'",
    "Image too large for safety check: max 4 MB",
    "The content safety service is temporarily unavailable",
    "Output blocked by content filtering policy",
    "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_X",
    "Your request was rejected as a result of our safety system.",
    "blocked: PROHIBITED_CONTENT",
    "The prompt was flagged: content_policy_violation",
    "finish_reason: content_filter",
]
ASKED = {
    "model": "m",
    "messages": [{"role": "user", "content": "What is a content_filter?", "type": "content_filter"}],
    "metadata": {"code": "content_filter", "reasons": ["violence"]},
    "finish_reason": "content_filter",
}
ECHO = {
    "model": "m",
    "messages": [{"role": "user", "content": "x"}],
    "type": "content_filter",
    "code": "content_filter",
}
QUOTES = [
    'Bad image in request: "My bank account was suspended, what now?"',
    'cannot decode image for prompt "how do I tell if an api key not valid"',
    "Bad image in request: My bank account was suspended, what now?",
    "My bank account was suspended, what now?",
    "'Your account has been suspended' is not a text that this model reads",
    "Cannot read: Your credit balance is too low, what now?",
    "\u201cInvalid API key\u201d: the image beside this text is damaged",
    "The image of the card with 'user location is not supported' is damaged",
]
CLOSED = [
    "Your credit balance is too low to access the API.",
    "This organization has been disabled.",
    "Your account has been suspended.",
    "API key not valid. Please pass a valid API key.",
    "Invalid API key",
    "some/model is not a valid model ID",
    "User location is not supported for the API use.",
]
FIREWALL = (
    b"<html><head><title>403 Forbidden</title></head><body>Request blocked by our content policy filter</body></html>"
)
MODERATION = {"reasons": ["violence"], "flagged_input": "...", "provider_name": "x"}

FORMS = {
    # words are no sign, on any status
    **{f"400 {words}": (400, error(words), FAILED) for words in WORDS},
    **{f"422 {words}": (422, error(words), FAILED) for words in WORDS[:4]},
    **{f"451 {words}": (451, error(words), FAILED) for words in WORDS[:2]},
    **{f"403 {words}": (403, error(words), DENIED) for words in WORDS[:6]},
    **{f"400 in plain text: {words}": (400, words.encode(), FAILED) for words in WORDS[:3]},
    "400 words in a list of details": (400, {"detail": [{"loc": ["body", "content_filter"], "msg": "extra"}]}, FAILED),
    "400 words as the error": (400, {"error": "blocked by content_filter"}, FAILED),
    "400 a parameter of that name": (400, error("odd", param="content_filter", code="unknown_parameter"), FAILED),
    "400 a code that only begins so": (400, error("down", code="content_filter_unavailable"), FAILED),
    "503 words": (503, error("content filter is down"), OVERLOADED),
    "500 words": (500, error("content_filter crashed"), BROKEN),
    "429 words": (429, error("content_filter is busy"), BUSY),
    # an echo of the request is no sign
    "400 echo of the request": (400, error("bad image", request=ASKED), FAILED),
    "400 echo beside the error": (400, {**error("bad image"), "request": ASKED}, FAILED),
    "400 echo as a body": (400, {**error("bad image"), "body": ASKED, "input": ASKED}, FAILED),
    "400 echo in the metadata": (400, error("bad image", metadata={"request": ASKED}), FAILED),
    "400 echo in a list": (400, {"detail": [{"msg": "bad", "input": ASKED, "ctx": ASKED}]}, FAILED),
    "400 echo in the message": (400, error(json.dumps(ASKED)), FAILED),
    "400 echo that is all": (400, ASKED, FAILED),
    "400 echo deep inside": (400, error("bad", details=[{"a": {"b": {"code": "content_filter"}}}]), FAILED),
    "400 echo relayed as JSON": (400, error("bad", metadata={"raw": json.dumps(ECHO)}), FAILED),
    "400 echo relayed": (400, error("bad", metadata={"raw": ECHO}), FAILED),
    "400 echo relayed as an error": (400, error("bad", metadata={"raw": {"error": ECHO}}), FAILED),
    "400 echo that is the error": (400, {"error": {**ECHO, "message": "bad image"}}, FAILED),
    "400 echo in an inner error": (400, error("bad", innererror=ECHO), FAILED),
    "400 echo as metadata": (400, error("bad", metadata={**ECHO, "error_type": "refusal"}), FAILED),
    "400 echo of an input": (400, {"error": "bad", "input": "x", "type": "content_filter"}, FAILED),
    "400 echo of contents": (400, {"contents": [], "code": "content_filter"}, FAILED),
    "400 echo with a code that ends runs": (400, {"error": {**ECHO, "code": "insufficient_quota"}}, FAILED),
    "400 echo relayed, with a code that ends runs": (
        400,
        error("bad", metadata={"raw": {**ECHO, "code": "insufficient_quota"}}),
        FAILED,
    ),
    # what a message quotes ends no run
    **{f"400 {words}": (400, error(words), FAILED) for words in QUOTES},
    **{f"422 {words}": (422, error(words), FAILED) for words in QUOTES[:2]},
    **{f"400 in plain text: {words}": (400, words.encode(), FAILED) for words in QUOTES[:2]},
    **{f"400 {words}": (400, error(words, type="invalid_request_error"), DENIED) for words in CLOSED},
    "400 Google's key": (
        400,
        error("x", details=[{"@type": "google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]),
        DENIED,
    ),
    "400 a quota": (400, error("x", type="insufficient_quota"), DENIED),
    "400 a quota in camel case": (400, error("x", type="InsufficientQuota"), DENIED),
    "500 echo": (500, error("oops", request=ASKED), BROKEN),
    "200 error with an echo": (200, error("odd", code="odd", request=ASKED), FAILED),
    # firewalls
    "403 a firewall's page": (403, FIREWALL, DENIED),
    "406 a firewall's page": (406, FIREWALL, FAILED),
    "400 a firewall's page": (400, FIREWALL, FAILED),
    "503 a firewall's page": (503, FIREWALL, OVERLOADED),
    "200 a firewall's page": (200, FIREWALL, LOST),
    # the providers' own signs
    "400 OpenAI": (400, error("x", code="content_filter"), BLOCKED),
    "400 OpenAI, policy": (400, error("x", code="content_policy_violation"), BLOCKED),
    "400 OpenAI, images": (400, error("x", code="moderation_blocked"), BLOCKED),
    "400 OpenAI, invalid prompt": (400, error("x", type="invalid_request_error", code="invalid_prompt"), FAILED),
    "400 invalid prompt, too long": (400, error("Invalid prompt: too many tokens", code="invalid_prompt"), FAILED),
    "400 Azure, images": (400, error("x", code="contentFilter", inner_error={"code": "ContentFilter"}), BLOCKED),
    "400 Azure, in lower case": (400, error("x", innererror={"code": "responsibleaipolicyviolation"}), BLOCKED),
    "400 a code in camel case": (400, error("x", code="contentPolicyViolation"), BLOCKED),
    "422 a block": (422, error("x", code="content_filter"), BLOCKED),
    "403 a block": (403, error("x", code="content_filter"), BLOCKED),
    "451 a block": (451, error("x", code="content_filter"), BLOCKED),
    "400 Azure": (400, error("x", code=None, innererror={"code": "ResponsibleAIPolicyViolation"}), BLOCKED),
    "400 Moonshot": (400, error("x", type="content_filter"), BLOCKED),
    "400 DashScope": (400, error("x", code="data_inspection_failed"), BLOCKED),
    "400 DashScope, native": (400, {"code": "DataInspectionFailed", "message": "x"}, BLOCKED),
    "400 Volcengine": (400, error("x", code="InputImageSensitiveContentDetected", type="BadRequest"), BLOCKED),
    "403 OpenRouter": (403, error("x", code=403, metadata=MODERATION), BLOCKED),
    "400 reasons that are no moderation's": (400, error("x", code=400, metadata={"reasons": ["violence"]}), FAILED),
    "200 OpenRouter": (200, error("x", code=403, metadata=MODERATION), BLOCKED),
    "400 relayed as JSON": (
        400,
        error("x", code=400, metadata={"raw": json.dumps(error("y", code="content_filter"))}),
        BLOCKED,
    ),
    "400 relayed in words": (400, error("x", code=400, metadata={"raw": "blocked: PROHIBITED_CONTENT"}), FAILED),
    "403 OpenRouter without reasons": (403, error("x", code=403, metadata={"reasons": []}), DENIED),
    "400 a code in capitals": (400, error("x", code="CONTENT_FILTER"), BLOCKED),
    "400 a code with a hyphen": (400, error("x", code="content-filter"), BLOCKED),
    "200 a block in an error": (200, error("x", code="content_filter"), BLOCKED),
    "200 a block of a bad request": (200, error("x", code="content_filter", type="invalid_request_error"), BLOCKED),
    # a status that may pass is asked again, and others than those of a filter are no block
    "500 a block": (500, error("x", code="content_filter"), BROKEN),
    "500 a block's type": (500, error("The moderation service is unavailable", type="content_moderation"), BROKEN),
    "500 a block as a finish": (500, {**error("x"), "choices": [{"finish_reason": "content_filter"}]}, BROKEN),
    "502 a block that is relayed": (
        502,
        error("x", metadata={"raw": json.dumps(error("y", code="content_filter"))}),
        BROKEN,
    ),
    "503 a block": (503, error("The content filter is temporarily unavailable", code="content_filter"), OVERLOADED),
    "529 a block": (529, error("x", code="content_filter"), OVERLOADED),
    "429 a block": (429, error("content filter busy", code="content_filter"), BUSY),
    "429 OpenRouter": (429, error("x", code=403, metadata=MODERATION), BUSY),
    "408 a block": (408, error("x", code="content_filter"), BROKEN),
    "404 a block": (404, error("x", code="content_filter"), DENIED),
    "413 a block": (413, error("x", code="content_filter"), FAILED),
    "200 a block that is a 503": (200, error("x", code="content_filter", status=503), OVERLOADED),
    "200 a block that is an overload": (200, error("x", code="content_filter", type="overloaded_error"), OVERLOADED),
    "400 in a list of one": (400, [error("x", code="content_filter")], BLOCKED),
    "400 with a byte-order mark": (
        400,
        b"\xef\xbb\xbf" + json.dumps(error("x", code="content_filter")).encode(),
        BLOCKED,
    ),
    # statuses
    "400": (400, error("bad image"), FAILED),
    "400 without a body": (400, b"", FAILED),
    "400 null": (400, b"null", FAILED),
    "400 a number": (400, b"7", FAILED),
    "400 a text": (400, b'"no"', FAILED),
    "400 a list": (400, b"[]", FAILED),
    "400 not UTF-8": (400, b"\xff\xfe\xfa bad", FAILED),
    "400 half of a JSON": (400, b'{"error": {"code": "content_filter", "mess', FAILED),
    "405": (405, b"Method Not Allowed", FAILED),
    "413": (413, error("too large"), FAILED),
    "418": (418, b"", FAILED),
    "422": (422, error("unprocessable"), FAILED),
    "401": (401, error("bad key"), DENIED),
    "401 without a body": (401, b"", DENIED),
    "402": (402, error("no money"), DENIED),
    "403": (403, error("forbidden"), DENIED),
    "404": (404, error("no such model"), DENIED),
    "404 a page": (404, b"<html>not found</html>", DENIED),
    "408": (408, b"", BROKEN),
    "409": (409, error("conflict"), BROKEN),
    "425": (425, b"", BROKEN),
    "429": (429, error("slow down"), BUSY),
    "429 without a body": (429, b"", BUSY),
    "429 a page": (429, b"<html>slow down</html>", BUSY),
    "429 quota": (429, error("quota", code="insufficient_quota"), DENIED),
    "429 quota in an echo": (429, error("slow", request={"code": "insufficient_quota"}), BUSY),
    "500": (500, error("oops"), BROKEN),
    "500 without a body": (500, b"", BROKEN),
    "500 half of a JSON": (500, b'{"error": {"mess', BROKEN),
    "501": (501, b"", BROKEN),
    "502 a page": (502, b"<html>bad gateway</html>", BROKEN),
    "502 a page of 12 MB": (502, b"<html>" + b"bad gateway " * 1_000_000, BROKEN),
    "503 a page of 12 MB": (503, b"<html>" + b"unavailable " * 1_000_000, OVERLOADED),
    "400 a page of 12 MB": (400, b"<html>" + b"bad request " * 1_000_000, FAILED),
    "429 a page of 12 MB": (429, b"<html>" + b"slow down ok" * 1_000_000, BUSY),
    "200 of 12 MB": (200, b"[" + b" " * 12_000_000 + b"]", FAILED),
    "503": (503, error("busy"), OVERLOADED),
    "504": (504, b"", BROKEN),
    "520": (520, b"<html>cloud</html>", BROKEN),
    "529": (529, error("overloaded"), OVERLOADED),
    "304": (304, b"", FAILED),
    "300": (300, b"", FAILED),
    "302 without a place": (302, b"", FAILED),
    # successes that are none
    "204": (204, b"", LOST),
    "204 with a page": (200, b"", LOST),
    "202 without a body": (202, b"", LOST),
    "200 blank": (200, b" \n ", LOST),
    "200 half of a JSON": (200, b'{"choices": [', LOST),
    "200 not JSON": (200, b"{not json", LOST),
    "200 zero bytes": (200, b"\x00\x00\x00\x00", LOST),
    "200 a byte-order mark and no more": (200, b"\xef\xbb\xbf", LOST),
    "200 100,000 brackets": (200, b"[" * 100_000, LOST),
    "200 nested 100,000 deep": (200, b"[" * 100_000 + b"]" * 100_000, LOST),
    "200 null": (200, b"null", FAILED),
    "200 true": (200, b"true", FAILED),
    "200 a number": (200, b"7", FAILED),
    "200 a text": (200, b'"Sure."', FAILED),
    "200 a list": (200, b"[]", FAILED),
    "200 a list of answers": (200, b'["Sure."]', FAILED),
    "200 an empty object": (200, b"{}", FAILED),
    "200 something else": (200, b'{"status": "ok", "uptime": 3}', FAILED),
    # errors within a 200
    "200 error of no kind": (200, error("odd", code="odd"), FAILED),
    "200 error in words": (200, {"error": "odd"}, FAILED),
    "200 error 400": (200, error("bad", code=400), FAILED),
    "200 error 401": (200, error("bad key", code=401), DENIED),
    "200 error 429": (200, error("slow", code=429), BUSY),
    "200 error 500": (200, error("oops", code=500), BROKEN),
    "200 error 502": (200, error("down", code=502), BROKEN),
    "200 error 502 as a text": (200, error("down", code="502"), BROKEN),
    "200 error 503": (200, error("down", code=503), OVERLOADED),
    "200 error 504": (200, error("late", code=504), BROKEN),
    "200 error 529": (200, error("busy", code=529), OVERLOADED),
    "200 error, status 503": (200, error("busy", status=503), OVERLOADED),
    "200 overloaded": (200, error("busy", code="overloaded"), OVERLOADED),
    "200 Anthropic's overload": (200, {"type": "error", **error("Overloaded", type="overloaded_error")}, OVERLOADED),
    "200 Anthropic's api_error": (200, {"type": "error", **error("x", type="api_error")}, BROKEN),
    "200 Anthropic's rate limit": (200, {"type": "error", **error("x", type="rate_limit_error")}, BUSY),
    "200 Google's UNAVAILABLE": (200, error("x", status="UNAVAILABLE"), OVERLOADED),
    "200 Google's RESOURCE_EXHAUSTED": (200, error("x", status="RESOURCE_EXHAUSTED"), BUSY),
    "200 OpenAI's server_error": (200, error("x", type="server_error", code=None), BROKEN),
    "200 overloaded, in words": (200, {"error": "the model is overloaded, try again later"}, OVERLOADED),
    "200 TGI": (200, {"error": "Model is overloaded", "error_type": "overloaded"}, OVERLOADED),
    "200 vLLM": (200, {"object": "error", "message": "x", "type": "InternalServerError", "code": 500}, BROKEN),
    "200 a gateway's own": (200, {"code": 502, "message": "bad gateway"}, BROKEN),
    "200 Google's list": (200, [error("x", code=503, status="UNAVAILABLE")], OVERLOADED),
    "200 OpenAI's overload": (200, error("x", code="server_is_overloaded"), OVERLOADED),
    "200 OpenAI's slow_down": (200, error("x", code="slow_down"), OVERLOADED),
    "200 TooManyRequests": (200, error("x", code="TooManyRequests"), BUSY),
    "200 tooManyRequests": (200, error("x", code="tooManyRequests"), BUSY),
    "200 Too Many Requests": (200, error("x", code="Too Many Requests"), BUSY),
    "200 ServiceUnavailable": (200, error("x", code="ServiceUnavailable"), OVERLOADED),
    "200 InternalServerError": (200, error("x", type="InternalServerError", code=None), BROKEN),
    "200 RateLimitError": (200, error("x", type="RateLimitError"), BUSY),
    "200 ThrottlingException": (200, error("x", type="ThrottlingException"), BUSY),
    "200 ThrottlingException, AWS's own": (200, {"__type": "ThrottlingException", "message": "x"}, BUSY),
    "200 APITimeoutError": (200, error("x", type="APITimeoutError"), BROKEN),
    "200 AuthenticationError": (200, error("x", type="AuthenticationError"), DENIED),
    "200 BadRequestError": (200, error("overloaded with images", type="BadRequestError"), FAILED),
    "200 an unknown code, transient words": (200, error("The model is overloaded", code="e17"), OVERLOADED),
    "200 an unknown type, transient words": (200, error("Please try again later", type="Odd"), OVERLOADED),
    "200 code 0, transient words": (200, error("upstream connect error or disconnect/reset", code=0), OVERLOADED),
    "200 a bad request, transient words": (200, error("rate limit of what?", code=400), FAILED),
    "200 a list of errors": (200, {"errors": [{"code": 503, "message": "x"}]}, OVERLOADED),
    "200 a list of errors in words": (200, {"errors": ["Internal server error"]}, OVERLOADED),
    "200 a list of unknown errors": (200, {"errors": [{"code": "e17", "message": "odd"}]}, FAILED),
    "200 only a detail": (200, {"detail": "Model is overloaded, try again later"}, OVERLOADED),
    "200 only a message": (200, {"message": "Internal server error"}, OVERLOADED),
    "200 only a message, of no kind": (200, {"message": "odd"}, FAILED),
    "200 a status in words and a message": (200, {"status": "error", "message": "Service Unavailable"}, OVERLOADED),
    "200 error_code": (200, {"success": False, "error_code": 503, "error_msg": "busy"}, OVERLOADED),
    "200 the error is a number": (200, {"error": 503}, OVERLOADED),
    "200 the error is a code": (200, {"error": "TooManyRequests"}, BUSY),
    "200 upstream timed out": (200, error("upstream timed out"), OVERLOADED),
    "200 connection reset": (200, error("connection reset by peer"), OVERLOADED),
    "200 only a text that is no message": (200, {"model": "rate limit", "service": "overloaded"}, FAILED),
    "200 an error that says nothing": (200, error(None, code=None), FAILED),
    "200 an error that says success": (200, error("success", code=0), FAILED),
    "200 error within a choice": (200, {"choices": [{"error": {"code": 502, "message": "x"}}]}, BROKEN),
}
ENCODED = {
    "gzip that is none": (200, b"no gzip at all", "gzip", FAILED),
    "502 gzip that is none": (502, b"<html>bad gateway</html>", "gzip", BROKEN),
    "400 gzip that is none": (400, b"bad", "gzip", FAILED),
    "429 gzip that is none": (429, b"slow", "gzip", BUSY),
    "br": (200, b"\x1b\x00", "br", FAILED),
    "502 br": (502, b"\x1b\x00", "br", BROKEN),
    "deflate that is none": (200, b"no deflate at all", "deflate", FAILED),
    "raw deflate of 30 MB": (200, raw_deflate(b"[" + b" " * 30_000_000), "deflate", FAILED),
    "gzip of 30 MB in members": (200, gzip.compress(b"[" + b" " * 3_000_000) * 10, "gzip", FAILED),
    "half of a second gzip": (200, gzip.compress(b'{"choices": [') + gzip.compress(b"]}")[:10], "gzip", LOST),
    "half of a gzip": (200, gzip.compress(b'{"choices": []}' * 100)[:20], "gzip", LOST),
    "gzip of 30 MB": (200, gzip.compress(b"[" + b" " * 30_000_000), "gzip", FAILED),
    "502 gzip of 30 MB": (502, gzip.compress(b"[" + b" " * 30_000_000), "gzip", BROKEN),
}
BROKEN_OFF = {"half a body": truncated, "a reset": reset}
SHAPED = {
    "plain": (lambda good: good, 200, {}, ANSWER),
    "201": (lambda good: good, 201, {}, ANSWER),
    "a byte-order mark": (lambda good: b"\xef\xbb\xbf" + good, 200, {}, ANSWER),
    "UTF-16": (lambda good: good.decode().encode("utf-16"), 200, {}, ANSWER),
    "not UTF-8": (lambda good: good.replace(b"glue", b"gl\xffue"), 200, {}, ANSWER),
    "says latin-1": (lambda good: good, 200, {"Content-Type": "application/json; charset=latin-1"}, ANSWER),
    "says text": (lambda good: good, 200, {"Content-Type": "text/html"}, ANSWER),
    "gzip": (gzip.compress, 200, {"Content-Encoding": "gzip"}, ANSWER),
    "deflate": (zlib.compress, 200, {"Content-Encoding": "deflate"}, ANSWER),
    "raw deflate": (raw_deflate, 200, {"Content-Encoding": "deflate"}, ANSWER),
    "x-gzip": (gzip.compress, 200, {"Content-Encoding": "x-gzip"}, ANSWER),
    "gzip in two members": (lambda good: in_members(good, 2), 200, {"Content-Encoding": "gzip"}, ANSWER),
    "gzip in many members": (lambda good: in_members(good, 50), 200, {"Content-Encoding": "gzip"}, ANSWER),
    "gzip with zeros behind": (lambda good: gzip.compress(good) + bytes(9), 200, {"Content-Encoding": "gzip"}, ANSWER),
    "gzip with junk behind": (lambda good: gzip.compress(good) + b"junk", 200, {"Content-Encoding": "gzip"}, ANSWER),
    **{
        f"beside {beside}": (lambda good, beside=beside: good[:-1] + b', "error": ' + beside + b"}", 200, {}, ANSWER)
        for beside in NO_ERRORS
    },
    **{
        f"beside {beside}": (lambda good, beside=beside: good[:-1] + b', "error": ' + beside + b"}", 200, {}, expected)
        for beside, expected in ERRORS.items()
    },
    "blanks around": (lambda good: b"\n\n " + good + b"\n", 200, {}, ANSWER),
    "a second object behind": (lambda good: good + b"{}", 200, {}, LOST),
    "all but the last byte": (lambda good: good[:-1], 200, {}, LOST),
    "a surrogate": (lambda good: good.replace(b"glue", b"\\ud83d"), 200, {}, ANSWER),
    "an empty text": (lambda good: good.replace(TEXT.encode(), b""), 200, {}, EMPTY),
    "as a 500": (lambda good: good, 500, {}, BROKEN),
    "as a 400": (lambda good: good, 400, {}, FAILED),
}
WIRES = list(GOOD)


def playing(status, content, headers=None):
    """Says this; without a body where HTTP has none."""

    def play(handler):
        if status in (204, 304):
            handler.send_response(status)
            handler.end_headers()
            return
        send(handler, status, content, headers)

    return lambda body, head: play


def rows(wire):
    for form, (status, content, expected) in FORMS.items():
        yield form, playing(status, content), expected
    for form, (status, content, encoding, expected) in ENCODED.items():
        yield form, playing(status, content, {"Content-Encoding": encoding}), expected
    for form, misbehave in BROKEN_OFF.items():
        yield form, lambda body, head, misbehave=misbehave: misbehave, LOST
    for form, (change, status, headers, expected) in SHAPED.items():
        yield f"good reply: {form}", playing(status, change(json.dumps(GOOD[wire]).encode()), headers), expected


@cache
def outcomes(wire):
    table = list(rows(wire))
    came = ask_many(wire, [said for _, said, _ in table])
    return {form: (expected, *found) for (form, _, expected), found in zip(table, came, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("status, body", [(429, error("slow")), (503, b"<html>"), (200, error("slow", code=429))])
def test_the_wait_that_a_provider_asks_for_is_kept_in_every_form(wire, status, body):
    ((came, _),) = ask_many(wire, [playing(status, body, {"Retry-After": "7"})])
    assert came.retry_after == 7


@pytest.mark.slow
@pytest.mark.parametrize("wire", WIRES)
def test_a_raw_reply_has_one_outcome_through_every_adapter(wire):
    wrong = {
        form: (outcome_word(came), expected, str(came)[:300])
        for form, (expected, came, _) in outcomes(wire).items()
        if outcome_word(came) != expected
    }
    assert wrong == {}
    assert len(outcomes(wire)) > 129
    assert {n_requests for _, _, n_requests in outcomes(wire).values()} == {1}


@pytest.mark.slow
@pytest.mark.parametrize("wire", WIRES)
def test_no_failure_of_a_run_is_counted_as_a_refusal(wire, small):
    odd = [
        (400, error("Unknown parameter: 'content_filter'")),
        (400, error("Image too large for safety check: max 4 MB")),
        (400, error("The content safety service is temporarily unavailable")),
        (400, error("bad", request=ASKED)),
        (403, FIREWALL),
    ]
    asked = iter(odd)
    given = {}

    def reply(body, headers):
        question = json.dumps(body)
        if "two plus two" in question:  # the probe, by which a firewall is told from a wrong key
            return 200, GOOD[wire]
        if question not in given:  # a row that is denied is asked twice
            given[question] = next(asked, (200, GOOD[wire]))
        return given[question]

    with serve(reply, ROOTS[wire]) as (url, _):
        results = mb.run(f"{wire}/m", small, base_url=url, out="r", max_connections=1)
    layers = results.layers()
    assert (layers[Layer.BLOCKED], layers[Layer.FAILED], next(asked, None)) == (0, 5, None)

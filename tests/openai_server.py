"""The loopback server of OpenAI's format under its short name."""

from servers.loopback import serve
from servers.wire import completion

__all__ = ["completion", "serve"]

"""The web app: `create_app` and one file per page noun. Pages call the library and render; nothing is computed here."""

from mossbench.web.app import create_app
from mossbench.web.settings import Settings

__all__ = ["Settings", "create_app"]

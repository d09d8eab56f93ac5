"""Records that can be shown as a table: as a pandas data frame, and in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from mossbench.errors import needing

if TYPE_CHECKING:
    import pandas as pd


class Framed:
    """A record that can be shown as a table."""

    def lines(self) -> list[dict[str, Any]]:
        """The lines of the table, as plain values by column."""
        raise NotImplementedError

    def title(self) -> str:
        """The title of the table, in one line."""
        raise NotImplementedError

    def df(self) -> pd.DataFrame:
        """The table as a data frame."""
        with needing("a data frame", "pandas"):
            import pandas as pd
        return pd.DataFrame(self.lines())

    def _repr_html_(self) -> str:
        table = self.df().to_html(index=False, float_format="{:.3f}".format, na_rep="–")
        return f"<p>{escape(self.title())}</p>{table}"

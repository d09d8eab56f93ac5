"""Which column holds which field, as a user writes it: a field may be called by another of its names."""

from collections.abc import Mapping

from mossbench.errors import UsageError


def by_field(columns: Mapping[str, str], other_names: Mapping[str, str]) -> dict[str, str]:
    """Field -> column, where the user may have written another name of a field (`other_names`: name -> field).

    Names that no field has are kept: whoever knows the fields refuses them.
    """
    written_names: dict[str, str] = {}
    columns_by_field: dict[str, str] = {}
    for name, column in columns.items():
        field = other_names.get(name, name)
        if field in columns_by_field:
            raise UsageError(
                f"{written_names[field]!r} and {name!r} are the same field, and both name a column; name one"
            )
        written_names[field] = name
        columns_by_field[field] = column
    return columns_by_field

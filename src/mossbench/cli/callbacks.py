"""How the text of an option becomes its value, where a type of click's does not do it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


def read_ids(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """Ids that are separated by commas, in one option or in several."""
    ids = [part.strip() for part in ",".join(values).split(",") if part.strip()]
    if values and not ids:
        raise click.BadParameter("no id given; omit it to use all samples")
    return tuple(ids) or None


def read_columns(_ctx: click.Context, _param: click.Parameter, value: str | None) -> dict[str, str] | None:
    """`question=text,image=photo`, by field."""
    if value is None:
        return None
    from mossbench.datasets.columns import parse_columns

    return parse_columns(value)


def read_params(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, Any] | None:
    """`name=value`, several times, as values by name."""
    from mossbench.models.parameters import read_param

    params: dict[str, Any] = {}
    for text in values:
        name, value = read_param(text)
        if name in params:
            raise click.BadParameter(f"{name} is given twice; give it once")
        params[name] = value
    return params or None


def read_sweep_option(
    _ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]
) -> dict[str, list[Any]] | None:
    """`NAME=VALUE,VALUE`, several times, as values by name."""
    if not values:
        return None
    from mossbench.runs.sweeps import read_sweep

    return read_sweep(values)


def read_sources(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, set[str]]:
    """`JUDGE=SOURCE`, several times, as the sources of each judge."""
    sources: dict[str, set[str]] = {}
    for value in values:
        judge, equals, source = value.rpartition("=")
        if not equals or not judge or not source:
            raise click.BadParameter(f"expected JUDGE=SOURCE, got {value!r}")
        sources.setdefault(judge, set()).add(source)
    return sources


def read_text_or_file(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """The text itself, or that of the file behind an @."""
    if value is None or not value.startswith("@"):
        return value
    path = value[1:]
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"cannot read {path!r}: {error}") from error

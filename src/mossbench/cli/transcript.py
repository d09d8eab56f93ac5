"""`mossbench transcript`: answers that were taken down by hand."""

import shlex
from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Group
from mossbench.cli.options import RUN, default_of, given, options
from mossbench.cli.printing import note


@click.group(cls=Group)
def transcript() -> None: ...


@transcript.command("template")
@options("data", "map", "template.out", "side", "ids", "offset", "limit")
def template_command(data: str | None, out: Path, **selection: Any) -> None:
    data, side = (value or default_of(RUN, name) for name, value in (("data", data), ("side", selection["side"])))
    mossbench.write_template(data, out, **given(selection))
    flags = {"--model": f"replay/{out}", "--data": data, "--side": side}
    flags["--map"] = ",".join(f"{field}={column}" for field, column in (selection["columns"] or {}).items())
    flags["--ids"] = ",".join(selection["ids"] or ())
    flags |= {f"--{name}": str(selection[name] or "") for name in ("offset", "limit")}
    command = shlex.join(["mossbench", "run", *(part for flag in flags.items() if flag[1] for part in flag)])
    note(f"wrote {out}; fill in `response` and leave it empty where there is none, then")
    note(f"  {command}")

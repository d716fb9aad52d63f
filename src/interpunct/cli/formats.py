"""``interpunct formats``: what can be read and written."""

from __future__ import annotations

from typing import Annotated, Any

import typer

__all__ = ["list_formats", "register"]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command(help="List the transcript formats, each with an example.")
    def formats(json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> None:
        import json as json_module

        found = list_formats()
        if json:
            typer.echo(json_module.dumps(found, ensure_ascii=False, indent=2))
            return
        for entry in found:
            typer.echo(f"{entry['name']}  ({', '.join(entry['extensions'])})  {entry['description']}")
            for line in entry["example"].splitlines():
                typer.echo(f"    {line}")


def list_formats() -> list[dict[str, Any]]:
    """Name, description, extensions and example of each format."""
    from ..formats import FORMATS

    return [
        {
            "name": name,
            "description": FORMATS.get(name).DESCRIPTION,
            "extensions": list(FORMATS.get(name).EXTENSIONS),
            "example": FORMATS.get(name).EXAMPLE,
        }
        for name in FORMATS.names
    ]

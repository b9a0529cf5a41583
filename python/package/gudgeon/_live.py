"""A simulation in the browser while it runs."""

from __future__ import annotations

import time
import webbrowser
from typing import TYPE_CHECKING

from ._core import Model, Simulation

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType


class Page:
    """The pages that look at a simulation. The script steps; pulls of the page arrive as forces of the step.

    Several pages may look at once, one has the hands. Shows itself in a notebook.
    """

    def __init__(self, sim: Simulation, address: str, open_browser: bool = True) -> None:
        self.sim = sim
        self.address = address
        self.height = 640
        if open_browser:
            webbrowser.open(address)

    def __enter__(self) -> Page:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<gudgeon page at {self.address}>"

    @property
    def pages(self) -> int:
        """Pages that look."""
        return self.sim._live_pages()

    def sync(self) -> None:
        """Shows the present moment and takes the pulls, without a step; `sim.step` does so by itself."""
        self.sim._live_wait()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes what was recorded, pulls included; `gudgeon view` shows it."""
        from pathlib import Path

        where = Path(path)
        where.write_bytes(self.sim._live_recording())
        return where

    def close(self) -> None:
        """Ends the pages; the simulation stays as it is."""
        self.sim._live_close()

    def _repr_html_(self) -> str:
        from html import escape

        self.sim._live_notebooks()
        style = f"width:100%;height:{self.height}px;border:0"
        return f'<iframe src="{escape(self.address, quote=True)}" style="{style}"></iframe>'


def live(
    model: Model | Simulation,
    controller: Callable[[Simulation], object] | None = None,
    *,
    speed: float = 1.0,
    duration: float | None = None,
    port: int = 0,
    open_browser: bool = True,
    on_page: Callable[[Page], object] | None = None,
) -> Simulation:
    """Runs a model in real time in the browser until Ctrl-C, or for `duration` seconds of simulated time.

    `controller(sim)` is called before every step; the page has the clock: run, pause, step, back. `speed` 0 is as fast
    as it can.
    """
    sim = model if isinstance(model, Simulation) else Simulation(model)
    page = Page(sim, sim._live_open(port, False, False, speed), open_browser)
    if on_page is not None:
        on_page(page)
    else:
        print(page.address)  # noqa: T201
    try:
        while duration is None or sim.time < duration:
            wait = sim._live_wait()
            if wait is not None:
                time.sleep(min(wait, 0.01))
                continue
            if controller is not None:
                controller(sim)
            sim.step()
    except KeyboardInterrupt:
        pass
    finally:
        page.close()
    return sim

"""The command ``gudgeon``, also as ``python -m gudgeon``: all that the binary of the crates does."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Run the words of the command line and return the exit code."""
    from gudgeon._core import command

    # Ctrl-C is the command's own affair: it ends a run after its step, with all that was written whole
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["gudgeon", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

"""What the workers of all peers share: requests on the standard input, answers on the standard output.

A request is `FILE ROUND_SECONDS MAX_CALLS`; the file holds n, M by columns and q as 64-bit words. Only the call
of the peer's solver is against the clock: not reading, not building its problem object, not clearing the start.
"""

import json
import os
import sys
import time

import numpy as np


def aligned(values):
    """A copy that starts where vector instructions want it: Eigen takes that for granted."""
    memory = np.empty(len(values) + 8)
    first = -memory.ctypes.data % 64 // 8
    memory[first : first + len(values)] = values
    return memory[first : first + len(values)]


def read(file):
    raw = np.fromfile(file, dtype="<f8")
    n = int(raw[:1].view("<u8")[0])
    return aligned(raw[1 : 1 + n * n]).reshape((n, n), order="F"), aligned(raw[1 + n * n :])


def timed(peer, round_seconds, max_calls):
    """Seconds of each call, and what the last one said."""
    seconds, said = [], None
    begin = time.perf_counter()
    while not seconds or (len(seconds) < max_calls and time.perf_counter() - begin < round_seconds):
        peer.reset()
        busy = time.thread_time()
        start = time.perf_counter()
        said = peer.solve()
        wall = time.perf_counter() - start
        # the processor's clock does not count while others have the processor; the wall's costs less to read
        seconds.append(min(wall, time.thread_time() - busy))
    return sorted(seconds), said


def floor(peer):
    """What a call costs that finds q >= 0 at once: the way from Python into the library and back."""
    peer.load(aligned([1.0]).reshape((1, 1), order="F"), aligned([1.0]))
    return timed(peer, 0.05, 2000)[0][0]


def serve(peer):
    # libraries that print have their own channel: ours is kept apart
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer.load(aligned([2.0, 1.0, 1.0, 2.0]).reshape((2, 2), order="F"), aligned([-5.0, -6.0]))
    timed(peer, 0.0, 1)  # compiles what is compiled late
    print(json.dumps({"version": peer.version, "floor": floor(peer)}), file=out, flush=True)
    for line in sys.stdin:
        file, round_seconds, max_calls = line.split()
        peer.load(*read(file))
        seconds, said = timed(peer, float(round_seconds), int(max_calls))
        claims, status, z, pivots = peer.answer(said)
        answer = {"claims": claims, "status": status, "pivots": pivots, "seconds": seconds[0]}
        answer |= {"median": seconds[len(seconds) // 2], "calls": len(seconds), "z": [float(v) for v in z]}
        print(json.dumps(answer), file=out, flush=True)

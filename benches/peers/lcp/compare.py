"""Our default method beside other people's, on the same problems, in turns, each answer judged anew.

For each problem the workers take turns for several rounds; in a round each solves the problem as often as the round's
time allows. A solver's time is its shortest call of all rounds. See RESULTS.md for a reading of the output.
"""

import argparse
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from problems import load

HERE = Path(__file__).parent
CLASSES = [(1, 16), (17, 64), (65, 260), (261, 1300)]
OURS = "gudgeon"
# one method of ours beside the same of a peer
LIKE = [
    ("gudgeon-lemke", "siconos"),
    ("gudgeon-lexicographic", "siconos"),
    ("gudgeon-murty", "siconos-murty"),
    ("gudgeon-pgs", "siconos-pgs"),
]
GOAL = [f"artisynth-contactTest_{k}" for k in (14, 15, 16)]


class Worker:
    """A solver in a process of its own, which is ended when it takes too long."""

    def __init__(self, name, command):
        self.name, self.command = name, command
        self.process, self.version, self.floor = None, None, 0.0
        self.ready = self.start()

    def start(self):
        single = {k: "1" for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | single,
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, args=(self.process, self.lines), daemon=True).start()
        hello = self.hear(120.0)
        if hello is None:
            return False
        self.version, self.floor = hello["version"], hello.get("floor", 0.0)
        return True

    @staticmethod
    def listen(process, lines):
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    def busy(self):
        """Seconds of processor time so far."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def hear(self, seconds):
        """A line of the worker, or None if it takes more processor time than this, or ends."""
        line, begin = None, self.busy()
        while True:
            try:
                line = self.lines.get(timeout=0.25)
                break
            except queue.Empty:
                if self.busy() - begin > seconds:
                    break
        if line is None:
            self.stop()
            return None
        return json.loads(line)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def ask(self, file, round_seconds, calls, limit):
        """An answer, or None after the limit or a crash; the worker is then started anew."""
        try:
            self.process.stdin.write(f"{file} {round_seconds} {calls}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self.hear(limit + round_seconds)
        if answer is None:
            self.start()
        return answer


def race(workers, problem, options, folder):
    """name -> best time, claims, residual."""
    file = Path(folder) / "problem.bin"
    problem.write(file)
    best = {}
    for turn in range(options.rounds):
        for worker in workers:
            seen = best.get(worker.name)
            # no second try for what failed, and few for what is slow
            if turn and (not seen["solved"] or (seen["seconds"] > 0.1 and turn >= 3)):
                continue
            answer = worker.ask(file, 0.0 if turn == 0 else 0.02, 200, options.limit)
            if answer is None:
                best[worker.name] = {"claims": False, "solved": False, "status": "time or crash", "seconds": None}
                continue
            residual = problem.residual(answer.pop("z"))
            answer |= {"residual": residual, "solved": answer["claims"] and residual <= 1e-6}
            answer["tight"] = answer["claims"] and residual <= 1e-9
            answer["wrong"] = answer["claims"] and not residual <= 1e-6
            if seen:
                answer["seconds"] = min(answer["seconds"], seen["seconds"])
            answer["net"] = max(answer["seconds"] - worker.floor, 1e-7)
            best[worker.name] = answer
    return best


def duration(seconds):
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1.0:
            break
    return f"{seconds * scale:.3g} {unit}"


def class_rows(name, results, group, own=OURS):
    """Counts, and the sums over what both we, by the worker `own`, and this peer solve."""
    names = [p for p in group if p.solvable]
    answers = [(results[p.name][own], results[p.name][name]) for p in names]
    theirs = [t for _, t in answers]
    both = [(o, t) for o, t in answers if o["solved"] and t["solved"]]
    ours = sum(o["net"] for o, _ in both)
    net, raw = sum(t["net"] for _, t in both), sum(t["seconds"] for _, t in both)
    counts = (len(names), sum(t["solved"] for t in theirs), sum(t.get("tight", False) for t in theirs))
    wrong = sum(t.get("wrong", False) for t in theirs)
    # a sum asks the slowest problems, the median asks each once
    ratios = sorted(o["net"] / t["net"] for o, t in both)
    median = ratios[len(ratios) // 2] if ratios else float("nan")
    return counts, wrong, len(both), ours, net, raw, median


def groups_of(problems):
    groups = [(f"{lo}-{hi}", [p for p in problems if lo <= p.n <= hi]) for lo, hi in CLASSES]
    return [(label, group) for label, group in groups if group] + [("all", problems)]


def like_for_like(workers, problems, results):
    """Single methods in pairs."""
    names = {w.name for w in workers}
    out = ["| n | ours | theirs | we solve | they solve | both | ours | theirs | ours / theirs | median |"]
    out.append("|---|---|---|---|---|---|---|---|---|---|")
    for label, group in groups_of(problems):
        for own, peer in ((a, b) for a, b in LIKE if {a, b} <= names):
            (total, solved, _), _, both, ours, net, _, median = class_rows(peer, results, group, own)
            we = sum(results[p.name][own]["solved"] for p in group if p.solvable)
            row = [label, own, peer, f"{we}/{total}", f"{solved}/{total}", str(both)]
            row += [duration(ours), duration(net), f"{ours / net:.2f}", f"{median:.2f}"] if both else ["-"] * 4
            out.append("| " + " | ".join(row) + " |")
    return out


def table(workers, problems, results):
    out = ["| n | solver | solved 1e-6 | solved 1e-9 | wrong | both solve | ours | theirs | ours / theirs | with call | median |"]
    out.append("|---|---|---|---|---|---|---|---|---|---|---|")
    alone = {name for pair in LIKE for name in pair} - {"siconos"}
    for label, group in groups_of(problems):
        for worker in (w for w in workers if w.name not in alone):
            (total, solved, tight), wrong, both, ours, net, raw, median = class_rows(worker.name, results, group)
            row = [label, worker.name, f"{solved}/{total}", f"{tight}/{total}", str(wrong)]
            if worker.name == OURS:
                row += [str(both), duration(ours) if both else "-", "", "", "", ""]
            elif both:
                row += [str(both), duration(ours), duration(net), f"{ours / net:.2f}", f"{ours / raw:.2f}", f"{median:.2f}"]
            else:
                row += ["0", "-", "-", "-", "-", "-"]
            out.append("| " + " | ".join(row) + " |")
    return out


def count(answers, key):
    return sum(answer.get(key, False) for answer in answers)


def report(workers, problems, results):
    out = ["Versions: " + ", ".join(f"{w.name} {w.version}" for w in workers) + ".", ""]
    out.append("Cost of an empty call, taken off each call of that peer: ")
    out[-1] += ", ".join(f"{w.name} {duration(w.floor)}" for w in workers if w.floor) + "."
    out.append("")
    out += table(workers, problems, results)
    out += ["", *like_for_like(workers, problems, results)]
    out += ["", "| problem | n | pivots | time |", "|---|---|---|---|"]
    for problem in problems:
        if problem.name.startswith(tuple(GOAL)):
            ours = results[problem.name][OURS]
            out.append(f"| {problem.name} | {problem.n} | {ours['pivots']} | {duration(ours['seconds'])} |")
    hopeless = [p for p in problems if not p.solvable]
    out += ["", f"{len(hopeless)} problems are not marked as having a solution. Said to be solved there, and wrongly so: "]
    claims = [(w.name, [results[p.name][w.name] for p in hopeless]) for w in workers]
    out[-1] += "; ".join(f"{name} {count(a, 'claims')}, {count(a, 'wrong')}" for name, a in claims) + "."
    return out


def listing(workers, problems, results):
    """One line per problem on the standard error, for whoever looks for where a class is lost."""
    for problem in problems:
        cells = [f"{w.name}={cell(results[problem.name][w.name])}" for w in workers]
        print(f"{problem.n:5d} {problem.name:44.44s} " + " ".join(cells), file=sys.stderr)


def cell(answer):
    mark = "" if answer["solved"] else "!"
    return mark + (duration(answer["seconds"]).replace(" ", "") if answer["seconds"] else "-")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", help="folder with lcp/ and fclib/")
    parser.add_argument("--worker", action="append", default=[], metavar="NAME=COMMAND", help="a solver")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds of processor time per problem")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--largest", type=int, default=1300, help="the most unknowns")
    parser.add_argument("--each", action="store_true", help="a line per problem on the standard error")
    parser.add_argument("--markdown", help="write the tables to this file too")
    parser.add_argument("--json", help="write every figure to this file")
    options = parser.parse_args()

    problems = load(options.cases, options.largest)
    if not problems:
        sys.exit(f"{options.cases}: no problems in lcp/ or fclib/")
    workers = []
    for name, _, command in (w.partition("=") for w in options.worker):
        worker = Worker(name, command.split())
        if worker.ready:
            workers.append(worker)
        else:
            print(f"skipped: {name} does not start", file=sys.stderr)
    if not any(w.name == OURS for w in workers):
        sys.exit("our own worker does not start")

    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for k, problem in enumerate(problems):
            if sys.stderr.isatty():
                print(f"\r{k + 1}/{len(problems)} {problem.name:50.50s}", end="", file=sys.stderr, flush=True)
            elif options.each:
                print(f"{k + 1}/{len(problems)} {problem.name}", file=sys.stderr, flush=True)
            results[problem.name] = race(workers, problem, options, folder)
    if sys.stderr.isatty():
        print("\r" + " " * 70 + "\r", end="", file=sys.stderr)
    for worker in workers:
        worker.stop()

    if options.each:
        listing(workers, problems, results)
    lines = report(workers, problems, results)
    print("\n".join(lines))
    if options.markdown:
        Path(options.markdown).write_text("\n".join(lines) + "\n")
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()

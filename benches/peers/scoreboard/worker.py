"""Runs one scene on one engine and prints what came of it as one JSON object: `worker.py ENGINE SCENE SECONDS`."""

import importlib
import json
import math
import resource
import sys
import time

from scenes import SCENES

MODULES = ["gudgeon_engine", "mujoco_engine", "drake_engine", "dart_engine", "bullet_engine", "rapier_engine", "pinocchio_engine"]
CHUNK = 50  # steps between looks at the clock
SHORT, REPEATS = 0.3, 5  # what took less processor time in all, s, is run again, so many times in all, and the least time counts


class Late(Exception):
    pass


class NotModelled(Exception):
    pass


class Runner:
    """Simulates worlds on an engine and counts processor time: of steps alone, not of making the world or of reading it."""

    def __init__(self, module, settings, seconds):
        self.module, self.settings, self.left = module, settings, seconds
        self.cpu, self.steps = 0.0, 0

    def __call__(self, world):
        refused = getattr(self.module, "refuses", lambda w: None)(world)
        if refused:
            raise NotModelled(refused)
        if hasattr(self.module, "simulate"):
            states, cpu, steps, late = self.module.simulate(world, self.settings, self.left - self.cpu)
            self.cpu, self.steps = self.cpu + cpu, self.steps + steps
            if late:
                raise Late
            return states
        engine, states, done = self.module.Engine(world, self.settings), [], 0
        for sample in world["samples"]:
            while done < sample:
                n = min(CHUNK, sample - done)
                at = time.process_time()
                engine.step(n)
                self.cpu += time.process_time() - at
                self.steps, done = self.steps + n, done + n
                if self.cpu > self.left:
                    raise Late
            states.append({name: [float(x) for x in s] for name, s in engine.states().items()})
        return states


def engines():
    """Every engine that can be had: its module, settings and how they are said."""
    found, missing = {}, {}
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            missing[name.removesuffix("_engine")] = str(error)
            continue
        for engine, (settings, said) in module.SETTINGS.items():
            found[engine] = (module, settings, said)
    return found, missing


def main():
    engine, scene, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    module = importlib.import_module(f"{engine.split('-')[0]}_engine")
    settings, _ = module.SETTINGS[engine]
    runner = Runner(module, settings, seconds)
    out = {"engine": engine, "scene": scene, "note": None}
    try:
        error = float(SCENES[scene]["run"](runner))
        if not math.isfinite(error):
            error, out["note"] = 1.0, "states were no numbers"
        out["error"] = min(error, 1.0)
    except Late:
        out["error"], out["note"] = None, f"not done in {seconds:.0f} s"
    except NotModelled as why:
        out["error"], out["note"] = None, str(why)
    except Exception as why:  # an engine that stops is a result
        out["error"], out["note"] = 1.0, f"stopped: {type(why).__name__}: {str(why).splitlines()[0] if str(why) else ''}"[:200]
    out["us_per_step"] = 1e6 * runner.cpu / runner.steps if runner.steps else None
    out["steps"] = runner.steps
    # a busy machine makes some runs longer and none shorter
    spent, repeats = runner.cpu, 1
    while out["note"] is None and 0 < spent < SHORT and repeats < REPEATS:
        again = Runner(module, settings, seconds)
        SCENES[scene]["run"](again)
        out["us_per_step"] = min(out["us_per_step"], 1e6 * again.cpu / again.steps)
        spent, repeats = spent + again.cpu, repeats + 1
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    out["seconds"] = time.process_time() + child.ru_utime + child.ru_stime
    print(json.dumps(out))


if __name__ == "__main__":
    main()

"""One environment, then sixteen on threads."""

import gymnasium
import numpy as np

import gudgeon.envs  # noqa: F401  registers gudgeon/...

env = gymnasium.make("gudgeon/PinchAndLift-v0", render_mode="rgb_array")
env.reset(seed=0)
done, k = False, 0
while not done:
    height = min(1.0, 0.03 * max(k - 40, 0) - 1.0)  # close the fingers first, then lift
    _, reward, terminated, truncated, info = env.step(np.array([height, 0.0]))
    done, k = info["is_success"] or truncated, k + 1
print(f"after {k} steps: height {info['height']:.3f} m, picture {env.render().shape}")
assert info["is_success"] and not terminated

many = gymnasium.make_vec("gudgeon/Humanoid-v0", num_envs=16, vectorization_mode="vector_entry_point")
many.reset(seed=0)
total = sum(many.step(many.action_space.sample())[1] for _ in range(20))
print("returns so far", total.round(1))

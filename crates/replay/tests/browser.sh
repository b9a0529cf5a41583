#!/usr/bin/env bash
# The player, recorded and live, in a real browser, the log with the format's own library, and the bundle against its source.
#
# Needs Chromium (GUDGEON_BROWSER, or on the path; with CI=true and as root it is installed from Debian's packages),
# Python 3 with venv, and a package index for Playwright. What cannot be had is skipped, by name.
#
# Some built-in scenes are simulated and shown; GUDGEON_SCENES=all takes every one.
set -euo pipefail
cd "$(dirname "$0")/../../.."
target=${CARGO_TARGET_DIR:-target}
work=$target/replay
mkdir -p "$work"
skip() { echo "skipped, $1: $2"; }

browser=${GUDGEON_BROWSER:-}
find_browser() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$browser" ] || browser=$(command -v "$name" || true)
  done
}
find_browser
if [ -z "$browser" ] && [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "no browser here; installing Debian's Chromium"
  { apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core; } > "$work/apt.log" 2>&1 ||
    tail -3 "$work/apt.log"
  find_browser
fi

# the bundle that is checked in is the one its source makes
if command -v npm > /dev/null; then
  rm -rf "$work/player" && mkdir -p "$work/player"
  cp -r crates/replay/player/{src,build.mjs,package.json,package-lock.json} "$work/player/"
  if (cd "$work/player" && npm ci --silent --no-audit --no-fund > npm.log 2>&1); then
    (cd "$work/player" && node build.mjs)
    cmp "$work/player/dist/player.js" crates/replay/player/dist/player.js ||
      { echo "player/dist/player.js is not what player/src makes: run npm ci && npm run build there" >&2; exit 1; }
  else
    skip "npm found no packages" "the bundle against its source"
  fi
else
  skip "no npm" "the bundle against its source"
fi

venv=$target/browser-venv
if ! "$venv/bin/python" -c 'import playwright, mcap' 2> /dev/null; then
  { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet playwright==1.65.0 mcap==1.6.0; } > "$work/pip.log" 2>&1 ||
    { tail -2 "$work/pip.log"; skip "no Playwright" "the player in a browser, the log with the mcap library"; exit 0; }
fi

cargo run --quiet -p gudgeon-replay --example synthetic -- "$work"
cargo build --quiet -p gudgeon-cli
"$target/debug/gudgeon" view "$work/bricks.gud" --mcap "$work/bricks.mcap" > /dev/null
"$venv/bin/python" crates/replay/tests/mcap_check.py "$work/bricks.mcap"

if [ -z "$browser" ]; then
  skip "no Chromium (install one, or name it in GUDGEON_BROWSER)" "the player in a browser, gudgeon view --png"
  exit 0
fi
GUDGEON_BROWSER=$browser "$target/debug/gudgeon" view "$work/bricks.gud" --png "$work/bricks.png" --at 0.5 --size 640x400
rm -rf "$work/scenes" && mkdir -p "$work/scenes"
scenes="squat wall ring push"
if [ "${GUDGEON_SCENES:-}" = all ]; then scenes=$("$target/debug/gudgeon" sim --list | sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p'); fi
for scene in $scenes; do
  # a fallback (1) or a breakdown (3) is the simulator's tests' business: what was recorded is shown
  duration=$([ "$scene" = squat ] && echo 10 || echo 0.5)
  "$target/debug/gudgeon" sim "$scene" --duration "$duration" --html "$work/scenes/$scene.html" > /dev/null ||
    echo "  $scene: exit code $?"
done
"$venv/bin/python" crates/replay/tests/browser.py "$browser" "$work"
mkdir -p "$work/live"
"$venv/bin/python" crates/live/tests/browser.py "$browser" "$target/debug/gudgeon" "$work/live"

#!/bin/sh
# Fails a build when a memory gets worse. Exit codes: 0 the gate holds, 1 it does not, 2 bad usage, 3 the run is invalid.
# The lower end of the interval is compared, so that luck with few questions does not pass.
set -eu
cd "$(dirname "$0")/.."

MEMSCOPE="${MEMSCOPE:-npx --no-install memscope}"
GATE="${GATE:-memfail/conditional-easy.evidence.low>=0.5}"

exec $MEMSCOPE run --system ./own-memory.ts --suite memfail/conditional-easy --k 5 --size quick \
  --junit "${REPORTS:-.}/memscope.xml" --md "${REPORTS:-.}/memscope.md" --fail-under "$GATE" "$@"

#!/bin/sh
# Writes reward.txt and judge.json. anneal-canary-54c4bd522a17b240
set -eu
cd /
verdict="${ANNEAL_VERDICT:-/logs/verifier}"
mkdir -p "$verdict"
exec "${ANNEAL_PYTHON:-python3}" -I "${ANNEAL_JUDGES:-/opt/judges}/run.py" "${ANNEAL_TESTS:-/tests}" \
  --workdir "${ANNEAL_WORKDIR:-/app}" --verdict "$verdict"

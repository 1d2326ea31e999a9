#!/bin/sh
# Writes reward.txt and judge.json. anneal-canary-fea8d2365a212e71
set -eu
cd /
verdict="${ANNEAL_VERDICT:-/logs/verifier}"
mkdir -p "$verdict"
exec "${ANNEAL_PYTHON:-python3}" -I "${ANNEAL_JUDGES:-/opt/judges}/run.py" "${ANNEAL_TESTS:-/tests}" \
  --workdir "${ANNEAL_WORKDIR:-/app}" --verdict "$verdict"

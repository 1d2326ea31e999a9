#!/bin/sh
# The reference solution. anneal-canary-cbdd5e9b151a714c
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

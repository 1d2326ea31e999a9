#!/bin/sh
# The reference solution. anneal-canary-54c4bd522a17b240
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

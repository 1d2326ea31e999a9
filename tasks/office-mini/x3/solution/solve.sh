#!/bin/sh
# The reference solution. anneal-canary-a31acc04dfb1b1d3
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

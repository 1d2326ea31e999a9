#!/bin/sh
# The reference solution. anneal-canary-dd66ef43b1384576
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

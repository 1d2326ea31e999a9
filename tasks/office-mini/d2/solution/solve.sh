#!/bin/sh
# The reference solution. anneal-canary-064befb24037b1d8
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

#!/bin/sh
# The reference solution. anneal-canary-393fd1bd95246bb4
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

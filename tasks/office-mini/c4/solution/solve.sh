#!/bin/sh
# The reference solution. anneal-canary-9f3fe7452c041143
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

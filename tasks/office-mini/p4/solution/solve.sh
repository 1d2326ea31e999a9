#!/bin/sh
# The reference solution. anneal-canary-9273b69740718058
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

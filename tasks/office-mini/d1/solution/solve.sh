#!/bin/sh
# The reference solution. anneal-canary-fea8d2365a212e71
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

#!/bin/sh
# The reference solution. anneal-canary-aef222bab3c22c4e
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

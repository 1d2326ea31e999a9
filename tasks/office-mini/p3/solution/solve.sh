#!/bin/sh
# The reference solution. anneal-canary-9eec0c7987c916c2
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

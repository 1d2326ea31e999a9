#!/bin/sh
# The reference solution. anneal-canary-a4cdd2bd51b4e179
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

#!/bin/sh
# The reference solution. anneal-canary-8a0c25a7b6a83cb2
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

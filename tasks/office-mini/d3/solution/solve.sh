#!/bin/sh
# The reference solution. anneal-canary-1a6f8043d4890475
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

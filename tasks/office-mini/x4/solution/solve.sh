#!/bin/sh
# The reference solution. anneal-canary-b556399b513934f8
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

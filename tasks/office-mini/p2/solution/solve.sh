#!/bin/sh
# The reference solution. anneal-canary-9a50319b34f63585
set -eu
cd /app
exec "${ANNEAL_PYTHON:-/opt/solver/bin/python}" "$(dirname "$0")/solve.py"

#!/bin/sh
# Compiles NAME.in to NAME.lock for every Python from 3.11 on; needs uv >= 0.13.
set -eu
cd "$(dirname "$0")"
unset PIP_FIND_LINKS PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX UV_FIND_LINKS || true
for name in solver runner tools; do
  set -- --universal --python-version 3.11 --generate-hashes --no-emit-package pip \
    --custom-compile-command python/lock.sh --output-file "$name.lock" --upgrade
  if [ -f "$name.exclude" ]; then set -- "$@" --excludes "$name.exclude"; fi
  uv pip compile --quiet "$@" "$name.in"
done

#!/usr/bin/env bash
# Gradescope runs this once, as root, while it builds the image: labkit is installed.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
source="$root/source"
home="$root/labkit"

# The versions below go with one Python; where the image has none such, uv brings it.
version="$(cat "$source/python_version.txt")"
is_it="import ensurepip, sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '$version')"
for python in "python$version" python3; do
  if "$python" -c "$is_it" 2>/dev/null && "$python" -m venv "$home"; then
    break
  fi
done
if [ ! -x "$home/bin/python" ]; then
  command -v pip3 >/dev/null || { apt-get update && apt-get install -y python3-pip; }
  pip3 install "uv>=0.13" || pip3 install --break-system-packages "uv>=0.13"
  UV_PYTHON_INSTALL_DIR="$root/python" \
    uv venv --clear --seed --managed-python --python "$version" "$home"
fi
"$home/bin/python" -m pip install -c "$source/constraints.txt" "$source"/labkit-*.whl
"$home/bin/python" -m labkit.cli doctor || true # for the log of the build

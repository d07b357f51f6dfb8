# SPDX-License-Identifier: Apache-2.0
# Sourced by the shell scripts beside it: repository root, progress lines, test data folder.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Says what is being done, with the seconds since the script began.
step() { printf '== [%4ds] %s\n' "$SECONDS" "$*"; }

die() {
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Sets and exports AXLE_TEST_DATA when the full test data is there; says so when it is not.
find_test_data() {
  local data=${AXLE_TEST_DATA:-$root/../shared/data}
  if [[ -d $data/jax ]]; then
    AXLE_TEST_DATA=$(cd "$data" && pwd)
    export AXLE_TEST_DATA
    step "Test data: $AXLE_TEST_DATA"
  else
    step "Test data is MISSING at $data: only tests/data is used." \
         "Set AXLE_TEST_DATA to the folder that holds jax/."
  fi
}

# Lets ccache share objects between clones that lie in different folders.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

#!/bin/sh
# ./install.sh DIR: installs Touchstone, wires DIR, stamps a first verdict, proves that the guard fires. Asks nothing.
set -eu

stop() {
  printf 'install.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

say() {
  printf '%s\n' "$1"
}

[ $# -eq 1 ] && [ -n "$1" ] || stop 'usage: ./install.sh DIR (the project to wire)' 2
case $1 in -h | --help)
  say 'usage: ./install.sh DIR (the project to wire)'
  exit 0
  ;;
esac
[ -d "$1" ] || stop "$1: no such folder; name the project to wire" 2

command -v node >/dev/null 2>&1 || stop 'node is missing: install node 20.16 or newer'
command -v git >/dev/null 2>&1 || stop 'git is missing: install it'
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 16) ? 0 : 1)' ||
  stop "node $(node -v) is too old: install node 20.16 or newer"

# `cd -P` in a subshell: both names stay right wherever this is called from, and with spaces in them.
project=$(CDPATH='' cd -P -- "$1" && pwd)
here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd)
cli=$here/dist/cli.cjs

say "node $(node -v), $(git --version)"

# A packed installation brings dist and has no sources; a checkout builds its own, so that it is never out of date.
if [ -f "$here/build.mjs" ] && [ -f "$here/package-lock.json" ]; then
  say 'Installing and building ...'
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! (cd -- "$here" && npm ci --include=dev --no-audit --no-fund && npm run build) >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    stop "the build in $here failed; the last lines are above"
  fi
fi
[ -f "$cli" ] || stop "$cli is missing: this is neither a checkout nor a packed installation"

say ''
node "$cli" init "$project" || stop "wiring $project failed" $?

say ''
say 'First verdict:'
if (cd -- "$project" && node "$cli" verify); then
  verdict=PASS
else
  # The suite is as it is: a FAIL is a true first verdict and no fault of the installation.
  verdict=FAIL
fi

say ''
say 'Does the guard fire?'
(cd -- "$project" && node "$cli" doctor --only wiring files hooks-fire disabled settings) ||
  stop "the hooks wired in $project do not hold; see above and run: node \"$cli\" doctor"

say ''
say "Done. $project is wired; a forged verdict was refused by the hooks as configured; first verdict: $verdict."
say "Start the client in $project. See where things stand:  node \"$cli\" status"
say "Take it out again:                                     node \"$cli\" uninstall \"$project\""

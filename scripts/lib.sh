# Shared by the scripts: sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# As in the Makefile, for scripts that are run by themselves.
export GOFLAGS="${GOFLAGS:--buildvcs=false -trimpath}" CGO_ENABLED="${CGO_ENABLED:-0}"

say() { printf '\n== %s\n' "$*"; }

# need COMMAND PACKAGE...: ensures that a program exists, installing Debian packages if permitted.
need() {
	local program=$1
	shift
	if [ -x "$program" ] || command -v "$program" >/dev/null 2>&1; then return; fi
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		say "installing $*"
		apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
		return
	fi
	echo "The tests need $program. Please install it (on Debian: apt-get install $*) and run again." >&2
	exit 1
}

# need_browser: ensures that a Chromium for the journeys exists, if possible the headless shell, which takes less time.
need_browser() {
	if [ "$(id -u)" = 0 ] && (need chromium-headless-shell chromium-headless-shell); then return; fi
	need chromium chromium
}

# need_pgbouncer: ensures that PgBouncer exists. Debian's is not on everybody's PATH.
need_pgbouncer() { [ -x /usr/sbin/pgbouncer ] || need pgbouncer pgbouncer; }

# need_haproxy: ensures that HAProxy exists. Debian's is not on everybody's PATH.
need_haproxy() { [ -x /usr/sbin/haproxy ] || need haproxy haproxy; }

# need_postgres: ensures that the programs of a PostgreSQL server exist. Debian's are not on the PATH.
need_postgres() { ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need initdb postgresql; }

# fingerprint PATH...: a hash of the files below the paths, ignored files excluded.
fingerprint() {
	git ls-files -z --cached --others --exclude-standard -- "$@" | sort -z | xargs -0 sha256sum 2>/dev/null | sha256sum | cut -d' ' -f1
}

# memory_for_tests: if there is plenty of memory, puts temporary files into it, and lets the compiler and the tests collect
# garbage less often. The tests create hundreds of databases, and waiting for a disk proves nothing. The caller deletes the
# folder, $memory, when it ends.
memory_for_tests() {
	local free available memory_limit
	free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1) || return 0
	available=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
	memory_limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
	if [ "$memory_limit" != max ] && [ "$memory_limit" -lt 12000000000 ]; then return 0; fi
	if [ "${free:-0}" -lt 8000000 ] || [ "${available:-0}" -lt 12000000 ]; then return 0; fi
	export GOGC=400
	# What runs that were killed have left.
	find /dev/shm -maxdepth 1 -name 'pantheon-tests-*' -mmin +180 -exec rm -rf {} +
	memory=$(mktemp -d /dev/shm/pantheon-tests-XXXXXX)
	chmod 1777 "$memory" # PostgreSQL runs as another user
	# `go test` runs its programs there, which containers' /dev/shm may not allow.
	printf '#!/bin/sh\n' >"$memory/program"
	chmod +x "$memory/program"
	if "$memory/program" 2>/dev/null; then export TMPDIR=$memory; fi
}

# link: the flags of `go test` with which test programs are linked without debug information, in half the time.
link=(-ldflags=-w)
# race: the flags of `go test` with the race detector. Pure computation is not instrumented: it shares no memory between
# goroutines, and instrumented it takes several times as long. That is the chain's virtual machine, hashes, signatures,
# compression, text, and modernc.org's SQLite, C translated to Go with its own memory. encoding/json is instrumented: it reads
# memory of ours.
race=(-race "${link[@]}")
for package in \
	modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory \
	github.com/ethereum/go-ethereum/{core/vm/...,crypto/...,rlp} github.com/holiman/uint256 \
	github.com/decred/dcrd/dcrec/secp256k1/v4/... golang.org/x/crypto/{sha3,argon2,blake2b} compress/flate \
	encoding/{base64,hex} golang.org/x/net/html/... strconv unicode/...; do
	race+=("-gcflags=$package=-race=false -d=checkptr=0")
done
# By default a program with the race detector sleeps for a second before it exits, to catch races of goroutines that are
# still running. The tests fail on leaked goroutines anyway.
export GORACE=atexit_sleep_ms=0

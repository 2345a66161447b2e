#!/bin/sh
# tests/install/run.sh MPI BUILD [MPI BUILD]: installs one build, or one for each MPI into the same
# prefix, moves the prefix, and builds and runs programs against it. Exit code 0: all is well.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"

fail() {
  echo "failed: $*" >&2
  exit 1
}
# quietly COMMAND...: shows what it prints only if it fails.
quietly() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$*"; }
}
# sum_of_two MPI COMMAND...: two ranks must print their sum.
sum_of_two() {
  mpi=$1
  shift
  case $mpi in openmpi) options=--oversubscribe ;; *) options= ;; esac
  # shellcheck disable=SC2086 # a word or none
  text=$("mpirun.$mpi" $options -n 2 "$@") || fail "$mpi: $*"
  [ "$text" = "the sum is 3" ] || fail "$mpi: $* printed '$text'"
}

[ $# -gt 0 ] && [ $(($# % 2)) -eq 0 ] || fail "usage: run.sh MPI BUILD [MPI BUILD]"
command -v pkg-config >/dev/null || fail "no pkg-config: install pkgconf"
mpis=
while [ $# -gt 0 ]; do
  quietly cmake --install "$2" --prefix "$work/first"
  mpis="$mpis $1"
  shift 2
done
[ -d "$work/first" ] || fail "nothing was installed"
mv "$work/first" "$prefix"
[ -z "$(find "$prefix" -name '*.a')" ] || fail "a static library is installed"
if grep -rIl "$work/first" "$prefix" >&2; then fail "these files know where they were installed"; fi
quietly "$prefix/bin/tutti" list
# Made only where help2man is.
if command -v help2man >/dev/null; then
  for page in man1/tutti.1 man1/tutti-run.1 man7/tutti-environment.7; do
    [ -f "$prefix/share/man/$page" ] || fail "no $page is installed"
  done
fi

configure() {
  cmake -S "$here" -B "$work/$1" -DCMAKE_PREFIX_PATH="$prefix" -DMPI="$2"
}
for mpi in $mpis; do
  quietly configure "$mpi" "$mpi"
  quietly cmake --build "$work/$mpi"
  for program in in_cpp in_c in_nx; do
    ldd "$work/$mpi/$program" | grep -q "$prefix/lib/tutti/$mpi/libtutti.so" ||
      fail "$mpi: $program does not use the installed library"
    sum_of_two "$mpi" "$work/$mpi/$program"
  done

  flags=$(pkg-config --cflags --libs "tutti-$mpi") || fail "no tutti-$mpi.pc"
  # shellcheck disable=SC2086 # a list of words
  {
    quietly c++ -std=c++20 "$here/main.cpp" -o "$work/pc_cpp" $flags
    quietly cc "$here/main.c" -o "$work/pc_c" $flags
    quietly cc "$here/nx.c" -o "$work/pc_nx" -ltutti-icc $flags
  }
  sum_of_two "$mpi" "$work/pc_cpp"
  sum_of_two "$mpi" "$work/pc_c"
  sum_of_two "$mpi" "$work/pc_nx"

  # The command finds the drop-in beside it.
  sum_of_two "$mpi" "$prefix/bin/tutti" run --explain="$work/calls.json" -- "$work/pc_c"
  grep -q barrier "$work/calls.json" || fail "$mpi: the drop-in did not see the barrier"
  rm "$work/calls.json"
  # The one for BLACS finds its library there, too.
  sum_of_two "$mpi" "$prefix/bin/tutti" run --blacs -- "$work/pc_c"
  ldd "$prefix/lib/tutti/$mpi/libtutti-blacs.so" | grep -q "$prefix/lib/tutti/$mpi/libtutti.so" ||
    fail "$mpi: the drop-in for BLACS does not use the installed library"
done

# Without a component the choice must be clear.
# shellcheck disable=SC2086 # a list of words
set -- $mpis
if [ $# -eq 1 ]; then
  quietly configure any ""
else
  ! configure any "" >"$work/log" 2>&1 || fail "two MPIs and no component, but a package was found"
  tr -s ' \n' ' ' <"$work/log" | grep -q "name one" || fail "two MPIs: no word about what to do"
fi
! configure other nosuchmpi >"$work/log" 2>&1 || fail "a package was found for no MPI"
echo "installed for$mpis: cmake, pkg-config and the command work"

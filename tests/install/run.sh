#!/bin/sh
# tests/install/run.sh MPI BUILD [MPI BUILD]: installs one build, or one for each MPI into the same
# prefix, moves the prefix, and builds and runs programs against it. Exit code 0: all is well.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

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
# Where a distribution has its libraries: lib, lib64 or lib/x86_64-linux-gnu, as the build was told.
lib=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$2/CMakeCache.txt")
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:[A-Z]*=//p' "$2/CMakeCache.txt")
[ -n "$lib" ] && [ -n "$version" ] || fail "$2/CMakeCache.txt tells neither CMAKE_INSTALL_LIBDIR nor the version"
export PKG_CONFIG_PATH="$prefix/$lib/pkgconfig"
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
[ "$("$prefix/bin/tutti" --version)" = "tutti $version" ] || fail "tutti --version does not say $version"
cmp "$here/../../LICENSE" "$prefix/share/doc/tutti/LICENSE" || fail "no licence is installed"
# What the headers declare, and nothing else, is exported as the interface.
declared=$(sed -n 's/^[a-z].*[ *]\(tutti_[a-z_]*\)(.*/\1/p' "$prefix"/include/tutti/tutti.h \
  "$prefix"/include/tutti/version.h | sort)
[ -n "$declared" ] || fail "the headers declare nothing: has their form changed?"
# exported LIBRARY: its functions, as NAME@@NODE or, in no node, as NAME.
exported() { nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }'; }
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
    ldd "$work/$mpi/$program" | grep -q "$prefix/$lib/tutti/$mpi/libtutti.so" ||
      fail "$mpi: $program does not use the installed library"
    sum_of_two "$mpi" "$work/$mpi/$program"
  done

  for library in "$prefix/$lib/tutti/$mpi/libtutti.so" "$prefix/$lib/tutti/$mpi/libtutti-preload.so"; do
    # Calls with large counts are there only where the MPI has them.
    public=$(exported "$library" | sed -n 's/@@TUTTI_0.1$//p' | sort)
    if echo "$public" | grep -Fxvq "$declared"; then fail "$library exports what no header declares"; fi
    [ "$(echo "$declared" | grep -v '_c$')" = "$(echo "$public" | grep -v '_c$')" ] ||
      fail "$library does not export all that headers declare"
    other=$(exported "$library" | grep -v '^tutti_[a-z_]*@@TUTTI_\(0.1\|PRIVATE\)$' || true)
    case $library in *-preload.so) other=$(echo "$other" | grep -v '^P\?MPI_[A-Z][A-Za-z_]*$' || true) ;; esac
    [ -z "$other" ] || fail "$library exports $other"
  done

  [ "$(pkg-config --modversion "tutti-$mpi")" = "$version" ] || fail "tutti-$mpi.pc does not say $version"
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
  ldd "$prefix/$lib/tutti/$mpi/libtutti-blacs.so" | grep -q "$prefix/$lib/tutti/$mpi/libtutti.so" ||
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

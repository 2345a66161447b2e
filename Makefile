# The front door: each target installs what it needs and can be run again at any time.

JOBS ?= $(shell nproc)
MINUTES ?= 10
SOURCES = $(shell find include src tests bench examples -name '*.[ch]pp' -o -name '*.[ch]')
# Compiling again what ccache has seen is free; so is doing without it.
LAUNCHER = $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
# The MPIs' builds share what knows no MPI, and so do clones: paths count from the repository.
export CCACHE_BASEDIR = $(CURDIR)
export CCACHE_NOHASHDIR = 1
PRESETS = core openmpi mpich smpi

.DEFAULT_GOAL = help
.PHONY: help packages build demo test bench evidence-core evidence-drop-in evidence-measure \
        evidence-node evidence-grids evidence-choose evidence-look evidence-house \
        evidence-programs page asan tsan \
        valgrind soak format check-format tidy docs photographs clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{printf "make %-17s %s\n", $$1, $$2}'

packages:
	@tools/install-packages

build: packages ## Build the command, the libraries for all MPIs, the tests and the benchmarks
	@for preset in $(PRESETS); do tools/build $$preset "$(JOBS)" $(LAUNCHER) || exit; done

demo: packages ## Build what it takes, run an MPI program with and without Tutti, and see why
	@tools/build openmpi "$(JOBS)" -t tutti -t tutti_preload $(LAUNCHER)
	@tools/demo

test: build check-format ## Build, check the formatting, run every test
	@tools/run-tests "$(JOBS)" $(PRESETS)

bench: build ## Measure Tutti and the MPIs' own collectives on all beds, in a quarter of an hour
	@tools/bench

evidence-core: build ## Every promise of the core with its figure and threshold
	@tests/evidence/core

evidence-drop-in: build ## Every promise of the drop-in with its figure and threshold
	@tools/build openmpi-asan "$(JOBS)" $(LAUNCHER)
	@tools/build mpich-asan "$(JOBS)" $(LAUNCHER)
	@tests/evidence/drop-in

evidence-measure: build ## Every promise of the benchmark and its beds with its figure and threshold
	@tests/evidence/measure

evidence-node: build ## Every promise of the algorithms that know nodes with its figure and threshold
	@tests/evidence/node

evidence-grids: build ## Every promise of meshes, grids and the BLACS drop-in with its figure and threshold
	@tests/evidence/grids

evidence-choose: build ## Every promise of the choice of algorithms with its figure and threshold
	@tests/evidence/choose

evidence-look: build ## Every promise of the pages with its figure and threshold
	@tests/evidence/look

evidence-house: packages ## Every promise of how the sources are built with its figure and threshold
	@tests/evidence/house

evidence-programs: build ## Every promise about whole programs with its figure and threshold
	@tests/evidence/programs

page: packages ## Build web/dist/report.html, the page of tutti report, from web/src
	@cd web && npm ci --no-audit --no-fund --silent && npm run --silent check && npm run --silent build

asan: packages ## Tests under the address and undefined-behaviour sanitizers
	@for preset in asan openmpi-asan mpich-asan; do tools/build $$preset "$(JOBS)" $(LAUNCHER) || exit; done
	@tools/run-tests "$(JOBS)" asan openmpi-asan mpich-asan

tsan: packages ## Tests that use threads under the thread sanitizer
	@tools/build tsan "$(JOBS)" $(LAUNCHER)
	@ctest --preset tsan -j $(JOBS) -R '^(cli|examples)\.'

valgrind: build ## Random calls under valgrind, on both MPIs
	@for mpi in openmpi mpich; do \
	  tests/mpi/run.py --mpi $$mpi --build build/$$mpi --only valgrind || exit; done

soak: packages ## Random collectives on twelve ranks for MINUTES=10, no hang, no wrong result
	@tools/build openmpi "$(JOBS)" $(LAUNCHER)
	@tools/soak --minutes $(MINUTES)

format: packages ## Format every source
	@clang-format -i $(SOURCES)

check-format: packages
	@clang-format --dry-run -Werror $(SOURCES)

tidy: packages ## clang-tidy over every source; .clang-tidy says what is looked for
	@tools/build openmpi-asan "$(JOBS)" -t tutti_commit
	@run-clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -j "$(JOBS)" -p build/openmpi-asan "$(CURDIR)/src/.*[.]cpp"

docs: packages ## Write the generated documents and the gallery again; man pages and API reference into build/docs
	@tools/build core "$(JOBS)" $(LAUNCHER)
	@tools/make-docs

photographs: build ## Take the gallery's photographs of pages again, from runs made now
	@tools/make-photographs

clean: ## Remove all that was built
	rm -rf build

# The front door: each target installs what it needs and can be run again at any time.

JOBS ?= $(shell nproc)
TUTTI = build/core/bin/tutti
SOURCES = $(shell find src tests bench examples -name '*.[ch]pp')
# Compiling again what ccache has seen is free; so is doing without it.
LAUNCHER = $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

.DEFAULT_GOAL = help
.PHONY: help packages build demo test evidence-core asan tsan format check-format docs clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{printf "make %-15s %s\n", $$1, $$2}'

packages:
	@tools/install-packages

build: packages ## Build the command, the tests and the benchmark
	@tools/build core "$(JOBS)" $(LAUNCHER)

demo: build ## Build, then see the main things work in a minute
	@tools/demo

test: build check-format ## Build, check the formatting, run every test
	@ctest --preset core -j $(JOBS)

evidence-core: build ## Every promise of the core with its figure and threshold
	@tools/evidence-core

asan: packages ## Tests under the address and undefined-behaviour sanitizers
	@tools/build asan "$(JOBS)" $(LAUNCHER)
	@ctest --preset asan -j $(JOBS)

tsan: packages ## Tests that use threads under the thread sanitizer
	@tools/build tsan "$(JOBS)" $(LAUNCHER)
	@ctest --preset tsan -j $(JOBS) -R '^(cli|examples)\.'

format: packages ## Format every source
	@clang-format -i $(SOURCES)

check-format: packages
	@clang-format --dry-run -Werror $(SOURCES)

docs: build ## Write docs/algorithms.md and the pictures of docs/gallery again
	@tools/make-docs

clean: ## Remove all that was built
	rm -rf build

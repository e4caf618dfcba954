# Pantheon. `make run` and `make test` are all there is to set up: they install and build what they need.

SHELL := /bin/bash
export GOFLAGS ?= -buildvcs=false
TOOLS := $(CURDIR)/.tools

.PHONY: run test prove test-quick bench lint generate build web contracts node_modules playfab woocommerce beacon lighthouse indexing clean

## run: install, build and start the portal with everything embedded, on http://localhost:8080
run: build
	@exec bin/pantheon dev

## build: the one binary, with contracts and site in it
build: contracts web
	go build -o bin/pantheon ./cmd/pantheon

node_modules: node_modules/.package-lock.json
node_modules/.package-lock.json: package.json package-lock.json web/package.json contracts/package.json
	npm ci --no-audit --no-fund
	@touch $@

# Clients that tests and benchmarks use, with lock files of their own.
playfab: test/contract/playfab/node_modules/.package-lock.json
woocommerce: test/contract/woocommerce/node_modules/.package-lock.json
beacon: test/contract/beacon/node_modules/.package-lock.json
lighthouse: test/lighthouse/node_modules/.package-lock.json
indexing: test/indexing/node_modules/.package-lock.json
test/%/node_modules/.package-lock.json: test/%/package.json test/%/package-lock.json
	npm ci --prefix test/$* --ignore-scripts --loglevel error
	@touch $@

## contracts: compile the contracts into internal/chain/contracts/artifacts (skipped when nothing changed)
contracts: node_modules
	npm run --silent build --workspace contracts

## web: build the site into internal/site/dist (skipped when nothing changed)
web: node_modules
	scripts/build-web

## test: everything: Go on both databases with -race, web unit tests, contract tests, browser journeys; proofs that take more
## than 20 s, as those of races and crashes, with fewer rounds
test:
	scripts/test all

## prove: the same with every proof in full
prove:
	scripts/test prove

## test-quick: Go tests without -race and browsers, and the web unit tests
test-quick: 
	scripts/test quick

## bench: the figures of docs/benchmarks.md
bench: build lighthouse indexing
	scripts/bench

## lint: vet, staticcheck, formatting, tsc, biome, and that generated files are up to date and every lock file can be installed
lint: node_modules playfab woocommerce beacon lighthouse indexing contracts
	scripts/lint

## generate: the files that are generated and committed: SQL code, contract bindings, API contract and its types, README
## tables, the site's collections and numbers of rules
generate: node_modules contracts
	scripts/generate

clean:
	rm -rf bin data internal/site/dist/* web/build
	git checkout -q internal/site/dist/README.md

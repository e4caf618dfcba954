# Pantheon. `make run` and `make test` are all there is to set up: they install and build what they need. `make help` lists the
# targets by the comments that begin with ##.

SHELL := /bin/bash
# Programs are static, and the same wherever they are built: without C, and without the builder's paths.
export GOFLAGS ?= -buildvcs=false -trimpath
export CGO_ENABLED ?= 0
VERSION_PACKAGE := pantheon/internal/kit/version
# A release is built from its tag, v0.1.0; VERSION and COMMIT say so where there is no git.
VERSION ?= $(shell git describe --tags --exact-match --match 'v*' 2>/dev/null | sed s/^v//)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -X $(VERSION_PACKAGE).tag=$(VERSION) -X $(VERSION_PACKAGE).commit=$(COMMIT)
TOOLS := $(CURDIR)/.tools

.PHONY: run server image deb test prove test-quick bench lint generate build web contracts node_modules playfab woocommerce beacon anvil alto lighthouse indexing clean help

## run: install, build and start the portal with everything embedded, on http://localhost:8080
run: build
	@exec bin/pantheon dev

## build: the one binary, with contracts, site and brand in it; BRAND=folder for another brand than brands/pantheon
build: contracts web
	go build -ldflags "$(LDFLAGS)" -o bin/pantheon ./cmd/pantheon
	@bin/pantheon brand check

## server: bin/pantheon-server, the binary without "pantheon dev" and the development chains
server: contracts web
	go build -tags nodev -ldflags "-s -w -buildid= $(LDFLAGS)" -o bin/pantheon-server ./cmd/pantheon
	@bin/pantheon-server brand check

## image: the image of bin/pantheon-server, pantheon:VERSION, in the storage of buildah and podman
image: server
	VERSION="$(VERSION)" COMMIT="$(COMMIT)" scripts/image

## deb: the Debian package of bin/pantheon-server, in the folder release
deb: server
	VERSION="$(VERSION)" scripts/deb

node_modules: node_modules/.package-lock.json
node_modules/.package-lock.json: package.json package-lock.json web/package.json contracts/package.json
	npm ci --no-audit --no-fund
	@touch $@

# Clients that tests and benchmarks use, with lock files of their own.
playfab: test/contract/playfab/node_modules/.package-lock.json
woocommerce: test/contract/woocommerce/node_modules/.package-lock.json
beacon: test/contract/beacon/node_modules/.package-lock.json
anvil: test/anvil/node_modules/.package-lock.json
alto: test/alto/node_modules/.package-lock.json
lighthouse: test/lighthouse/node_modules/.package-lock.json
indexing: test/indexing/node_modules/.package-lock.json
test/%/node_modules/.package-lock.json: test/%/package.json test/%/package-lock.json
	npm ci --prefix test/$* --ignore-scripts --loglevel error
	@touch $@

## contracts: compile the contracts into internal/chain/contracts/artifacts (skipped when nothing changed)
contracts: node_modules
	npm run --silent build --workspace contracts

## web: build the site and the console into internal/site (skipped when nothing changed)
web: node_modules
	scripts/build-web

## test: everything: Go on both databases with -race, web, vendors' clients, crashes, browsers; long proofs with fewer rounds
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

## lint: formatting, vet, staticcheck, tsc, biome, generated files, lock files
lint: node_modules playfab woocommerce beacon anvil lighthouse indexing contracts
	scripts/lint

## generate: the generated files that are committed; .gitattributes lists them
generate: node_modules contracts
	scripts/generate

## clean: remove builds and the development data
clean:
	rm -rf bin data internal/site/dist/* internal/site/console/* internal/brand/files/* web/brand web/build
	git checkout -q internal/site/dist/README.md internal/site/console/README.md internal/brand/files/README.md

## help: list these targets
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "%-12s %s\n", $$1, $$2 }'

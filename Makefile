# Greenroom. `make run` serves it, `make test` proves it; both need only Go 1.26, Node 20 and make.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
export GOTOOLCHAIN := local
# One set of flags for builds and tests, so that they share the compiler's cache.
export GOFLAGS := -buildvcs=false -trimpath

# The linter keeps file names in its cache: shared with another checkout, it would judge files by paths that are gone.
export GOLANGCI_LINT_CACHE := $(CURDIR)/bin/cache/golangci-lint

version := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
tools := bin/tools
golangci := $(tools)/golangci-lint-2.12.2
pebble := $(tools)/pebble-2.10.1
storage := $(tools)/versitygw-1.8.0
shipping := $(tools)/litestream-0.5.17
pieces := $(tools)/tusd-2.9.2

.PHONY: run build release dev test check bench faults supply tools clean test-go test-web test-e2e test-film fuzz screens

run: build ## serve http://localhost:8080 with data in ./data
	bin/greenroom serve

build: bin/greenroom ## bin/greenroom, one static file with the app inside

bin/greenroom: FORCE web/dist/client/index.html
	CGO_ENABLED=0 go build -ldflags "-s -w -X main.version=$(version)" -o $@ ./cmd/greenroom
	@go run ./deploy/sbom $@ web/package-lock.json > $@.cdx.json

.PHONY: FORCE
FORCE:

release: web/dist/client/index.html ## bin/release: an archive for each system, and their hashes; the same source gives the same bytes
	VERSION=$(version) deploy/release

web_sources := $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' 2>/dev/null)

web/dist/client/index.html: $(web_sources) web/node_modules/.installed
	cd web && npm run build
	@touch $@

# Not `npm ci`: it refuses a lock file in which the optional builds for other systems are missing, and not every
# registry carries those. The versions and hashes are the lock file's all the same.
%/node_modules/.installed: %/package.json %/package-lock.json
	cd $* && npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

dev: web/node_modules/.installed ## the app with hot reload, proxied to the server
	deploy/dev

# One job's waiting is another's time. What takes long to build comes before them.
test: tools build $(golangci) $(pebble) ## everything, on both databases and in a real browser
	$(MAKE) -j3 --output-sync check test-web test-go
	$(MAKE) test-e2e
	@echo "make test: checks, Go on SQLite and PostgreSQL, the official clients, the app and the browser all passed"

check: $(golangci) web/dist/client/index.html e2e/node_modules/.installed ## format, lint, types
	$(golangci) run --allow-parallel-runners ./...
	go mod verify >/dev/null
	cd web && npm run check
	cd e2e && npm run check

test-go: build contract/node_modules/.installed $(pebble) ## Go packages on both databases, and the official clients against them
	go test -count=1 -timeout 20m ./...
	deploy/fuzz 10s internal/rest/fuzz_query_test.go

test-web: web/dist/client/index.html ## the app's own tests and byte budgets
	cd web && npm test && npm run budget

test-e2e: build e2e/node_modules/.installed ## the built binary in Chromium
	go build -o bin/cluster ./e2e/cluster
	cd e2e && npm test

test-film: build e2e/node_modules/.installed ## two minutes of film, from an upload that is cut to a learner at three speeds; LOOK=folder keeps pictures
	cd e2e && FILM_SECONDS=120 npx playwright test --project=sqlite video.spec.ts

FUZZTIME ?= 10s
fuzz: ## every parser, FUZZTIME each
	deploy/fuzz $(FUZZTIME) internal

bench: build bench/node_modules/.installed ## benchmarks; figures in docs/performance.md (GROWTH=all: with millions of rows)
	GROWTH=$(GROWTH) bench/run

MUTATE ?= 10m
faults: build $(pebble) $(storage) $(shipping) $(pieces) e2e/node_modules/.installed ## the long fault and fuzz runs
	deploy/tools faults
	rm -f bin/faults.txt
	FAULTS_SUMMARY=$(CURDIR)/bin/faults.txt go test -count=1 -tags faults -timeout 60m ./...
	cd e2e && E2E=all npx playwright test --project=phone
	$(MAKE) fuzz FUZZTIME=30s
	go run ./deploy/mutate -for $(MUTATE) | tee bin/mutate.txt
	@sort bin/faults.txt

supply: build ## what the binary is made of: reproducible, pinned, without known holes
	deploy/supply

tools: e2e/node_modules/.installed $(pebble) ## what the tests need of the machine: Chromium and PostgreSQL
	deploy/tools

$(golangci):
	@mkdir -p $(tools)
	GOBIN=$(abspath $(tools))/new go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2
	mv $(tools)/new/golangci-lint $@

# The certificate authority that the tests ask, and the name server that it asks.
$(pebble):
	@mkdir -p $(tools)
	GOBIN=$(abspath $(tools))/new go install github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1 \
		github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv@v2.10.1
	mv $(tools)/new/pebble-challtestsrv $(tools)/pebble-challtestsrv-2.10.1
	mv $(tools)/new/pebble $@

# The storage that backups are sent to in the long runs.
$(storage):
	@mkdir -p $(tools)
	GOBIN=$(abspath $(tools))/new go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
	mv $(tools)/new/versitygw $@

# Those who wrote the protocol of uploads in pieces down. Its list of versions cannot be had everywhere, which 'go install' asks for.
$(pieces): $(wildcard cmd/greenroom/testdata/tusd/*)
	@mkdir -p $(tools)/new/tusd
	cp cmd/greenroom/testdata/tusd/go.* $(tools)/new/tusd/
	cp cmd/greenroom/testdata/tusd/main.go.txt $(tools)/new/tusd/main.go
	cd $(tools)/new/tusd && go build -o $(abspath $@) .

# What copies SQLite's log away while it is written.
$(shipping):
	@mkdir -p $(tools)
	GOBIN=$(abspath $(tools))/new go install github.com/benbjohnson/litestream/cmd/litestream@v0.5.17
	mv $(tools)/new/litestream $@

screens: build e2e/node_modules/.installed ## the pictures of docs/screens anew
	deploy/screens

clean:
	rm -rf bin web/dist/client web/dist/server

#!/bin/sh
# Stands in for go where a test is about everything around the build. Notes down what it builds in $STUB/built.
case "$1" in
version) echo "go version ${STUB_VERSION:-go1.26.0} linux/amd64" ;;
env) echo local ;;
mod)
  mkdir -p "$STUB/module/core/config/crd"
  printf 'module example\n\ngo 1.26.0\n' > "$STUB/module/go.mod"
  echo "kind: CustomResourceDefinition" > "$STUB/module/core/config/crd/one.yaml"
  chmod -R a-w "$STUB/module/core"
  echo "{\"GoMod\": \"$STUB/module/go.mod\", \"Dir\": \"$STUB/module\"}"
  ;;
list) printf 'one\ntwo\n' ;;
build)
  while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
  echo "building ${out##*/}" >> "$STUB/built"
  if [ -e "$STUB/refuse" ]; then echo "one.go:1: it does not compile" >&2; exit 1; fi
  if [ -e "$STUB/hang" ]; then exec sleep 60; fi
  sleep 0.1
  echo program > "$out"
  ;;
esac

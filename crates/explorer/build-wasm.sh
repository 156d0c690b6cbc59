#!/usr/bin/env bash
# Builds `explorer.wasm` from the references, and writes the hashes of what it was built from beside it. Both are
# checked in, because most machines lack the target: `rustup target add wasm32-unknown-unknown`.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$(mktemp -d)
trap 'rm -rf "$target"' EXIT

# Paths of this machine would make the module differ from machine to machine.
export RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo --remap-path-prefix=$(rustc --print sysroot)=rust"
cargo rustc --profile wasm --locked --package grader-explorer-wasm --lib --crate-type cdylib \
  --target wasm32-unknown-unknown --target-dir "${EXPLORER_TARGET_DIR:-$target}"
cp "${EXPLORER_TARGET_DIR:-$target}/wasm32-unknown-unknown/wasm/grader_explorer_wasm.wasm" crates/explorer/explorer.wasm

# The command lines of the references are not in the module.
find crates/explorer-wasm/src reference/{annealing,count,gray-code,hanoi,local-search,polynomial}/src -name '*.rs' \
  ! -name main.rs ! -name program.rs | LC_ALL=C sort | xargs sha256sum > crates/explorer/explorer.wasm.sources
# Another compiler makes other bytes.
rustc --version >> crates/explorer/explorer.wasm.sources
wc -c crates/explorer/explorer.wasm

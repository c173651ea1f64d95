#!/bin/sh
# Compiles and runs the self-check of every sample with g++ (or $CXX).
cd "$(dirname "$0")" || exit 1
build=$(mktemp -d) || exit 1
trap 'rm -rf "$build"' EXIT
failed=0
for check in */check.cpp; do
    name=$(dirname "$check")
    "${CXX:-g++}" -O1 -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-label -I"$name" -Icheck-support "$check" "$name/$name.cpp" -o "$build/$name" \
        && "$build/$name" || failed=1
done
exit $failed

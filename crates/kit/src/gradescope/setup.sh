#!/bin/sh
# Prepares a container of Gradescope for grading, once, when the bundle is uploaded. Runs as root.
# Written by `grader bundle --gradescope`.
set -eu

export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends PACKAGES

source=${AUTOGRADER_ROOT:-/autograder}/source
chmod 755 "$source/grader" "$source/run_autograder"
# A grader that was built for another system shows here, not when the first student submits.
"$source/grader" --version
# What this container can do for isolation, for the log.
"$source/grader" doctor || true

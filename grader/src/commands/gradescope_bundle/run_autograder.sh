#!/bin/sh
# Grades one submission in a container of Gradescope. Runs as root.
# Written by `grader gradescope-bundle`.
#
# What is written to standard output and error here is for instructors.

root=${AUTOGRADER_ROOT:-/autograder}
results=$root/results/results.json
mkdir -p "$root/results"

# This stands until there are results, and stays when the grader fails or is stopped. It holds no score on purpose:
# Gradescope then reports a failure of the autograder, where a 0 would look like a grade.
cat > "$results" <<'END'
{
  "output": "The grader failed, so this submission has no score. That is no fault of yours; your instructors can see the cause.",
  "output_format": "text",
  "stdout_visibility": "hidden",
  "tests": []
}
END

"$root/source/grader" grade "$root/submission" \
  --assignment "$root/source/assignment" \
  --layout one --no-ledger --isolation best \
  --format gradescope --output "$results" 2>&1
status=$?

if [ "$status" -ne 0 ]; then
  echo "grader ended with status $status: this submission has no score" >&2
fi
# What happened stands in the results.
exit 0

#!/bin/sh
# Grades one submission in a container of Gradescope. Runs as root.
# Written by `grader bundle --gradescope`.
#
# What is written to standard output and error here is for instructors.

root=${AUTOGRADER_ROOT:-/autograder}
results=$root/results/results.json
mkdir -p "$root/results"

# Holds no score on purpose: Gradescope then reports a failure of the autograder, where a 0 would look like a grade.
no_score() {
  rm -rf "$results"
  cat > "$results" <<'END'
{
  "output": "The grader failed, so this submission has no score. That is no fault of yours; your instructors can see the cause.",
  "output_format": "text",
  "stdout_visibility": "hidden",
  "tests": []
}
END
}

# This stands until there are results, also when all of this is stopped.
no_score

# The grader writes where nobody but root looks. What a program of a student may have written in its place counts for
# nothing: only the file from there goes to Gradescope, and only when the grader says that it is whole.
private=$(mktemp -d) || exit 0
chmod 700 "$private"
trap 'rm -rf "$private"' EXIT

# A program that runs as root outside of a sandbox can write itself any score, and one that runs as the grader's own user
# can read the tests. So without a sandbox nothing is graded. The layers that are waived count and bound what a program
# uses; none of them keeps it from files or processes of others.
"$root/source/grader" grade "$root/submission" \
  --assignment "$root/source/assignment" \
  --layout one --no-ledger --quiet --gradescope "$private/results.json" \
  --isolation strict \
  --allow-missing memory-cgroup --allow-missing cpu-clock --allow-missing process-count 2>&1
status=$?

# With 3 the file is whole too where points are open; it holds no score then.
if { [ "$status" -eq 0 ] || [ "$status" -eq 3 ]; } && [ -s "$private/results.json" ]; then
  rm -rf "$results"
  if cp "$private/results.json" "$results.new" && mv -f "$results.new" "$results"; then
    chmod 644 "$results"
  else
    status=1
    no_score
  fi
else
  no_score
fi

if [ "$status" -ne 0 ]; then
  echo "grader ended with status $status: this submission has no score" >&2
fi
# What happened stands in the results.
exit 0

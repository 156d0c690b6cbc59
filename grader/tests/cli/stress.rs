//! The smallest input on which a program is wrong.

use std::fs;

use serde_json::{Value, json};

use crate::class::squares;
use crate::harness::{Room, have, student};

const PROBLEM: &str = "format = 1
id = \"max\"
title = \"Largest sum of neighbours\"
[submission]
files = [\"max.*\"]
[limits]
time = \"10 s\"
[reference]
path = \"solution.c\"
[checker.tokens]
[validator]
source = \"valid.c\"
[search]
cases = { n = \"1..=20\", seed = \"1..=1000000\" }
generate = \"gen.c {n} {seed}\"
[[subtask]]
name = \"all\"
points = 1
case = [
  { name = \"three\", stdin = \"3\\n1 2 3\\n\" },
]
";

const SOLUTION: &str = "#include <stdio.h>
int main() { int n, best = -101, sum = 0; scanf(\"%d\", &n);
  for (int x; n-- && scanf(\"%d\", &x) == 1;) { sum = sum > 0 ? sum + x : x; if (sum > best) best = sum; }
  printf(\"%d\\n\", best); }
";

/// Numbers from -100 to 100.
const GENERATOR: &str = "#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int n = atoi(v[1]); unsigned x = atoi(v[2]) * 2654435761u; printf(\"%d\\n\", n);
  for (int i = 0; i < n; i++) { x = x * 1664525 + 1013904223; printf(\"%s%d\", i ? \" \" : \"\", (int)(x >> 16) % 201 - 100); }
  puts(\"\"); (void)c; }
";

const VALIDATOR: &str = "#include <stdio.h>
int main() { int n, x; if (scanf(\"%d\", &n) != 1 || n < 1 || n > 20) return 1;
  for (int i = 0; i < n; i++) if (scanf(\"%d\", &x) != 1 || x < -100 || x > 100) return 1;
  return scanf(\"%d\", &x) == EOF ? 0 : 1; }
";

/// Looks at up to four neighbours only. Standard input can be opened by its name in every run.
pub(crate) const FOUR: &str = "#include <stdio.h>
int main() { int n, a[30], best = -101; if (!freopen(\"/dev/stdin\", \"r\", stdin)) return 1; scanf(\"%d\", &n);
  for (int i = 0; i < n; i++) scanf(\"%d\", a + i);
  for (int i = 0; i < n; i++) for (int j = i, s = 0; j < n && j < i + 4; j++) { s += a[j]; if (s > best) best = s; }
  printf(\"%d\\n\", best); }
";

pub(crate) fn sums() -> Room {
    Room::new()
        .file(
            "sums/assignment.toml",
            "format = 1\nid = \"sums\"\ntitle = \"Sums\"\n[[problem]]\npath = \"max\"\npoints = 1\n",
        )
        .file("sums/max/problem.toml", PROBLEM)
        .file("sums/max/solution.c", SOLUTION)
        .file("sums/max/gen.c", GENERATOR)
        .file("sums/max/valid.c", VALIDATOR)
}

/// What `stress` prints of a program, without times and sizes, and its exit status.
fn stressed(room: &Room, arguments: &str) -> (i32, String, String) {
    let arguments = format!("stress {arguments} --time 600");
    let ran = room.run(&arguments.split(' ').collect::<Vec<_>>());
    let lines = ran.stdout.lines().map(|line| match line.split_once("  ") {
        Some((head, rest)) if head.starts_with('✗') => {
            let verdict = rest.split_once("  ").map_or(rest, |(verdict, _)| verdict);
            format!("{head}  {verdict}\n")
        }
        _ => format!("{line}\n"),
    });
    (ran.status, lines.collect(), ran.stderr)
}

#[test]
fn a_generated_input_is_made_smaller_until_every_step_would_be_right() {
    if !have(&["gcc"]) {
        return;
    }
    let room = sums().file("max.c", FOUR);
    let (status, stdout, stderr) = stressed(&room, "max.c -a ./sums --save");
    let found = "\
✗ 5 1 0 0 0 1  WA
    expected `2`, found `1`
    input
    │ 5
    │ 1 0 0 0 1
    try it: printf '5\\n1 0 0 0 1\\n' | ./max
the smallest input found on which the program fails, made from n = 5, seed = 5; 12 of about 2 × 10⁷ inputs tried
saved as a case of subtask `all` in `sums/max/problem.toml`
";
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (1, found, ""));
    let before = PROBLEM.strip_suffix("]\n").unwrap();
    let case = "  { name = \"found-1\", variables = { n = 5, seed = 5 }, stdin = \"\"\"\n5\n1 0 0 0 1\n\"\"\" },\n]\n";
    let saved = fs::read_to_string(room.path("sums/max/problem.toml")).unwrap();
    assert_eq!(saved, format!("{before}{case}"));

    let (_, search) = PROBLEM.split_once("[search]").unwrap();
    let (search, _) = search.split_once("[[subtask]]").unwrap();
    let room = room.replace("sums/max/problem.toml", &format!("[search]{search}"), "");
    let message = "error: the cases of `max` have no variables from which to make inputs: add a `[search]` to its `problem.toml`\n";
    assert_eq!(
        stressed(&room, "max.c -a ./sums"),
        (2, String::new(), message.to_owned())
    );
}

/// A program for the problem below.
fn twice(kind: &str, value: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {{ {kind} n = atoll(v[1]); (void)c; \
         printf(\"%lld\\n\", (long long)({value})); }}\n"
    )
}

/// A problem with the argument as its only input.
fn twice_room(large: &str) -> Room {
    let problem = format!(
        "format = 1\nid = \"double\"\ntitle = \"Twice n\"\n[submission]\nfiles = [\"double.*\"]\n\
        [run]\narguments = [\"{{n}}\"]\n[limits]\ntime = \"10 s\"\n[reference]\npath = \"solution.c\"\n\
        [checker.tokens]\n[[subtask]]\nname = \"small\"\npoints = 1\ncases = {{ n = \"1..=4\" }}\n\
        [[subtask]]\nname = \"large\"\npoints = 1\ncases = {{ n = \"{large}\" }}\n"
    );
    Room::new()
        .file(
            "week/assignment.toml",
            "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"double\"\npoints = 2\n",
        )
        .file("week/double/problem.toml", &problem)
        .file("week/double/solution.c", twice("long long", "2 * n"))
}

#[test]
fn what_a_run_leaves_does_not_help_the_next_in_the_same_sandbox() {
    if !have(&["gcc"]) {
        return;
    }
    let leaves = "#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int n = atoi(v[1]), left = 0; const char *names[] = { \"left\", \"/tmp/left\" };
  for (int i = 0; i < 2; i++) { FILE *f = fopen(names[i], \"r\"); left += f != NULL; if ((f = fopen(names[i], \"w\"))) fputs(\"x\", f); }
  printf(\"%d\\n\", n == 40 ? 80 * left : 2 * n); (void)c; }
";
    let found = "\
✗ n = 40  WA
    expected `80`, found `0`
    try it: ./double 40
the smallest input found on which the program fails; 60 of 64 inputs tried
";
    let room = twice_room("64").file("double.c", leaves);
    assert_eq!(
        stressed(&room, "double.c -a ./week"),
        (1, found.to_owned(), String::new())
    );
}

#[test]
fn without_a_search_the_variables_of_the_cases_take_all_values_between() {
    if !have(&["gcc"]) {
        return;
    }
    let room = twice_room("9, 2000000000").file("double.c", twice("int", "2 * n"));
    let found = "\
✗ n = 1073741824  WA
    expected `2147483648`, found `-2147483648`
    try it: ./double 1073741824
the smallest input found on which the program fails; 4 of about 2 × 10⁹ inputs tried
";
    assert_eq!(
        stressed(&room, "double.c -a ./week"),
        (1, found.to_owned(), String::new())
    );
    let room = room.replace("week/double/problem.toml", "9, 2000000000", "9");
    let none = "no difference from the reference in all 9 inputs\n";
    assert_eq!(
        stressed(&room, "double.c -a ./week"),
        (0, none.to_owned(), String::new())
    );
    // Another program takes the place of the reference.
    let room = room
        .file("six.c", twice("int", "n == 6 ? 1 : 2 * n"))
        .file("fails.c", "int main() { return 1; }\n");
    let found = "\
✗ n = 6  WA
    expected `1`, found `12`
    try it: ./double 6
the smallest input found on which the program fails; all 9 inputs tried
";
    let failed = "error: the reference failed: case `n=9`: exit status 1\n";
    for (other, expected) in [("six.c", (1, found, "")), ("fails.c", (2, "", failed))] {
        let (status, stdout, stderr) =
            stressed(&room, &format!("double.c -a ./week --against {other}"));
        assert_eq!((status, stdout.as_str(), stderr.as_str()), expected);
    }
}

#[test]
fn a_program_that_does_not_end_is_killed_at_the_end_of_the_search() {
    if !have(&["gcc"]) {
        return;
    }
    let room = sums().file("max.c", "int main() { for (;;) {} }\n");
    let ran = room.run(&["stress", "max.c", "-a", "./sums", "--time", "1"]);
    let message =
        "error: no valid input was judged before the time was over: try a longer `--time`\n";
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (2, "", message)
    );
}

#[test]
fn without_a_reference_there_is_nothing_to_compare_with() {
    let room = squares().file("square.c", "");
    let message = "error: `square` has no reference here to compare with\n";
    assert_eq!(
        stressed(&room, "square.c -a ./squares"),
        (2, String::new(), message.to_owned())
    );
}

const DOUBLE: &str = "format = 1\nid = \"double\"\ntitle = \"Twice n\"\n[submission]\nfiles = [\"double.*\"]\n\
        [run]\narguments = [\"{n}\"]\n[limits]\ntime = \"10 s\"\n[reference]\npath = \"solution.c\"\n\
        [checker.tokens]\n[search]\ncases = { n = \"1..=9\" }\n\
        [[subtask]]\nname = \"all\"\nhidden = true\nscore = \"all\"\npoints = 1\ncases = { n = \"1..=4\" }\n";

/// A program that prints 0 instead of 2n in some cases.
pub(crate) fn double(wrong: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {{ int n = atoi(v[1]); (void)c; \
         printf(\"%d\\n\", {wrong} ? 0 : 2 * n); }}\n"
    )
}

/// A class in which Bob's and Cy's programs pass all cases and are wrong.
pub(crate) fn doubles() -> Room {
    let given = "format = 1\nid = \"given\"\ntitle = \"Given\"\n[submission]\nfiles = [\"given.*\"]\n[limits]\n\
        time = \"10 s\"\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\n[[subtask.case]]\nname = \"one\"\nanswer = \"1\"\n";
    Room::new()
        .keeping()
        .file(
            "week/assignment.toml",
            "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"double\"\npoints = 1\n\
             [[problem]]\npath = \"given\"\npoints = 1\n",
        )
        .file("week/double/problem.toml", DOUBLE)
        .file("week/given/problem.toml", given)
        .file("week/double/solution.c", double("0"))
        .file("week/class/ann/double.c", double("n == 0"))
        .file("week/class/bob/double.c", double("n > 5"))
        .file("week/class/cy/double.c", double("n > 5"))
        .file("week/class/dan/double.c", double("n > 2"))
}

#[test]
fn a_student_sees_an_input_that_is_in_no_hidden_case() {
    if !have(&["gcc"]) {
        return;
    }
    let room = doubles();
    // The smallest input on which Dan's program fails is hidden, so he sees another one.
    let graded = room.run(&["grade", "week/class", "--quiet", "--why", "--time", "600"]);
    assert_eq!((graded.status, graded.stderr.as_str()), (0, ""));
    let ran = room.run(&[
        "report",
        "week/class",
        "--audience",
        "student",
        "--explain",
        "dan",
    ]);
    let (_, explained) = ran.stdout.split_once("Fails on").unwrap();
    let (explained, _) = explained.split_once("\n\n").unwrap();
    let tested = room.run(&[
        "test",
        "week/class/dan/double.c",
        "-a",
        "./week",
        "--why",
        "--time",
        "600",
    ]);
    let (_, found) = tested.stdout.split_once("On an input").unwrap();
    for (text, heading) in [
        (explained, "an input outside the test cases"),
        (found, "outside the test cases:"),
    ] {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert!(lines[1].starts_with("✗ n = 5  WA"), "{text}");
        assert_eq!(
            [lines[0], lines[2], lines[3]],
            [heading, "expected `10`, found `0`", "try it: ./double 5"]
        );
    }
    assert!(
        !ran.stdout.contains("n=3") && !ran.stdout.contains("n = 3"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_audit_finds_accepted_programs_that_are_wrong() {
    if !have(&["gcc"]) {
        return;
    }
    let room = doubles();
    let graded = room.run(&["grade", "week/class", "--quiet", "--why", "--time", "600"]);
    assert_eq!((graded.status, graded.stderr.as_str()), (0, ""));
    let ran = room.run(&[
        "audit",
        "week/class",
        "--time",
        "600",
        "--save",
        "--mutants",
        "wrong",
    ]);
    let shown: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| !line.contains('✗'))
        .collect();
    assert_eq!(
        (ran.status, ran.stderr.as_str(), &shown[..]),
        (
            1,
            "run 1 of `week/class`, from `week/.grader/ledger.db`\n\
             not searched: `given` has no reference here to compare with\n",
            &[
                "bob, cy · double · double.c",
                "    expected `12`, found `0`",
                "    try it: ./double 6",
                "",
                "1 case added to subtask `all` in `week/double/problem.toml`",
                "1 of 2 accepted programs found wrong; each of the others is right on at least 9 inputs",
                "double: no program fails all/n=1, all/n=2",
                "double: the same program fails all/n=3, all/n=4",
                "wrote 1 file to wrong",
                "",
                "Before students meet these programs:",
                "  ask their authors, and take out names that stand in them",
            ][..]
        )
    );
    let copied = fs::read_to_string(room.path("wrong/double/1.c")).unwrap();
    assert_eq!(copied, double("n > 5"));
    let ran = room.run(&["report", "week/class"]);
    let (_, needs) = ran.stdout.split_once("  Undeserved full marks").unwrap();
    assert_eq!(
        needs.trim_end(),
        ": wrong on an input outside the test cases (2)\n    \
         bob  double  n = 6: expected `12`, found `0`\n    cy   double  n = 6: expected `12`, found `0`"
    );

    // Now their points are gone, and nobody else's.
    let saved = fs::read_to_string(room.path("week/double/problem.toml")).unwrap();
    let case = "\n[[subtask.case]]\nname = \"found-1\"\nvariables = { n = 6 }\n";
    assert_eq!(saved, format!("{DOUBLE}{case}"));
    let totals = |run: &str| {
        let (status, results) = room.json(&[
            "report",
            "week/class",
            "--run",
            run,
            "--json",
            "-",
            "--quiet",
        ]);
        assert_eq!(status, 0);
        ["ann", "bob", "cy", "dan"].map(|id| student(&results, id)["points"].as_f64().unwrap())
    };
    let graded = room.run(&["grade", "week/class", "--quiet"]);
    assert_eq!((graded.status, graded.stderr.as_str()), (0, ""));
    assert_eq!(
        [totals("1"), totals("2")],
        [[1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]]
    );
}

#[test]
fn what_shards_found_is_in_the_merged_ledger() {
    if !have(&["gcc"]) {
        return;
    }
    let room = doubles()
        .file("week/class/eve/double.c", double("n > 3"))
        .file("week/class/fay/double.c", double("n > 1"));
    for number in ["1", "2"] {
        let (shard, ledger) = (format!("{number}/2"), format!("part-{number}.db"));
        let grade = [
            "grade",
            "week/class",
            "--shard",
            &shard,
            "--ledger",
            &ledger,
        ];
        let ran = room.run(&[&grade[..], &["--quiet", "--why", "--time", "600"]].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    }
    let found = |ledger: &str| -> Vec<String> {
        let (status, results) = room.json(&["report", "--ledger", ledger, "--json", "-"]);
        assert_eq!(status, 0);
        let students = results["students"].as_array().unwrap().iter();
        let found = students.filter_map(|student| {
            let input = student["problems"][0]["counterexample"]["name"].as_str()?;
            Some(format!("{}: {input}", student["id"].as_str().unwrap()))
        });
        found.collect()
    };
    let parts = [found("part-1.db"), found("part-2.db")];
    assert!(parts.iter().all(|it| !it.is_empty()), "{parts:?}");
    let ran = room.run(&["merge", "part-1.db", "part-2.db", "-o", "class.db"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let all = ["dan: n = 5", "eve: n = 5", "fay: n = 5"];
    assert_eq!(found("class.db"), all);
}

#[test]
fn samples_marked_accepted_are_audited() {
    if !have(&["gcc"]) {
        return;
    }
    let folder = "week/double/submissions/accepted";
    let room = doubles()
        .file(&format!("{folder}/right.c"), double("n == 0"))
        .file(&format!("{folder}/wrong.c"), double("n > 6"))
        .file(
            "week/double/submissions/wrong-answer/missed.c",
            double("n > 7"),
        );
    let ran = room.run(&[
        "verify",
        "week/double",
        "--audit",
        "--time",
        "600",
        "--json",
        "found.json",
        "--quiet",
    ]);
    let summary = "double: 3 samples, 2 as expected, 1 not\n";
    let (_, found) = ran.stdout.split_once(summary).unwrap();
    let lines: Vec<&str> = found.lines().filter(|it| !it.contains('✗')).collect();
    assert_eq!(
        (ran.status, ran.stderr.as_str(), &lines[..]),
        (
            1,
            "",
            &[
                "double · accepted/wrong.c",
                "    expected `14`, found `0`",
                "    try it: ./wrong 7",
                "",
                "double · wrong-answer/missed.c",
                "    expected `16`, found `0`",
                "    try it: ./missed 8",
                "",
                "double: 1 of 2 accepted samples failed on an input outside the test cases",
                "double: 1 of 1 wrong sample that passes every case failed on an input outside the test cases",
            ][..]
        )
    );
    // Programs read the same as people.
    let found = fs::read(room.path("found.json")).unwrap();
    let found: Value = serde_json::from_slice(&found).unwrap();
    let samples = &found["assignments"][0]["problems"][0]["samples"];
    let samples = samples.as_array().unwrap().iter();
    let mismatches: Vec<&Value> = samples.map(|it| &it["mismatches"]).collect();
    assert_eq!(found["holds"], false);
    let place = "outside the test cases";
    let message = "expected AC on n = 7, found WA: expected `14`, found `0`";
    let wrong = json!({ "place": place, "message": message, "fault": false });
    assert_eq!(mismatches[..2], [&json!([]), &json!([wrong])]);
}

#[test]
fn a_search_of_no_time_is_refused() {
    for time in ["0", "1m", "86401s"] {
        let ran = Room::new().run(&["stress", "max.c", "--time", time]);
        let expected = format!(
            "error: invalid value '{time}' for '--time <SECONDS>': expected a number of seconds, 1 to 86400\n\nFor more information, try '--help'.\n"
        );
        assert_eq!((ran.status, ran.stderr), (2, expected));
    }
}

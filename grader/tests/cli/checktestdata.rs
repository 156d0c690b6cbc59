//! Validators in checktestdata.

use crate::harness::{Room, have};

const PROBLEM: &str = "format = 1
id = \"sum\"
title = \"Sum\"
[submission]
files = [\"sum.*\"]
[checker.tokens]
[validator]
source = \"v.ctd\"
[[subtask]]
name = \"all\"
points = 1
case = [
  { name = \"one\", stdin = \"1\\n5\\n\", answer = \"5\\n\" },
  { name = \"two\", stdin = \"2\\n5  6\\n\", answer = \"11\\n\" },
]
";
const VALIDATOR: &str = "INT(1, 9, n) NEWLINE\nREP(n, SPACE) INT(-9, 9) END NEWLINE\n";

fn room(validator: &str) -> Room {
    Room::new()
        .file("sum/problem.toml", PROBLEM)
        .file("sum/v.ctd", validator)
}

#[test]
fn verify_says_where_an_input_is_invalid_and_check_where_the_program_is_wrong() {
    let room = room(VALIDATOR);
    let ran = room.run(&["verify", "sum"]);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (
            1,
            "sum
  input, case all/two: the validator `v.ctd` rejected the input: line 2, column 3: expected an
  integer from -9 to 9, found a space
  submissions: there are no sample submissions

sum: 0 samples, all as expected; 1 problem has errors of its own
"
        ),
        "{}",
        ran.stderr
    );
    let room = room.file("sum/v.ctd", "INT(1, 9)\nINT(1 9)\n");
    let ran = room.run(&["check", "sum"]);
    let place = " --> sum/problem.toml:8:10
  |
8 | source = \"v.ctd\"
  |          ^^^^^^^
";
    let mistakes =
        format!("error: `v.ctd`, line 2: expected `,`, found 9\n{place}\n1 mistake in 1 file\n");
    assert_eq!((ran.status, ran.stderr), (2, mistakes));
    let room = room.file("sum/v.ctd", VALIDATOR).replace(
        "sum/problem.toml",
        "v.ctd\"\n",
        "v.ctd\"\narguments = [\"a\"]\n",
    );
    let ran = room.run(&["check", "sum"]);
    let mistakes = format!(
        "error: a validator in checktestdata takes no arguments and no limits\n{place}  |
  = help: remove `arguments`, `protocol`, `time`, `memory` and `processes`\n\n1 mistake in 1 file\n"
    );
    assert_eq!((ran.status, ran.stderr), (2, mistakes));
}

#[test]
fn the_second_use_of_a_validator_with_arguments_is_a_mistake_too() {
    let second = "[[subtask]]
name = \"more\"
points = 1
case = [{ name = \"one\", stdin = \"1\\n5\\n\", answer = \"5\\n\" }]
[subtask.validator]
source = \"v.ctd\"
arguments = [\"a\"]
";
    let room = room(VALIDATOR).file("sum/problem.toml", format!("{PROBLEM}{second}"));
    let ran = room.run(&["check", "sum"]);
    let mistakes = "error: a validator in checktestdata takes no arguments and no limits
  --> sum/problem.toml:21:10
   |
21 | source = \"v.ctd\"
   |          ^^^^^^^
   |
   = help: remove `arguments`, `protocol`, `time`, `memory` and `processes`

1 mistake in 1 file
";
    assert_eq!((ran.status, &*ran.stderr), (2, mistakes));
}

#[test]
fn of_several_validators_all_must_accept() {
    if !have(&["python3"]) {
        return;
    }
    let both = "[[validator]]\nsource = \"v.ctd\"\n[[validator]]\nsource = \"sum.py\"\n";
    let of = |program: &str, validator: &str| {
        let room = room(validator).file("sum/sum.py", program);
        let problem = PROBLEM.replace("[validator]\nsource = \"v.ctd\"\n", both);
        let ran = room
            .file("sum/problem.toml", problem)
            .run(&["verify", "sum"]);
        let found = ran.stdout.lines().filter(|it| it.contains("validator"));
        (ran.status, found.collect::<Vec<_>>().join("\n"))
    };
    let any = "REP(2) STRING(\"\") END REGEX(\"[^x]*\")";
    assert_eq!(
        of("exit(43)", any),
        (
            1,
            "  input, case all/one: the validator `sum.py` rejected the input (exit status 43)
  input, case all/two: the validator `sum.py` rejected the input (exit status 43)"
                .to_owned()
        )
    );
    let (status, found) = of("exit(42)", VALIDATOR);
    assert_eq!(
        (status, &*found),
        (
            1,
            "  input, case all/two: the validator `v.ctd` rejected the input: line 2, column 3: expected an"
        )
    );
}

#[test]
fn a_validator_that_cannot_decide_is_an_error_of_the_problem() {
    let room = room("INT(1, n)\n");
    let ran = room.run(&["verify", "sum"]);
    let message = "input, case all/one: the problem's validator `v.ctd` cannot decide: its line 1: `n[]` has no value";
    assert_eq!(
        (ran.status, ran.stdout.lines().nth(1)),
        (3, Some(&*format!("  {message}")))
    );
}

//! Programs that run twice: the second run gets what the first one printed.

use std::fmt::Write as _;

use crate::checkers::graded;
use crate::harness::{Room, have, strict};

/// What a problem has after `[run]`, the author's file `own.py`, what the student's program does in its first and in its second
/// run, and the verdict, points and message.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const ROWS: &[Row] = &[
    // Without any key, the same program runs again, on its own output.
    (
        "second-run = {}",
        "",
        "print(input()[::-1])",
        "print(input()[::-1])",
        "AC 10 null",
    ),
    (
        "second-run.at-most = \"{n} B\"",
        "",
        "print('abc')",
        "print('ab')",
        "WA 0 in the first run: 4 bytes were printed; the limit is 3",
    ),
    (
        "second-run.at-most = \"{n} B\"",
        "",
        "print('xy')",
        "print('ab', file=sys.stderr)",
        "WA 0 in the second run: the program printed nothing",
    ),
    (
        "",
        "",
        "sys.exit(2)",
        "print('ab')",
        "RE 0 in the first run: ended with exit status 2",
    ),
    (
        "",
        "",
        "print(1)",
        "sys.exit(2)",
        "RE 0 in the second run: ended with exit status 2",
    ),
    (
        "",
        "",
        "print('x' * 99999)",
        "print('ab')",
        "OLE 0 in the first run: wrote more than 64 KiB to standard output",
    ),
    // Nothing but the output gets to the second run.
    (
        "",
        "",
        "open('left', 'w'); open('/tmp/left', 'w')",
        "print('ab', *(it for it in ('left', '/tmp/left') if os.path.exists(it)))",
        "AC 10 null",
    ),
    (
        "second-run.change = \"own.py x{n}\"",
        "import sys\nprint(sys.argv[1] + input() * 2)\n",
        "print('ab')",
        "print('ab' if input() == 'x3abab' else '')",
        "AC 10 null",
    ),
    (
        "second-run.change = \"own.py\"",
        "raise SystemExit(7)\n",
        "",
        "",
        "JE null the program in `change`, `own.py`, ended with exit status 7",
    ),
    (
        "second-run.change = \"own.py\"",
        "while True:\n    print('x' * 1000000)\n",
        "",
        "",
        "JE null the program in `change`, `own.py`, wrote more than 64 MiB",
    ),
    // It does not run on what is too long.
    (
        "second-run = { change = \"own.py\", at-most = \"{n} B\" }",
        "raise SystemExit(7)\n",
        "print(123)",
        "",
        "WA 0 in the first run: 4 bytes were printed; the limit is 3",
    ),
    // The answer is what the reference prints in its second run.
    (
        "reference.path = \"own.py\"",
        "import sys\nprint('7' if 'first' in sys.argv else input() * 2)\n",
        "print()",
        "print('77')",
        "AC 10 null",
    ),
    (
        "checker = { program = { source = \"own.py\" } }",
        "import sys\nassert open(sys.argv[1]).read() == 'ab\\n'\nscore = open(sys.argv[3] + 'score.txt', 'w')\nscore.write(str(len(open(sys.argv[3] + 'first-run.out').read())))\nsys.exit(42)\n",
        "print('four')",
        "",
        "PC 5 in the second run: the checker gave partial credit",
    ),
];

#[test]
fn the_second_run_gets_what_the_first_one_printed_and_nothing_else() {
    if !strict() || !have(&["python3"]) {
        return;
    }
    let mut assignment = "format = 1\nid = \"tasks\"\ntitle = \"Tasks\"\n".to_owned();
    let mut room = Room::new();
    for (index, (keys, own, first, second, _)) in ROWS.iter().enumerate() {
        let id = format!("p{index}");
        write!(assignment, "[[problem]]\npath = \"{id}\"\npoints = 10\n").unwrap();
        let mut keys = (*keys).to_owned();
        for (table, key) in [
            ("second-run =", "second-run.arguments = [\"second\"]"),
            ("checker =", "checker.lines = {}"),
        ] {
            if !keys.contains(table) {
                write!(keys, "\n{key}").unwrap();
            }
        }
        let head =
            format!("format = 1\nid = \"{id}\"\ntitle = \"{id}\"\nsubmission.files = [\"{id}.*\"]");
        let run = "run = { arguments = [\"first\"], stdin = \"ab\\n\" }";
        let cases = "subtask = [{ name = \"all\", points = 10, cases = { n = 3 } }]";
        room = room
            .file(&format!("{id}/own.py"), own)
            .file(&format!("{id}/problem.toml"), format!("{head}\n{run}\n{keys}\n{cases}\n"))
            .file(
                &format!("class/eve/{id}.py"),
                format!("import os, sys\nif 'first' in sys.argv:\n    pass; {first}\nelse:\n    pass; {second}\n"),
            );
    }
    let room = room.file("assignment.toml", assignment);
    let expected: Vec<&str> = ROWS.iter().map(|row| row.4).collect();
    assert_eq!(graded(&room), expected);
}

/// Scores what the first run printed, if the reference restores the input; there is none if the output is broken.
const SIZED: &str = "import sys
given, right = (open(path).read() for path in sys.argv[1:3])
size = len(open(sys.argv[3] + 'first-run.out').read())
sys.exit(42 if sys.stdin.read() == given == right and size == 4 else 43)
";

#[test]
fn a_change_that_fails_or_draws_random_numbers_is_found_by_verify() {
    if !strict() || !have(&["python3"]) {
        return;
    }
    let problem = |change: &str, own: &str| {
        let head = "format = 1\nid = \"p\"\ntitle = \"P\"\nsubmission.files = [\"p.*\"]\n";
        let run = "run.generate = \"gen.py\"\nchecker.program.source = \"check.py\"\nreference.path = \"right.py\"\n";
        let cases = "subtask = [{ name = \"all\", points = 1, cases = { n = 1 } }]\n";
        Room::new()
            .file(
                "p/problem.toml",
                format!("{head}{run}second-run = {{ {change} }}\n{cases}"),
            )
            .file("p/gen.py", "print('abc')\n")
            .file("p/right.py", "print(input()[::-1])\n")
            .file("p/own.py", own)
            .file("p/check.py", SIZED)
    };
    let change = "change = \"own.py\"";
    let right = "import random, sys\nprinted = sys.stdin.read()\nif printed != 'cba\\n':\n    ";
    let failing = format!("{right}sys.exit(7)\nprint(printed, end='')\n");
    let drawing = format!("{right}printed = random.random()\nprint(printed, end='')\n");
    let fails = "the program in `change`, `own.py`, ended with exit status 7";
    // The reference reads the first line only.
    let right = drawing.replace("!= ", "== ");
    let right = right.replace(
        "printed = random.random()",
        "printed += str(random.random())",
    );
    let drawn = "it printed different output when it ran again";
    for (change, own, found) in [
        ("", "", ""),
        (change, right.as_str(), drawn),
        (change, failing.as_str(), fails),
        (change, &drawing, drawn),
    ] {
        let probes = match own {
            "" => &[][..],
            own if own == right => &["a right output"],
            _ => &["nothing", "junk", "an endless line"],
        };
        let probes = probes.iter();
        let found = probes.map(|it| format!("program in `change`, given {it}: {found} "));
        let found: String = found.collect();
        let said = problem(change, own).run(&["verify", "p"]).stdout;
        let words: Vec<&str> = said.split_whitespace().collect();
        // Only the first three mistakes are shown.
        let rest = if found.matches(" given ").count() < 3 {
            "submissions: there are"
        } else {
            "… and 1 more"
        };
        assert!(
            words.join(" ").starts_with(&format!("p {found}{rest}")),
            "{said}"
        );
    }
    // Without a reference, an accepted sample prints the right output.
    let said = problem(change, &right)
        .replace("p/problem.toml", "reference.path = \"right.py\"\n", "")
        .replace(
            "p/problem.toml",
            "program.source = \"check.py\"",
            "lines = {}",
        )
        .file("p/submissions/accepted/p.py", "print(input()[::-1])\n")
        .run(&["verify", "p"])
        .stdout;
    let found = format!("p\n  program in `change`, given a right output: {drawn}\n    sample ");
    assert!(said.starts_with(&found), "{said}");
}

#[test]
fn a_second_run_without_input_is_not_shown_with_that_of_the_first() {
    if !strict() || !have(&["python3"]) {
        return;
    }
    let problem = "format = 1\nid = \"p\"\ntitle = \"P\"\nsubmission = { files = [\"p.py\"], required = [\"q.py\"] }\n\
         run.stdin = \"ab\\n\"\nsecond-run.arguments = [\"second\"]\nchecker.tokens = {}\n\
         subtask = [{ name = \"all\", points = 1, cases = { n = 1 } }]\n";
    let assignment =
        "format = 1\nid = \"a\"\ntitle = \"A\"\n[[problem]]\npath = \"p\"\npoints = 1\n";
    let none = "        hint: The first run printed nothing, so the second one had no input.\n";
    for (first, input) in [("", none), ("print(5)", "        input\n        │ 5\n")] {
        let program =
            format!("import sys\nif sys.argv[1:]:\n    print('x')\nelse:\n    pass; {first}\n");
        let room = Room::new()
            .file("assignment.toml", assignment)
            .file("p/problem.toml", problem)
            .file("s/p.py", program)
            .file("s/q.py", "");
        let said = room.run(&["test", "s/p.py", "s/q.py", "-a", "."]).stdout;
        let (_, case) = said.split_once("✗ n=1  WA").unwrap();
        let (case, _) = case.split_once("\n\n").unwrap();
        let failed = "in the second run: expected `ab`, found `x`\n";
        assert_eq!(format!("{case}\n"), format!("\n        {failed}{input}"));
    }
}

#[test]
fn a_search_changes_what_the_first_run_printed_by_its_own_variables() {
    if !strict() || !have(&["python3"]) {
        return;
    }
    let problem = "format = 1\nid = \"p\"\ntitle = \"P\"\nsubmission.files = [\"p.*\"]\nlimits.time = \"10 s\"\n\
         reference.path = \"right.py\"\nchecker.tokens = {}\n\
         second-run = { arguments = [\"second\"], change = \"own.py {at}\" }\n\
         search = { cases = { n = \"1..=2\", at = \"0..=1\" }, stdin = \"{n}\\n\" }\n\
         subtask = [{ name = \"all\", points = 1, cases = { n = 2, at = 0 } }]\n";
    let room = Room::new()
        .file(
            "a/assignment.toml",
            "format = 1\nid = \"a\"\ntitle = \"A\"\n[[problem]]\npath = \"p\"\npoints = 1\n",
        )
        .file("a/p/problem.toml", problem)
        .file("a/p/right.py", "print(int(input()) * 2)\n")
        .file(
            "a/p/own.py",
            "import sys\nprint(int(input()) + int(sys.argv[1]))\n",
        )
        .file(
            "p.py",
            "import sys\nn = int(input())\nprint(0 if sys.argv[1:] and n == 5 else n * 2)\n",
        );
    let ran = room.run(&["stress", "p.py", "-a", "./a", "--time", "600"]);
    assert_eq!(
        ran.stdout,
        "✗ n = 2, at = 1  WA\n    in the second run: expected `10`, found `0`\n    input\n    │ 5\n    \
         try it: printf '5\\n' | python3 p.py second\n\
         the smallest input found on which the program fails; all 4 inputs tried\n"
    );
}

//! What a problem can have.

use super::room::{
    ANSWERS, APART, BUILD, CASES, CHECK, CHECKER, FILES, HALF, IN_PROCESS, INTERACTOR, LIMITS,
    LINT, POINTS, REFERENCE, SEARCH, STDIN, TWO_PASSES, VALID, changed, empty, ended, function,
    included, large, own, placed, plain, program, programs, two_runs, with,
};
use super::{Row, row, scored};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = basic();
    rows.extend(asked());
    rows.push(outputs());
    rows.extend(own_tests());
    rows
}

/// A test for each wrong program; Bob has half of them.
fn numbers(expression: &str) -> &'static [&'static str] {
    match expression {
        HALF => &["1", "2"],
        "2 * n" => &["1", "2", "3", "4"],
        _ => &["1", "2", "3", "4", "7"],
    }
}

/// Tests instead of programs: inputs, and unit tests.
fn own_tests() -> Vec<Row> {
    let mutants = |path: &str| -> String {
        let mutant = |n| format!("[[subtask.case]]\nname = \"{n}\"\nmutant = \"m{n}{path}\"\n");
        (1..=4).map(mutant).collect()
    };
    let validator = format!("{CHECKER}[validator]\nsource = \"valid.py\"\n");
    let inputs = changed(
        empty(),
        &[
            (FILES, "tests = 5\n"),
            (REFERENCE, "[reference]\npath = \"right.py\"\n"),
            (STDIN, ""),
            (SEARCH, ""),
            (CHECKER, &validator),
            (CASES, &mutants(".py")),
        ],
    );
    let inputs = inputs
        .file("asg/twice/right.py", program("2 * n"))
        .file("asg/twice/valid.py", VALID);
    let units = changed(
        empty(),
        &[
            (
                FILES,
                "file = \"tests.py\"\ninclude = [\"main.py\", \"twice.py\"]\n",
            ),
            (REFERENCE, ""),
            (CHECKER, ""),
            (STDIN, "[run]\nreport = \"junit\"\n"),
            (SEARCH, ""),
            (CASES, &mutants("")),
        ],
    );
    let main = IN_PROCESS.replace("import twice", "import tests, twice");
    let units = units
        .file(
            "asg/twice/main.py",
            main.replace("(1, 2, 3, 4)", "tests.NUMBERS"),
        )
        .file("asg/twice/twice.py", function("2 * n"));
    let (inputs, units) = (1..=4).fold((inputs, units), |(inputs, units), n| {
        let wrong = format!("2 * n if n != {n} else 0");
        (
            inputs.file(&format!("asg/twice/m{n}.py"), program(&wrong)),
            units.file(&format!("asg/twice/m{n}/twice.py"), function(&wrong)),
        )
    });
    let names = ["1.in", "2.in", "3.in", "4.in", "7.in"];
    let input = |expression: &str| {
        let tests = names.into_iter().zip(numbers(expression));
        tests.map(|(name, n)| (name, format!("{n}\n"))).collect()
    };
    let unit = |expression: &str| {
        let numbers = numbers(expression).join(", ");
        vec![("tests.py", format!("NUMBERS = ({numbers})\n"))]
    };
    vec![
        Row {
            file: "1.in",
            is_project: true,
            ..row("students' tests", placed(inputs, "all", input))
        },
        Row {
            file: "tests.py",
            ..row("students' unit tests", placed(units, "", unit))
        },
    ]
}

/// Output files instead of programs.
fn outputs() -> Row {
    let room = changed(
        empty(),
        &[
            (FILES, "outputs = \"{n}.out\"\n"),
            (LIMITS, ""),
            (REFERENCE, ""),
            (SEARCH, ""),
            (CHECKER, "[checker.program]\nsource = \"check.py\"\n"),
        ],
    );
    let answer = |expression: &str, n: u32| match (expression, n) {
        (HALF, 3..) => "1\n".to_owned(),
        _ => format!("{}\n", 2 * n),
    };
    let files = |expression: &str| {
        let names = (1..).zip(["1.out", "2.out", "3.out", "4.out"]);
        names
            .map(|(n, name)| (name, answer(expression, n)))
            .collect()
    };
    Row {
        file: "1.out",
        is_project: true,
        ..row(
            "output files",
            placed(room.file("asg/twice/check.py", CHECK), "all", files),
        )
    }
}

/// What a case asks for, apart from an answer.
fn asked() -> Vec<Row> {
    let dialogue = |n: u32| {
        format!(
            "[[subtask.case]]\nname = \"{n}\"\ndialogue = [{{ send = \"{n}\" }}, {{ expect = \"{}\" }}]\n",
            2 * n
        )
    };
    let dialogues: String = (1..=4).map(dialogue).collect();
    let own_values = format!(
        "[student]\nvariables = {{ add = \"1..=1000\" }}\n{STDIN}arguments = [\"{{student.add}}\"]\n"
    );
    let second = format!(
        "{STDIN}arguments = [\"send\"]\n[second-run]\narguments = []\nat-most = \"{{n}}0 B\"\nchange = \"same.py\"\n"
    );
    let ends = format!("{STDIN}exit-status = 3\nstderr = \"done with {{n}}\"\n");
    let lint = format!(
        "{CHECKER}[checks.lint]\ncommand = [\"python3\", \"lint.py\", \"{{files}}\"]\nfiles = [\"lint.py\"]\n"
    );
    let style =
        format!("{CASES}[[subtask]]\nname = \"style\"\npoints = 2\ncheck = \"lint\"\neach = 1\n");
    let linted = [(CHECKER, &*lint), (POINTS, "points = 8\n"), (CASES, &style)];
    vec![
        scored(
            "remarks of a linter",
            with(&linted).file("asg/twice/lint.py", LINT),
            ["10", "5", "9", "0"],
        ),
        Row {
            status: 3,
            ..scored(
                "remarks of a linter that is missing",
                with(&linted).file("asg/twice/lint.py", LINT).replace(
                    "asg/twice/problem.toml",
                    "\"python3\"",
                    "\"no-linter\"",
                ),
                ["?", "?", "?", "0"],
            )
        },
        row(
            "texts and patterns",
            with(&[(CHECKER, "[checker.contains]\nnever = [\"Traceback\"]\n")]),
        ),
        row("dialogue", with(&[(CASES, &dialogues)])),
        row(
            "second run",
            programs(changed(empty(), &[(STDIN, &second)]), two_runs)
                .file("asg/twice/same.py", "import sys\nprint(sys.stdin.read())\n"),
        ),
        Row {
            has_own_values: true,
            ..row(
                "values of their own",
                programs(changed(empty(), &[(STDIN, &own_values)]), own),
            )
        },
        row(
            "exit status and standard error",
            programs(changed(empty(), &[(STDIN, &ends)]), ended),
        ),
    ]
}

fn basic() -> Vec<Row> {
    let mut folder = with(&[
        (CASES, "folder = \"data\"\n"),
        (STDIN, ""),
        (SEARCH, &format!("{SEARCH}stdin = \"{{n}}\\n\"\n")),
    ]);
    for n in 1..=4 {
        folder = folder
            .file(&format!("asg/twice/data/{n}.in"), format!("{n}\n"))
            .file(&format!("asg/twice/data/{n}.ans"), format!("{}\n", 2 * n));
    }
    let generator = "[run]\ngenerate = \"gen.py {n}\"\n";
    let validator = format!("{CHECKER}[validator]\nsource = \"valid.py\"\n");
    let checker = "[checker.program]\nsource = \"check.py\"\n";
    let interactor = "[interactor]\nsource = \"talk.py\"\n";
    let apart = "[interactor]\nsource = \"tests.py\"\nprotocol = \"junit\"\n";
    let (none, tests) = (
        [(SEARCH, ""), (REFERENCE, "")],
        "tests = [\"n1\", \"n2\", \"n3\", \"n4\"]\n",
    );
    let in_process = [
        (CHECKER, ""),
        (STDIN, "[run]\nreport = \"junit\"\n"),
        (CASES, tests),
    ];
    let apart = [(CHECKER, apart), (STDIN, ""), (CASES, tests)];
    let main = "import twice\nprint(twice.twice(int(input())))\n";
    let attempts = format!("{CASES}attempts = {{ runs = 2, at-least = 2 }}\n");
    let passes = format!("{STDIN}passes = 2\n");
    let timed = format!("{REFERENCE}timed = [\"other.py\"]\n");
    let limits = "time = { reference = 50 }\noutput = \"40 MiB\"\n";
    let timed =
        with(&[(REFERENCE, &timed), (LIMITS, limits)]).file("asg/twice/other.py", large("2 * n"));
    let built = format!(
        "{FILES}languages = [\"python\"]\ninclude = [\"build.sh\"]\n[build]\ncommand = [\"sh\", \"build.sh\"]\nprogram = \"out/twice\"\n"
    );
    let hidden =
        "[[subtask]]\nname = \"rest\"\nhidden = true\npoints = 4\ncases = { n = \"4..=4\" }\n";
    let hidden = format!("cases = {{ n = \"1..=3\" }}\n{hidden}");
    let worthless =
        format!("{CASES}[[subtask]]\nname = \"large\"\npoints = 0\ncases = {{ n = \"7..=7\" }}\n");
    vec![
        row("variables", plain()),
        row(
            "generator",
            with(&[(STDIN, generator)])
                .file("asg/twice/gen.py", "import sys\nprint(sys.argv[1])\n"),
        ),
        row("folder of cases", folder),
        row(
            "validator",
            with(&[(CHECKER, &validator)]).file("asg/twice/valid.py", VALID),
        ),
        row(
            "own checker",
            with(&[(CHECKER, checker)]).file("asg/twice/check.py", CHECK),
        ),
        row(
            "interactor",
            with(&[&none[..], &[(CHECKER, interactor)]].concat())
                .file("asg/twice/talk.py", INTERACTOR),
        ),
        row(
            "unit tests in process",
            included(&[&none[..], &in_process].concat(), IN_PROCESS),
        ),
        row(
            "unit tests apart",
            included(&[&none[..], &apart].concat(), ANSWERS).file("asg/twice/tests.py", APART),
        ),
        row("included main", included(&[], main)),
        row(
            "built by a command",
            with(&[(FILES, &built)]).file("asg/twice/build.sh", BUILD),
        ),
        row("attempts", with(&[(CASES, &attempts)])),
        row(
            "passes",
            with(&[(CHECKER, checker), (STDIN, &passes)]).file("asg/twice/check.py", TWO_PASSES),
        ),
        row("timed, above 16 MiB", programs(timed, large)),
        scored(
            "hidden cases",
            with(&[(POINTS, "points = 6\n"), (CASES, &hidden)]),
            ["10", "4", "10", "0"],
        ),
        // Points of 0 cannot be lost.
        row("subtask worth 0 that fails", with(&[(CASES, &worthless)])),
        scored(
            "bonus only",
            plain().replace("asg/assignment.toml", POINTS, "bonus = 10\n"),
            ["0+10", "0+5", "0+10", "0"],
        ),
    ]
}

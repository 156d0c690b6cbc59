//! Problems that say how their submissions are built: `command` and `program` of `[build]`.

use std::fs::File;
use std::io::Read as _;

use zip::ZipArchive;

use crate::harness::{Room, have, problem, strict, student};
use crate::lab::{Files, earned, graded, line};

/// Prints twice its number. The `Makefile` of the author defines `K`, so that no other build succeeds.
const MAIN: &str = "#include <stdio.h>\nint twice(int);\n\
                    int main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", twice(n)); return 0; }\n";
const TWICE: &str = "int twice(int n) { return K * n; }\n";
const HALF: &str = "int twice(int n) { return n == 4 ? 1 : K * n; }\n";
/// What students submit in a folder `list`.
const RIGHT: Files<'_> = &[("list.c", MAIN), ("twice.c", TWICE)];
const HALF_RIGHT: Files<'_> = &[("list.c", MAIN), ("twice.c", HALF)];
const MAKEFILE: &str =
    "CFLAGS = -Wall -DK=2\nlist: $(wildcard *.c src/*.c)\n\tgcc $(CFLAGS) -o $@ $^\n";
const CMAKE: &str = "cmake_minimum_required(VERSION 3.10)\nproject(list C)\nfile(GLOB SOURCES *.c src/*.c)\n\
                     add_executable(list ${SOURCES})\ntarget_compile_definitions(list PRIVATE K=2)\n";

const MAKE: &str = "[build]\ncommand = [\"make\", \"list\"]\nprogram = \"list\"\n";
const INCLUDED: &str = "include = [\"Makefile\"]\n";
const RUN: &str = "[run]\nstdin = \"{n}\\n\"\n[checker.tokens]\n";
const REFERENCE: &str = "[reference]\npath = \"right.py\"\n";
const CASES: &str = "cases = { n = \"3..=4\" }\n";

fn task() -> Room {
    let problem = format!(
        "format = 1\nid = \"list\"\ntitle = \"List\"\n[submission]\nfiles = [\"list\", \"list.*\"]\nlanguages = [\"c\"]\n{INCLUDED}\
         {MAKE}{RUN}{REFERENCE}[[subtask]]\nname = \"all\"\npoints = 2\n{CASES}"
    );
    Room::new()
        .keeping()
        .lab("list", 2, problem)
        .file("lab/list/Makefile", MAKEFILE)
        .file("lab/list/right.py", "print(2 * int(input()))\n")
}

/// The task without a `Makefile` of the author.
fn own_makefiles() -> Room {
    task().replace(
        "lab/list/problem.toml",
        INCLUDED,
        "extra = [\"Makefile\"]\n",
    )
}

/// A student's file beside `list.c`, which is the whole program.
fn with_makefile(room: Room, student: &str, makefile: &str) -> Room {
    room.file(
        &format!("class/{student}/list/list.c"),
        MAIN.replace("int twice(int);", TWICE),
    )
    .file(&format!("class/{student}/list/Makefile"), makefile)
}

/// Verdict, points, sentence and hints of every student.
fn rows(room: &Room) -> Vec<String> {
    let all = earned(room, "./lab", "list").into_iter();
    let row = all.map(|it| {
        let hints = [it.hints, it.on_cases].concat().join(" ");
        line(&[&it.student, &it.verdict, &it.points, &it.message, &hints])
    });
    row.collect()
}

#[test]
fn the_authors_makefile_builds_files_where_students_have_them() {
    if !have(&["gcc", "make", "python3"]) {
        return;
    }
    let room = task()
        .students("list", &[("1-flat", RIGHT)])
        .file("class/2-src/list/src/list.c", MAIN)
        .file("class/2-src/list/src/twice.c", TWICE)
        .file("class/2-src/list/include/twice.h", "int twice(int);\n")
        .file("class/3-windows/list/list.c", MAIN.replace('\n', "\r\n"))
        .file("class/3-windows/list/my twice (1).c", TWICE)
        .students("list", &[("4-half", HALF_RIGHT)])
        .file("class/5-missing/list/list.c", MAIN)
        .file("class/6-wrong/list/list.c", "int main(void) { return 0 }\n")
        .file("class/7-memory/list/list.c", MAIN)
        .file(
            "class/7-memory/list/twice.c",
            "int twice(int n) {\n  int a[2] = {0};\n  return K * n + 1 + (a[n] == 123456789);\n}\n",
        );
    assert_eq!(
        rows(&room),
        [
            "1-flat AC 2",
            "2-src AC 2",
            "3-windows AC 2",
            "4-half PC 1",
            "5-missing CE 0 does not compile `twice` is called, but no file that is built here defines it. Is a file missing, or is the \
             name misspelt?",
            "6-wrong CE 0 does not compile In line 1 or above something is missing before '}', often a `,`, a `;` or an operator, or a word there is wrong.",
            "7-memory WA 0 `twice.c`, line 3: index 3 is outside the array, whose type is `int [2]`",
        ]
    );
    let results = graded(&room, "./lab");
    let half = problem(student(&results, "4-half"), "list");
    let case = &half["subtasks"][0]["cases"][1];
    assert_eq!(case["command"], "printf '4\\n' | ./list");
    let wrong = problem(student(&results, "6-wrong"), "list");
    let messages = wrong["build"]["messages"]["text"].as_str().unwrap();
    assert!(
        messages.starts_with("list.c: In function"),
        "without the commands of make: {messages}"
    );
    assert!(messages.contains("\nlist.c:1:"), "{messages}");
}

#[test]
fn files_lie_where_the_authors_makefile_looks_for_them() {
    if !have(&["gcc", "make", "python3"]) {
        return;
    }
    let main = MAIN.replace("int twice", "#include \"twice.h\"\nint twice");
    let room = task()
        .replace("lab/list/Makefile", "*.c src/*.c", "src/*.c")
        .replace("lab/list/Makefile", "gcc", "gcc -Iinclude")
        .file("class/1-both/list/src/list.c", &main)
        .file("class/1-both/list/src/twice.c", TWICE)
        .file("class/1-both/list/include/twice.h", "")
        .file("class/2-other-name/HW3/src/list.c", MAIN)
        .file("class/2-other-name/HW3/src/twice.c", TWICE)
        .file("class/3-no-folder/src/list.c", MAIN)
        .file("class/3-no-folder/src/twice.c", TWICE)
        .file("class/4-tests/list/src/list.c", MAIN)
        .file("class/4-tests/list/src/twice.c", TWICE)
        .file(
            "class/4-tests/list/tests/test_twice.c",
            "int main(void) { return 1; }\n",
        )
        .file("class/6-second-main/list/src/list.c", MAIN)
        .file("class/6-second-main/list/src/twice.c", TWICE)
        .file(
            "class/6-second-main/list/src/try.c",
            "int twice(int);\nint main(void) { return twice(1); }\n",
        )
        // Notes, or what a run has printed.
        .file("class/5-result/list/src/list.c", MAIN)
        .file("class/5-result/list/src/twice.c", TWICE)
        .file("class/5-result/list/list", "6\n");
    let right = [
        "1-both",
        "2-other-name",
        "3-no-folder",
        "4-tests",
        "5-result",
        "6-second-main",
    ];
    assert_eq!(rows(&room), right.map(|name| format!("{name} AC 2")));

    let room = task()
        .students("list", &[("1-flat", RIGHT)])
        .file("class/2-folder/HW3/code/list.c", MAIN)
        .file("class/2-folder/HW3/code/twice.c", TWICE)
        // What lies around the sources does not move them.
        .file("class/3-readme/code/list.c", MAIN)
        .file("class/3-readme/code/twice.c", TWICE)
        .file("class/3-readme/README.txt", "Run make.\n")
        .file("class/3-readme/other/1.out", "6\n")
        .replace("lab/list/Makefile", "*.c src/*.c", "*.c");
    let right = ["1-flat", "2-folder", "3-readme"];
    assert_eq!(rows(&room), right.map(|name| format!("{name} AC 2")));
}

#[test]
fn a_students_makefile_builds_as_it_would_at_home_and_can_do_no_harm() {
    if !strict() || !have(&["gcc", "make", "python3"]) {
        return;
    }
    let begin = "list: list.c\n";
    let gcc = "\tgcc -DK=2 -o list list.c\n";
    let mut room = own_makefiles().replace(
        "lab/list/problem.toml",
        RUN,
        &format!("[limits]\ncompile-time = \"1 s\"\n{RUN}"),
    );
    for (student, recipe) in [
        ("01-plain", gcc),
        (
            "02-outside",
            "\t-touch /usr/bin/x /etc/x ../x\n\tgcc -DK=2 -o list list.c\n",
        ),
        ("03-network", "\tbash -c 'exec 3<>/dev/tcp/127.0.0.1/22'\n"),
        ("04-loop", "\twhile :; do :; done\n"),
        ("05-calls-itself", "\t$(MAKE) -B list\n"),
        ("06-link", "\tln -s /bin/true list\n"),
        ("07-folder", "\tmkdir list\n"),
        ("08-other-name", "\tgcc -DK=2 -o liste list.c\n"),
        ("09-no-tool", "\tno-such-tool list.c\n"),
        ("10-starts", "\tgcc -DK=2 -o gen list.c\n\t./gen > x\n"),
        (
            "11-script",
            "\tprintf '#!/usr/bin/env python3\\nprint(2 * int(input()))\\n' > list\n\tchmod +x list\n",
        ),
    ] {
        room = with_makefile(room, student, &format!("{begin}{recipe}"));
    }
    room = with_makefile(
        room,
        "12-windows",
        &format!("{begin}{gcc}").replace('\n', "\r\n"),
    );
    room = with_makefile(room, "13-file", "list: list.c util.c\n");
    room = with_makefile(room, "14-rule", "MAKEFLAGS += -r\nprogram:\n");
    let none = "`make list` made no program `list` that can be started";
    assert_eq!(
        rows(&room),
        [
            "01-plain AC 2".to_owned(),
            "02-outside AC 2".to_owned(),
            "03-network CE 0 does not compile".to_owned(),
            "04-loop CE 0 the build was stopped: it took more than 1 s".to_owned(),
            "05-calls-itself CE 0 does not compile".to_owned(),
            format!("06-link CE 0 {none}"),
            format!("07-folder CE 0 {none}"),
            format!("08-other-name CE 0 {none}"),
            "09-no-tool JE ? not installed: no-such-tool".to_owned(),
            "10-starts JE ? the build starts `./gen`, but in the sandbox a build cannot start what it has made: leave that out of the \
             `Makefile`"
                .to_owned(),
            "11-script AC 2".to_owned(),
            "12-windows AC 2".to_owned(),
            "13-file CE 0 does not compile The build needs `util.c`, but no file of this name was submitted.".to_owned(),
            "14-rule CE 0 does not compile The `Makefile` has no rule for `list`, or is not where it is looked for.".to_owned(),
        ]
    );
}

/// What is said if all submissions fail in what the author gave.
const OPEN: &str = "JE ? the problem's own part seems not to work here in C: every submission fails in it, and there is no sample in \
                        `submissions/accepted/` to tell:";

#[test]
fn an_authors_makefile_that_does_not_work_costs_nobody_points() {
    if !have(&["gcc", "make", "python3"]) {
        return;
    }
    for (makefile, error) in [
        ("list:\n\tfalse\n", "make: *** [Makefile:2: list] Error 1"),
        (
            "list:\n false\n",
            "Makefile:2: *** missing separator. Stop.",
        ),
        (
            "list: util.c\n",
            "make: *** No rule to make target 'util.c', needed by 'list'. Stop.",
        ),
        (
            "list: list.c twice.c\n\tgcc -DK=2 -o liste $^\n",
            "`make list` made no program `list` that can be started",
        ),
    ] {
        let room = task()
            .file("lab/list/Makefile", makefile)
            .students("list", &[("ann", RIGHT), ("bob", HALF_RIGHT)]);
        let open = ["ann", "bob"].map(|name| format!("{name} {OPEN} {error}"));
        assert_eq!(rows(&room), open);
    }
    let room = task()
        .replace(
            "lab/list/problem.toml",
            "\"make\", \"list\"",
            "\"no-such-tool\"",
        )
        .file("class/ann/list/list.c", MAIN);
    assert_eq!(rows(&room), ["ann JE ? not installed: no-such-tool"]);
    let checked = room.run(&["check", "lab"]);
    let said = checked.stdout + &checked.stderr;
    assert!(said.contains("list: not installed: no-such-tool"), "{said}");
}

#[test]
fn a_reference_in_the_same_language_is_built_by_the_command_too() {
    if !have(&["gcc", "make"]) {
        return;
    }
    let room = task()
        .replace("lab/list/problem.toml", "right.py", "right")
        .file("lab/list/right/list.c", MAIN)
        .file("lab/list/right/twice.c", TWICE)
        .students("list", &[("ann", HALF_RIGHT)]);
    assert_eq!(rows(&room), ["ann PC 1"]);
    let room = room.file("lab/list/Makefile", "list: list.c\n\tgcc -o $@ $^ util.c\n");
    assert_eq!(
        rows(&room),
        [
            "ann JE ? the problem's own part does not work here in C: `list.c`, which is right, does not compile: cc1: fatal error: util.c: \
             No such file or directory"
        ]
    );
}

#[test]
fn a_result_is_reused_until_the_command_or_what_it_reads_changes() {
    if !have(&["gcc", "make", "python3"]) {
        return;
    }
    let room = task().students("list", &[("ann", RIGHT)]);
    let origin = |room: &Room| {
        let results = graded(room, "./lab");
        let found = &problem(student(&results, "ann"), "list")["origin"];
        let because = found["because"].as_array().into_iter().flatten();
        let because: Vec<_> = because.map(|it| it.as_str().unwrap()).collect();
        format!("{} {}", found["kind"].as_str().unwrap(), because.join(" "))
    };
    assert_eq!([origin(&room), origin(&room)], ["ran ", "reused "]);
    let room = room.replace("lab/list/problem.toml", "\"make\", ", "\"make\", \"-B\", ");
    assert_eq!(
        [origin(&room), origin(&room)],
        ["ran judging toolchain", "reused "]
    );
    let room = room.replace("lab/list/Makefile", "-Wall", "-Wall -O1");
    assert_eq!([origin(&room), origin(&room)], ["ran judging", "reused "]);
}

#[test]
fn samples_kits_and_searches_build_by_the_command() {
    if !have(&["gcc", "make", "python3"]) {
        return;
    }
    let lucky = "int twice(int n) { return n == 7 ? 1 : K * n; }\n";
    let search = "[search]\ncases = { n = \"1..=9\" }\n";
    let room = task()
        .replace(
            "lab/list/problem.toml",
            REFERENCE,
            &format!("{REFERENCE}{search}"),
        )
        .file("lab/list/submissions/accepted/right/list.c", MAIN)
        .file("lab/list/submissions/accepted/right/twice.c", TWICE)
        .file("lab/list/submissions/wrong-answer/half/list.c", MAIN)
        .file("lab/list/submissions/wrong-answer/half/twice.c", HALF)
        .file("work/list/list.c", MAIN)
        .file("work/list/twice.c", lucky);
    let verified = room.run(&["verify", "lab"]);
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
    let found = room.run(&["stress", "work/list", "-a", "./lab", "--time", "600"]);
    assert!(found.stdout.starts_with("✗ n = 7  WA"), "{}", found.stdout);
    assert_eq!(room.run(&["bundle", "-o", "kit", "-a", "./lab"]).status, 0);
    let tested = room.run(&["test", "work/list", "-a", "./kit"]);
    assert_eq!(tested.status, 0, "{}{}", tested.stdout, tested.stderr);
    assert!(tested.stdout.contains("2 of 2 points"), "{}", tested.stdout);
}

#[test]
fn interactors_and_harnesses_run_what_the_command_built() {
    if !have(&["gcc", "make", "python3"]) {
        return;
    }
    let interactor = "import sys\nn = int(open(sys.argv[1]).read())\nprint(n, flush=True)\n\
                      sys.exit(42 if sys.stdin.readline().strip() == str(2 * n) else 43)\n";
    let class = |room: Room| room.students("list", &[("ann", RIGHT), ("bob", HALF_RIGHT)]);
    let room = class(task())
        .replace(
            "lab/list/problem.toml",
            "[checker.tokens]\n",
            "[interactor]\nsource = \"ask.py\"\n",
        )
        .replace("lab/list/problem.toml", REFERENCE, "")
        .file("lab/list/ask.py", interactor);
    assert_eq!(rows(&room), ["ann AC 2", "bob PC 1"]);

    let harness = "#include <stdio.h>\nint twice(int);\n\
                   static void test(FILE *f, int n) {\n\
                   fprintf(f, \"<testcase name=\\\"n%d\\\">%s</testcase>\", n, twice(n) == 2 * n ? \"\" : \"<failure/>\");\n}\n\
                   int main(void) {\nFILE *f = fopen(\"report.xml\", \"w\");\nfprintf(f, \"<testsuite>\");\ntest(f, 3);\ntest(f, 4);\n\
                   fprintf(f, \"</testsuite>\");\nfclose(f);\nreturn 0;\n}\n";
    let room = task()
        .replace(
            "lab/list/problem.toml",
            INCLUDED,
            "include = [\"Makefile\", \"main.c\"]\n",
        )
        .replace("lab/list/problem.toml", RUN, "[run]\nreport = \"junit\"\n")
        .replace("lab/list/problem.toml", REFERENCE, "")
        .replace("lab/list/problem.toml", CASES, "tests = [\"n3\", \"n4\"]\n")
        .file("lab/list/main.c", harness)
        .file("class/ann/list/list.c", TWICE)
        .file("class/bob/list/list.c", HALF)
        // What `make` would read instead of the author's.
        .file("class/bob/list/makefile", "list: list.c\n\tfalse\n");
    let room = room.replace(
        "lab/list/problem.toml",
        "[build]",
        "extra = [\"makefile\"]\n[build]",
    );
    let left_out = "`makefile` was left out: the task's own file of that name takes its place.";
    assert_eq!(
        rows(&room),
        ["ann AC 2".to_owned(), format!("bob PC 1 {left_out}")]
    );
}

#[test]
fn sanitizers_of_a_makefile_name_memory_errors_and_right_programs_pass() {
    if !have(&["gcc", "make", "python3"]) {
        return;
    }
    let room = task()
        .replace("lab/list/Makefile", "-Wall", "-g -fsanitize=address,undefined")
        .students("list", &[("ann", RIGHT)])
        .file("class/bob/list/list.c", MAIN)
        .file(
            "class/bob/list/twice.c",
            "#include <stdlib.h>\nint twice(int n) {\n  int *a = malloc(8);\n  a[2] = n;\n  return K * a[2];\n}\n",
        );
    let stopped = "AddressSanitizer stopped the program at a memory error: heap-buffer-overflow. Its report on standard error names the line.";
    let written =
        "`twice.c`, line 4: memory is written outside the bounds of what line 3 has allocated";
    let bob = format!("bob RE 0 {stopped} {written} {stopped}");
    assert_eq!(rows(&room), ["ann AC 2".to_owned(), bob]);
}

#[test]
fn a_bundle_for_gradescope_installs_the_tools_of_the_command() {
    let room = task().replace(
        "lab/list/problem.toml",
        "\"make\", \"list\"",
        "\"sh\", \"-c\", \"cmake . && make\"",
    );
    assert_eq!(
        room.run(&[
            "bundle",
            "--gradescope",
            "-a",
            "./lab",
            "-o",
            "autograder.zip"
        ])
        .status,
        0
    );
    let file = File::open(room.path("autograder.zip")).unwrap();
    let mut zip = ZipArchive::new(file).unwrap();
    let mut setup = String::new();
    let mut file = zip.by_name("setup.sh").unwrap();
    file.read_to_string(&mut setup).unwrap();
    assert!(setup.contains(" cmake g++ gcc libc6-dev make\n"), "{setup}");
}

#[test]
fn a_shell_starts_cmake() {
    if !have(&["gcc", "make", "cmake", "python3"]) {
        return;
    }
    let command = "[build]\ncommand = [\"sh\", \"-c\", \"cmake -S . -B build && make -C build\"]\nprogram = \"build/list\"\n";
    let room = task()
        .replace(
            "lab/list/problem.toml",
            INCLUDED,
            "include = [\"CMakeLists.txt\"]\n",
        )
        .replace("lab/list/problem.toml", MAKE, command)
        .file("lab/list/CMakeLists.txt", CMAKE)
        .file("class/ann/list/src/list.c", MAIN)
        .file("class/ann/list/my twice.c", TWICE)
        .students("list", &[("bob", HALF_RIGHT)]);
    assert_eq!(rows(&room), ["ann AC 2", "bob PC 1"]);
    let results = graded(&room, "./lab");
    let build = &problem(student(&results, "ann"), "list")["build"];
    let toolchain = build["toolchain"].as_str().unwrap();
    let tools: Vec<&str> = toolchain.split(", ").collect();
    assert!(
        matches!(tools[..], [_, cmake, make] if cmake.starts_with("cmake ") && make.starts_with("make ")),
        "{toolchain}"
    );
}

//! Undefined behaviour: line and cause are named for the programs of `tests/undefined`, and nothing is said of defined ones.
//!
//! Each program says its input, the right answer, and in which line what is named. Without `BITCRAFT_NIGHTLY`, only the
//! first one of each kind is tried: each costs several builds.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;
use std::slice::from_ref;

use serde_json::Value;

use crate::harness::{Room, have, is_nightly, problem, repository, student};

/// A program, as its comments describe it.
struct Program {
    name: String,
    file: String,
    text: String,
}

impl Program {
    fn comment(&self, mark: &str) -> Option<(usize, &str)> {
        let mut lines = self.text.lines().zip(1..);
        lines.find_map(|(line, number)| Some((number, line.split_once(mark)?.1)))
    }
}

fn programs(folder: &str, is_chosen: impl Fn(&str) -> bool) -> Vec<Program> {
    let folder = repository().join("grader/tests/undefined").join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut programs: Vec<Program> = paths
        .filter(|path| path.is_file())
        .map(|path| Program {
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            file: path.file_name().unwrap().to_str().unwrap().to_owned(),
            text: fs::read_to_string(&path).unwrap(),
        })
        .filter(|it| is_chosen(&it.name))
        .collect();
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    programs
}

/// A class in which Ann has submitted each program for a problem of its own, with these lines in the problem files.
fn graded(programs: &[Program], more: &str) -> Value {
    let mut assignment = "format = 1\nid = \"a\"\ntitle = \"A\"\n".to_owned();
    let mut room = Room::new();
    for program in programs {
        let name = &program.name;
        writeln!(assignment, "[[problem]]\npath = \"{name}\"\npoints = 1").unwrap();
        let [input, answer] = ["// input: ", "// answer: "]
            .map(|mark| program.comment(mark).unwrap().1.to_owned() + "\n");
        let file = format!(
            "format = 1\nid = \"{name}\"\ntitle = \"P\"\n[submission]\nfiles = [\"{name}.*\"]\n[limits]\ntime = \"5 s\"\n\
             [checker.tokens]\n{more}\n[[subtask]]\nname = \"all\"\npoints = 1\n\
             case = [{{ name = \"1\", stdin-file = \"1.in\", answer-file = \"1.ans\" }}]\n"
        );
        room = room
            .file(&format!("{name}/problem.toml"), file)
            .file(&format!("{name}/1.in"), input)
            .file(&format!("{name}/1.ans"), answer)
            .file(&format!("class/ann/{}", program.file), &program.text);
    }
    let room = room.file("assignment.toml", assignment);
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    assert_eq!(status, 0);
    results
}

/// What is said of a program: to the student, and to staff.
fn said(results: &Value, program: &Program) -> Vec<String> {
    let problem = problem(student(results, "ann"), &program.name);
    let case = &problem["subtasks"][0]["cases"][0];
    let hints = case["hints"].as_array().unwrap().iter();
    let flags = problem["flags"].as_array().unwrap().iter();
    let hints = hints.map(|it| it.as_str().unwrap().to_owned());
    let flags = flags.map(|it| format!("flag: {}", it["message"].as_str().unwrap()));
    hints.chain(flags).collect()
}

#[test]
fn line_and_cause_of_undefined_behaviour_are_named() {
    if !have(&["gcc", "g++"]) {
        return;
    }
    let few = [
        "dangling-2",
        "missing-return-1",
        "null-1",
        "pointer-1",
        "scanf-1",
        "uninitialised-1",
        "uninitialised-5",
        "uninitialised-6",
        "uninitialised-7",
        "unread-1",
        "unterminated-4",
    ];
    let programs = programs("", |name| is_nightly() || few.contains(&name));
    // One passes by chance.
    let results = graded(&programs, "[checks]\nall-programs = true");
    for program in &programs {
        let (line, cause) = program.comment("// undefined: ").unwrap();
        let said = said(&results, program);
        let start = format!("line {line}: {cause}");
        assert!(
            said.iter().any(|it| it.contains(&start)),
            "{start}\n{said:#?}"
        );
        // A pointer without a value is null only in the build that begins with zeros.
        let names_null = said.iter().any(|it| it.contains("null pointer"));
        assert_eq!(names_null, program.name.starts_with("null"), "{said:#?}");
    }
}

/// The ids of the processes with this name.
fn named(name: &str) -> BTreeSet<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().into_string().ok());
    // A process may end while it is looked at.
    let comm = |id: &String| fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
    ids.filter(|id| comm(id).trim_end() == name).collect()
}

/// It is waited for once, not in every run of every build.
#[test]
fn a_program_that_sleeps_with_sanitizers_only_does_not_hold_the_grader() {
    if !have(&["gcc"]) {
        return;
    }
    let name = format!("doze{}", std::process::id());
    let source = format!(
        "#include <stdio.h>\n#include <sys/prctl.h>\n#include <unistd.h>\n\
         int main(void) {{ int a, b; if (scanf(\"%d\", &a) != 1) return 1;\n\
         #ifdef __SANITIZE_ADDRESS__\nprctl(PR_SET_NAME, \"{name}\");\npause();\n#endif\n\
         if (a > 9) {{ a = b; }}\nprintf(\"%d\\n\", a);\nreturn 0; }}\n"
    );
    let cases =
        (1..5).map(|at| format!("{{ name = \"{at}\", stdin = \"{at}\\n\", answer = \"0\\n\" }}"));
    let cases: Vec<String> = cases.collect();
    let file = format!(
        "format = 1\nid = \"p\"\ntitle = \"P\"\n[submission]\nfiles = [\"p.*\"]\n[limits]\ntime = \"1 s\"\nwall = \"2 s\"\n\
         [checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\ncase = [{}]\n",
        cases.join(", ")
    );
    let room = Room::new()
        .file("p/problem.toml", file)
        .file(
            "assignment.toml",
            "format = 1\nid = \"a\"\ntitle = \"A\"\n[[problem]]\npath = \"p\"\npoints = 1\n",
        )
        .file("class/ann/p.c", source);
    let mut command = room.command(&["grade", "class", "-a", ".", "--csv", "-"]);
    let mut grader = command.stdout(Stdio::null()).spawn().unwrap();
    // Each sleeps for many times as long as it takes to look.
    let mut sleepers = BTreeSet::new();
    let status = loop {
        sleepers.append(&mut named(&name));
        if let Some(status) = grader.try_wait().unwrap() {
            break status;
        }
        std::thread::yield_now();
    };
    assert_eq!(
        (status.code(), sleepers.len()),
        (Some(0), 1),
        "{sleepers:?}"
    );
}

#[test]
fn nothing_is_said_of_programs_without_undefined_behaviour() {
    if !have(&["gcc", "g++"]) {
        return;
    }
    let few = ["all-paths-return", "right-hash", "stops-itself"];
    let programs = programs("defined", |name| is_nightly() || few.contains(&name));
    let results = graded(&programs, "[checks]\nall-programs = true");
    for program in &programs {
        let mut said = said(&results, program);
        // Other advice is about the answer.
        said.retain(|it| it.contains("line "));
        assert_eq!(said, [""; 0], "{}", program.name);
    }
}

#[test]
fn a_problem_can_turn_the_search_off_and_programs_that_pass_are_for_staff() {
    if !have(&["gcc", "g++"]) {
        return;
    }
    let failing = programs("", |name| name == "uninitialised-1");
    let off = graded(&failing, "[checks]\nundefined-behaviour = false");
    assert_eq!(said(&off, &failing[0]), [""; 0]);
    let passing = Program {
        name: "passes".to_owned(),
        file: "passes.c".to_owned(),
        text: PASSES.to_owned(),
    };
    let default = graded(from_ref(&passing), "");
    assert_eq!(said(&default, &passing), [""; 0]);
    let all = graded(from_ref(&passing), "[checks]\nall-programs = true");
    let expected = "flag: undefined behaviour; line 9: memory is read outside the bounds of what line 8 has allocated";
    assert_eq!(said(&all, &passing), [expected]);
}

/// The tie is the sixth case. It passes, by what the variable happens to be. A header of the search's name does not stop it.
#[test]
fn all_cases_of_programs_that_pass_are_tried() {
    if !have(&["gcc"]) {
        return;
    }
    let mut file = "format = 1\nid = \"p\"\ntitle = \"P\"\n[submission]\nfiles = [\"p.c\", \"grader-fill.h\"]\n[limits]\ntime = \"5 s\"\n\
                    [checker.tokens]\n[checks]\nall-programs = true\n[[subtask]]\nname = \"all\"\npoints = 1\ncase = ["
        .to_owned();
    for (at, (a, b)) in [(1, 2), (5, 3), (2, 9), (8, 7), (4, 6), (5, 5)]
        .iter()
        .enumerate()
    {
        let answer = if a == b { 0 } else { *a.min(b) };
        write!(
            file,
            "{{ name = \"{at}\", stdin = \"{a} {b}\\n\", answer = \"{answer}\\n\" }}, "
        )
        .unwrap();
    }
    let room = Room::new()
        .file("p/problem.toml", file + "]\n")
        .file(
            "assignment.toml",
            "format = 1\nid = \"a\"\ntitle = \"A\"\n[[problem]]\npath = \"p\"\npoints = 1\n",
        )
        .file("class/ann/p.c", TIE)
        .file("class/ann/grader-fill.h", "#error\n");
    let (_, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    let found = problem(student(&results, "ann"), "p");
    assert_eq!(
        (&found["verdict"], &found["hints"]),
        (&"AC".into(), &Value::Array(Vec::new()))
    );
    let expected = "undefined behaviour; line 7: `low` is used before it has a value; the result depends on the compiler";
    assert_eq!(found["flags"][0]["message"], expected);
}

/// Knows no tie.
const TIE: &str = "\
#include <stdio.h>
int main(void) {
    int a, b, low;
    scanf(\"%d %d\", &a, &b);
    if (a < b) low = a;
    else if (b < a) low = b;
    if (low == 1 && a == b) printf(\"1\\n\");
    else printf(\"%d\\n\", a == b ? 0 : low);
}
";

/// Reads a number that it does not need.
const PASSES: &str = "\
// input: 3
// answer: 3
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int n;
    scanf(\"%d\", &n);
    int *p = malloc(n * sizeof *p);
    volatile int last = p[n];
    printf(\"%d\\n\", n);
    free(p);
}
";

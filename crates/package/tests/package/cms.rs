//! Tasks of CMS: tests that are there, copied and generated, subtasks, checkers and stubs.

use crate::common::{Package, refused};

const TASK: &str =
    "name: sum\ntitle: Sum\ntime_limit: 1.5\nmemory_limit: 64\ntoken_mode: infinite\n";
const GEN: &str = "# N seed\n#ST: 0 # samples\n#COPY: att/input0.txt\n#ST: 40\n#STNAME: small\n1 2 # easy\n\n#ST: 60\n1000 3\n{x} 4\n";

fn task(yaml: &str, generated: &str) -> Package {
    Package::of(&[
        ("task.yaml", yaml),
        ("gen/GEN", generated),
        ("gen/generator.py", "from limits import *\nprint(1)\n"),
        ("gen/limits.py", "MAX = 3\n"),
        ("gen/other.py", ""),
        ("att/input0.txt", "1 2\n"),
        ("sol/solution.cpp", "int main() {}\n"),
    ])
}

/// Said of tasks without a checker.
const WORDS: &str = "outputs are compared by words; CMS also compares where lines end";

#[test]
fn a_task_with_a_generator_is_a_problem() {
    let package = task(TASK, GEN)
        .file("gen/valida.py", "import sys\n")
        .file("cor/correttore.cpp", "int main() {}\n")
        .file("sol/slow.cpp", "")
        .file("sol/fast.cpp", "// @check-accepted: *\n")
        .file("statement/english.tex", "Sum");
    let imported = package.imported(&[
        "1 solution is not used, as the package does not say what they must get: `sol/slow.cpp`",
    ]);
    let paths = [
        "checker/correttore.cpp",
        "data/subtask-1/000.in",
        "generator/generator.py",
        "generator/limits.py",
        "problem.toml",
        "statement/english.tex",
        "submissions/accepted/fast.cpp",
        "submissions/accepted/solution.cpp",
        "validator/valida.py",
    ];
    assert_eq!(imported.paths(), paths);
    let problem = imported.text("problem.toml");
    let (head, _) = problem.split_once("[limits.languages").unwrap();
    assert_eq!(
        head,
        r#"format = 1
id = "evil"
title = "Sum"

[submission]
files = ["evil.*"]

[build.flags]
c = ["-DEVAL"]
cpp = ["-DEVAL"]

[run]
input-file = "input.txt"
output-file = "output.txt"

[limits]
time = "1.5 s"
memory = "64 MiB"
output = "64 MiB"

"#
    );
    let (_, rest) = problem.split_once("[reference]").unwrap();
    let validator = |number| {
        format!(
            "\n[subtask.validator]\nsource = \"validator\"\narguments = [\"/dev/stdin\", \"{number}\"]\n"
        )
    };
    let case = |name, arguments| {
        format!("\n[[subtask.case]]\nname = \"{name}\"\ngenerate = \"generator {arguments}\"\n")
    };
    let expected = [
        "\npath = \"submissions/accepted/solution.cpp\"\n\n[checker.program]\nprotocol = \"cms\"\nsource = \"checker\"\n".to_owned(),
        "\n[[subtask]]\nname = \"subtask-1\"\npoints = 0\nscore = \"worst\"\nfolder = \"data/subtask-1\"\n".to_owned(),
        validator(1),
        "\n[[subtask]]\nname = \"small\"\npoints = 40\nscore = \"worst\"\nhidden = true\n".to_owned(),
        validator(2),
        case("001", "1 2"),
        "\n[[subtask]]\nname = \"subtask-3\"\npoints = 60\nscore = \"worst\"\nhidden = true\n".to_owned(),
        validator(3),
        case("002", "1000 3"),
        case("003", "{{x}} 4"),
    ];
    assert_eq!(rest, expected.concat());
}

#[test]
fn tests_that_are_there_take_precedence_and_score_types_are_those_of_cms() {
    let yaml = "nome: Somma\ntimeout: 1\nmemlimit: 64\ninfile: ''\noutfile: ''\nn_input: 3\n";
    let tests = |package: Package| {
        (0..3).fold(package, |it, number| {
            it.file(&format!("input/input{number}.txt"), "1\n")
                .file(&format!("output/output{number}.txt"), "1\n")
        })
    };
    let [sum, min] = [
        "score_type: Sum\nscore_type_parameters: 5\n",
        "score_type: GroupMin\nscore_type_parameters: [[30, 1], [70, 2]]\n",
    ];
    let whole = |name, points, score| {
        format!(
            "name = \"{name}\"\npoints = {points}\nscore = \"{score}\"\nhidden = true\nfolder = \"data/{name}\"\n"
        )
    };
    let two = format!(
        "{}\n[[subtask]]\n{}",
        whole("subtask-1", 30, "all"),
        whole("subtask-2", 70, "all")
    );
    for (more, subtasks) in [
        ("", whole("tests", 100, "sum")),
        (sum, whole("tests", 15, "sum")),
        (min, two),
    ] {
        let package = Package::of(&[("task.yaml", &format!("{yaml}{more}"))]);
        let imported = tests(package).imported(&[WORDS]);
        assert_eq!(imported.subtasks(), subtasks);
        let problem = imported.table();
        assert!(!problem.contains_key("run") && !problem.contains_key("reference"));
        assert_eq!(problem["checker"].to_string(), "{ tokens = {} }");
    }
    let package = Package::of(&[("task.yaml", "time_limit: 1\nn_input: 3\n")]);
    let unlimited = "the package has no memory limit: `[limits]` gets 512 MiB, for you to change";
    let imported = tests(package).imported(&[WORDS, unlimited]);
    assert_eq!(
        imported.table()["limits"]["memory"].as_str(),
        Some("512 MiB")
    );
    // The generator is not needed, although it is in Python 2.
    let package = task(yaml, "1\n2\n3\n").file("gen/limits.py", "print 'x'\n");
    tests(package).imported(&["`att` is not used", WORDS]);
}

#[test]
fn graders_are_compiled_with_submissions_in_their_languages() {
    let package = task(TASK, "1\n")
        .file("sol/grader.cpp", "int main() {}\n")
        .file("sol/grader.pas", "")
        .file("sol/sum.h", "int sum();\n");
    let imported = package.imported(&[
        "`att` is not used",
        "`sol/grader.pas` is not used",
        WORDS,
        "submissions must not define `main`",
    ]);
    let submission = imported.table()["submission"].to_string();
    assert_eq!(
        submission,
        r#"{ files = ["evil.*"], include = ["include/grader.cpp", "include/sum.h"], languages = ["cpp"] }"#
    );
}

#[test]
fn what_needs_the_judge_of_cms_is_refused() {
    let with = |path: &str, text: &str| task(TASK, GEN).file(path, text);
    let more = |yaml: &str| task(&format!("{TASK}{yaml}"), GEN);
    for (package, message) in [
        (
            more("output_only: true\n"),
            "students submit outputs (`output_only`): only programs are supported",
        ),
        (
            with("cor/manager.cpp", ""),
            "tasks of the type Communication (`manager`) are not supported",
        ),
        (
            with("check/checker", "\u{7f}ELF"),
            "`check/checker`: the source of the checker is not in the package",
        ),
        (
            with("check/checker.py", "print 3\n"),
            "`check/checker.py`: it is in Python 2",
        ),
        (
            more("n_input: 3\n"),
            "`gen/GEN`: expected 3 tests (`n_input`), found 4",
        ),
        (
            with("sol/grader.pas", ""),
            "programs call `sol/grader.pas`: only graders in C and C++ are supported",
        ),
        (
            with("gen/cases.gen", ""),
            "`gen/cases.gen` is not supported: run task-maker, which writes `gen/GEN`, and import again",
        ),
        (
            with("gen/limits.py", "print 3\n"),
            "`gen/generator.py`: it is in Python 2: run `cmsMake` there, which writes `input` and `output`, and import again",
        ),
        (
            more("n_input: 4\nscore_type: GroupThreshold\nscore_type_parameters: [[1, 4, 2]]\n"),
            "the score type `GroupThreshold` is not supported",
        ),
        (
            task(TASK, "#ST: 5\n1\n#STDEP: x\n"),
            "`gen/GEN`: line 3: `#STDEP:` is not supported",
        ),
    ] {
        refused(&package, message);
    }
}

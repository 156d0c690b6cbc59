//! Bundled problems, and small ones, exported for other judges.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use grader_language::Languages;
use grader_model::SourceFile;
use grader_package::{ExportOptions, Exported, ImportOptions, PackageError, export};
use grader_problem::{DiskLibrary, MemoryLibrary, TestData, load_problem, load_samples};

use crate::common::{files, read};
use crate::round_trip::FORMATS;
use crate::snapshots::{assert_kept, drawn};

/// A problem in memory.
struct Exporter {
    files: BTreeMap<String, Vec<u8>>,
}

impl Exporter {
    /// A bundled problem with a few of its samples and cases.
    fn bundled(problem: &str, samples: &[&str], cases: (&str, &str)) -> Self {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems");
        let mut files = files(&top.join(problem));
        let samples = samples.iter().map(|it| format!("submissions/{it}"));
        let samples: Vec<String> = samples.collect();
        files.retain(|path, _| !path.starts_with("submissions/") || samples.contains(path));
        let text = String::from_utf8(files["problem.toml"].clone()).unwrap();
        let text = text.replace(cases.0, cases.1);
        files.insert("problem.toml".to_owned(), text.into_bytes());
        Self { files }
    }

    fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter();
        let files = files.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Self {
            files: files.collect(),
        }
    }

    /// Exports the problem, whose answers are these.
    fn export(&self, answers: &[&str], options: ExportOptions) -> Result<Exported, PackageError> {
        let library = MemoryLibrary::new("", self.files.clone());
        let builtins = ["board", "gray-code"];
        let problem = load_problem(&library, "", &builtins, &Languages::built_in()).unwrap();
        let samples = load_samples(&library, &problem).unwrap();
        let cases = problem.subtasks.iter().flat_map(|it| &it.cases);
        let data = cases.zip(answers).map(|(case, answer)| TestData {
            input: case.input.clone(),
            answer: Arc::from(answer.as_bytes()),
        });
        let data: Vec<TestData> = data.collect();
        let statements = self.files.iter();
        let statements = statements.filter(|(path, _)| path.starts_with("statement"));
        let statements = statements.map(|(path, it)| SourceFile::new(path.clone(), it.clone()));
        let statements: Vec<_> = statements.collect();
        export(&problem, &samples, &statements, &data, options)
    }

    /// Exports the problem, and imports that package. Both are kept.
    fn there_and_back(&self, name: &str, answers: &[&str], options: ExportOptions) {
        let exported = self.export(answers, options).unwrap();
        let text = drawn(&exported.notes, &exported.files, &self.files);
        assert_kept(&format!("export-{name}"), &text);
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in &exported.files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let package = DiskLibrary::new(folder.path()).with_links_into(folder.path());
        let again = read(&package, name, &ImportOptions::default()).unwrap();
        again.problem();
        let text = drawn(&again.notes, &again.files, &exported.files);
        assert_kept(&format!("export-{name}-again"), &text);
    }
}

/// `grader/tests/cli/export.rs` judges the samples of these two.
#[test]
fn a_problem_with_a_built_in_checker_and_arguments() {
    let samples = [
        "accepted/backtracking.c",
        "accepted/backtracking.rs",
        "accepted/sets.py",
        "compile-error/MissingBrace.java",
        "presentation-error/other-symbols.c",
        "runtime-error/exit-status-one.c",
        "wrong-answer/phantom-queen.cpp",
    ];
    let problem = Exporter::bundled("n-queens/board", &samples, ("4..=16", "6, 12"));
    problem.there_and_back("board", &["six\n", "twelve\n"], FORMATS[0].1);
}

#[test]
fn a_problem_with_a_checker_of_testlib() {
    let samples = ["accepted/xor-shift.c", "wrong-answer/ordinary-binary.c"];
    let problem = Exporter::bundled("bit-practice/gray-code", &samples, ("1..=10", "2..=3"));
    problem.there_and_back(
        "gray",
        &["two\n", "three\n", "two\n", "three\n"],
        FORMATS[0].1,
    );
}

const PROBLEM: &str = "format = 1\nid = \"a\"\ntitle = \"A\"\n\n[submission]\nfiles = [\"a.*\"]\n";
const CASES: &str = "\n[limits]\ntime = \"1 s\"\n\n[[subtask]]\nname = \"all\"\npoints = 1\n\n[[subtask.case]]\nname = \"one\"\nanswer = \"1\"\n";

#[test]
fn what_the_format_cannot_express_is_refused() {
    let refusal = |text: String| {
        let exporter = Exporter::of(&[("problem.toml", &text), ("main.c", "")]);
        exporter
            .export(&["1", "1"], ExportOptions::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refusal(format!(
            "{PROBLEM}include = [\"main.c\"]\n\n[checker.exact]\n{CASES}"
        )),
        "problems with `include` are not supported"
    );
    assert_eq!(
        refusal(format!(
            "{PROBLEM}languages = [\"c\"]\n\n[build]\ncommand = [\"make\"]\nprogram = \"a\"\n\n[checker.exact]\n{CASES}"
        )),
        "problems with a `command` in `[build]` are not supported"
    );
    assert_eq!(
        refusal(format!(
            "{PROBLEM}\n[checker.exact]\n{CASES}arguments = [\"two words\"]\n"
        )),
        "arguments with spaces are not supported, found `two words`"
    );
    for key in ["exit-status = 1", "stderr = \"usage\""] {
        assert_eq!(
            refusal(format!("{PROBLEM}\n[checker.exact]\n{CASES}{key}\n")),
            "problems with `exit-status` or `stderr` are not supported"
        );
    }
    let contains = format!("{PROBLEM}\n[checker.contains]\n{CASES}");
    assert_eq!(refusal(contains), "the checker `contains` is not supported");
    // The samples of the package are the first of each public subtask.
    let subtask = |name: &str, case: &str| {
        format!(
            "\n[[subtask]]\nname = \"{name}\"\npoints = 1\n\n[[subtask.case]]\nname = \"{case}\"\nstdin = \"{name}\"\nanswer = \"1\"\n"
        )
    };
    let (one, other) = (subtask("a", "b-c"), subtask("a-b", "c"));
    assert_eq!(
        refusal(format!(
            "{PROBLEM}\n[checker.exact]\n\n[limits]\ntime = \"1 s\"\n{one}{other}"
        )),
        "two files of the package would be `data/sample/a-b-c.in`"
    );
}

#[test]
fn what_is_hidden_is_no_sample_of_the_package_though_it_is_worth_nothing() {
    let text = format!("{PROBLEM}\n[checker.tokens]\n{CASES}").replace(
        "points = 1\n",
        "points = 0\nhidden = true\n\n[[subtask.case]]\nname = \"two\"\nanswer = \"2\"\n",
    );
    let exported =
        Exporter::of(&[("problem.toml", &text)]).export(&["2", "1"], ExportOptions::default());
    let files = exported.unwrap().files;
    let data = files.keys().filter(|path| path.starts_with("data/"));
    assert_eq!(
        data.collect::<Vec<_>>(),
        [
            "data/secret/all/1-two.ans",
            "data/secret/all/1-two.in",
            "data/secret/all/2-one.ans",
            "data/secret/all/2-one.in",
            "data/secret/all/testdata.yaml",
            "data/secret/testdata.yaml",
            "data/testdata.yaml",
        ]
    );
}

#[test]
fn a_validator_may_accept_with_0() {
    let exported = |text: String, files: &[(&str, &str)]| {
        let files = [&[("problem.toml", &*text)], files].concat();
        let exported = Exporter::of(&files).export(&["1"], ExportOptions::default());
        let Exported { files, notes } = exported.unwrap();
        let paths = files
            .into_keys()
            .filter_map(|path| Some(path.strip_prefix("input_validators/")?.to_owned()));
        let notes = notes.into_iter().filter(|note| note.contains("validator"));
        paths.chain(notes).collect::<Vec<_>>()
    };
    let with = |source: &str| {
        format!("{PROBLEM}\n[validator]\nsource = \"{source}\"\n\n[checker.exact]\n{CASES}")
    };
    for (source, wanted) in [
        ("check.py", &["validator/check.py", "validator/main.py"][..]),
        (
            "check.cpp",
            &["validator/as_input_validator.cpp", "validator/check.cpp"],
        ),
        (
            "check.c",
            &["validator/as_input_validator.c", "validator/check.c"],
        ),
        ("check.ctd", &["check.ctd"]),
        (
            "check.rs",
            &[
                "check.rs",
                "the validator must end with 42 if it accepts: 0 is not enough in the package",
            ],
        ),
    ] {
        assert_eq!(exported(with(source), &[(source, "")]), wanted);
    }
    // Several, of which one has no arguments.
    let both = "[[validator]]\nsource = \"check.py\"\n\n[[validator]]\nsource = \"v.ctd\"\n";
    assert_eq!(
        exported(
            format!("{PROBLEM}\n{both}\n[checker.exact]\n{CASES}"),
            &[("check.py", ""), ("v.ctd", "")]
        ),
        [
            "validator-1/check.py",
            "validator-1/main.py",
            "validator-2/v.ctd"
        ]
    );
    let arguments = with("check.py") + "arguments = [\"1\"]\n";
    assert_eq!(
        exported(arguments, &[("check.py", "")]),
        [
            "input.cpp",
            "the validator is not exported: it does not know the line of arguments"
        ]
    );
}

#[test]
fn what_a_package_judges_otherwise_is_noted() {
    let exported = |head: &str, checker: &str| {
        let text = format!(
            "{PROBLEM}\n{head}\n{}",
            CASES.replace("\"1 s\"", "{ reference = 0.5 }")
        );
        let text = text.replace("\n[limits]", "\n[reference]\npath = \"r.c\"\n\n[limits]");
        let files = [
            ("problem.toml", &*text),
            ("check.cpp", checker),
            ("r.c", ""),
        ];
        let exported = Exporter::of(&files).export(&["1"], ExportOptions::default());
        let notes = exported.unwrap().notes.into_iter();
        let is_wanted = |it: &String| ["checker", "time"].iter().any(|word| it.contains(word));
        notes.filter(is_wanted).collect::<Vec<_>>()
    };
    let time = [
        "the multiple of the time limit becomes 1: the format has none below",
        "the time limit is a multiple of the slowest accepted submission's time there, not of the reference's, without an allowance for the start, in whole seconds",
    ];
    let head = "[checker.program]\nsource = \"check.cpp\"\n";
    assert_eq!(
        exported(head, "score.txt"),
        [
            "the checker must write a score if it accepts, and only then: all else is a judge error for problemtools",
            time[0],
            time[1]
        ]
    );
    let head = "[checker.program]\nsource = \"check.cpp\"\nprotocol = \"testlib\"\n";
    assert_eq!(
        exported(head, "quitf(_pc(5))"),
        [
            "the checker's partial scores are not exported: such outputs are wrong in the package",
            time[0],
            time[1]
        ]
    );
}

/// The notes on a problem in a format, but for those on limits, and on a statement and a validator that are missing.
fn noted(files: &[(&str, &str)], format: usize, pass_fail: bool) -> Vec<String> {
    let options = ExportOptions {
        pass_fail,
        ..FORMATS[format].1
    };
    let exported = Exporter::of(files).export(&["1", "1"], options).unwrap();
    let others = ["limits of", "the output limit", "there is no"];
    let is_other = |note: &String| others.iter().any(|it| note.starts_with(it));
    let notes = exported.notes.into_iter();
    notes.filter(|note| !is_other(note)).collect()
}

#[test]
fn what_a_checker_that_writes_scores_means_elsewhere_is_noted() {
    let subtask = |name: &str, rest: &str| {
        format!(
            "\n[[subtask]]\nname = \"{name}\"\npoints = 2\nhidden = true\n{rest}\n[[subtask.case]]\nname = \"one\"\nstdin = \"{name} \"\nanswer = \"1\"\n"
        )
    };
    let problem = |subtasks: &str| {
        format!(
            "{PROBLEM}\n[checker.program]\nsource = \"check.py\"\n\n[limits]\ntime = \"1 s\"\n{subtasks}"
        )
    };
    let check = ("check.py", "open(\"score.txt\")");
    let notes = |subtasks: &str, pass_fail: bool| {
        let text = problem(subtasks);
        let files = [("problem.toml", &*text), check];
        [0, 1].map(|format| noted(&files, format, pass_fail))
    };
    let must = "the checker must write a score if it accepts, and only then: all else is a judge error for problemtools";
    let never =
        "the checker writes scores, which is a judge error for problemtools in a pass-fail package";
    let all = subtask("a", "score = \"all\"\n");
    assert_eq!(
        notes(&all, false),
        [
            vec![
                "subtask `a`: an output that is worth a part earns it in the package, not nothing",
                must,
            ],
            vec!["subtask `a`: a score that the checker writes is a judge error in the package"],
        ]
    );
    let given = "the package is pass-fail: points are not exported, as `--pass-fail` is given";
    assert_eq!(notes(&all, true), [vec![never, given], vec![given]]);
    // No package can say that a part of the points is not enough.
    let chain = subtask("a", "score = \"worst\"\n") + &subtask("b", "require = [\"a\"]\n");
    let part = "the package is pass-fail: points are not exported, as a subtask that others require is worth a part of its points";
    assert_eq!(notes(&chain, false), [vec![never, part], vec![part]]);
    // A header may have more functions than a program calls.
    let header = |program: &str| {
        let text = problem(&all).replace("check.py", "check");
        let text = text.replace("points = 2", "points = 1");
        let files = [
            ("problem.toml", &*text),
            ("check/check.cc", program),
            ("check/validate.h", "open(\"score.txt\")"),
        ];
        noted(&files, 0, true)
    };
    let unused =
        "the checker gives no scores in the package: only a header of it names `score.txt`";
    assert_eq!(header("accept();"), [unused]);
    assert_eq!(header("accept_with_score(1);"), [never, given]);
    // What is worth nothing may require what is worth a part.
    let sample = subtask("b", "require = [\"a\"]\n");
    let sample = sample.replace("points = 2\nhidden = true", "points = 0");
    let text = problem(&(subtask("a", "score = \"worst\"\n") + &sample));
    let files = [("problem.toml", &*text), check];
    let exported = Exporter::of(&files).export(&["1", "1"], FORMATS[1].1);
    let settings = exported.unwrap().files["data/secret/a/test_group.yaml"].clone();
    assert_eq!(
        String::from_utf8(settings).unwrap(),
        "max_score: 2\nscore_aggregation: \"min\"\n"
    );
}

#[test]
fn what_the_package_does_not_say_of_a_sample_is_noted() {
    let text = format!("{PROBLEM}\n[checker.exact]\n{CASES}arguments = [\"1\"]\n");
    let expected = "[\"wrong-answer/a\"]\nbecause = \"adds\"\nflags = [\"same-answer\"]\n";
    let files = [
        ("problem.toml", &*text),
        ("submissions/expected.toml", expected),
        ("submissions/wrong-answer/a/a.cpp", "int main() {}"),
        ("submissions/wrong-answer/b/a.cpp", "int main() {}"),
        ("submissions/wrong-answer/b/arguments.cpp", "int a;"),
    ];
    let problem = Exporter::of(&files);
    let exported = problem.export(&["1"], FORMATS[0].1).unwrap();
    let paths = exported.files.keys();
    let paths = paths.filter_map(|path| path.strip_prefix("submissions/"));
    assert_eq!(
        paths.collect::<Vec<_>>(),
        ["wrong_answer/a/a.cpp", "wrong_answer/a/arguments.cpp"]
    );
    assert_eq!(
        noted(&files, 0, false),
        [
            "1 sample is expected to do something else in the package than `expected.toml` says, such as `wrong-answer/a`",
            "`because` in `expected.toml` is not exported",
            "`flags` in `expected.toml` are not exported",
            "not exported, as the file that reads arguments there has the name of one of theirs: `wrong-answer/b`",
            "students see the cases of `all` here; the package's are secret, and its samples are copies of some",
        ]
    );
    // Arguments are arguments there, so nothing is added.
    let exported = problem.export(&["1"], FORMATS[1].1).unwrap();
    assert_eq!(
        exported.files["submissions/wrong_answer/b/arguments.cpp"],
        b"int a;"
    );
}

#[test]
fn where_arguments_are_stands_in_front_of_the_text() {
    let text = format!("{PROBLEM}\n[checker.exact]\n{CASES}arguments = [\"1\"]\n");
    let files = [
        ("problem.toml", &*text),
        ("statement.en.md", "Add\ntwo numbers.\n"),
        (
            "statement/problem.sv.tex",
            "% A\n\\problemname{A}\nAdd\nto.\n",
        ),
        ("statement/#problem.en.tex#", ""),
    ];
    let exported = Exporter::of(&files).export(&["1"], FORMATS[0].1).unwrap();
    let note =
        "not exported, as the format does not allow these characters in names: `#problem.en.tex#`";
    assert!(exported.notes.contains(note), "{:?}", exported.notes);
    let statement = |file: &str| {
        let bytes = exported.files[&format!("problem_statement/problem.{file}")].clone();
        String::from_utf8(bytes).unwrap()
    };
    let about = "The arguments are on the first line of standard input.\n\n";
    assert_eq!(statement("en.md"), format!("{about}Add\ntwo numbers.\n"));
    assert_eq!(
        statement("sv.tex"),
        format!("% A\n\\problemname{{A}}\n\n{about}Add\nto.\n")
    );
}

/// The validator is run by hand: `.ci/export` lets the tools of others run it.
#[test]
fn an_input_validator_is_made_for_whole_numbers() {
    let made = |inputs: &[&str]| {
        let cases = inputs.iter().enumerate().map(|(index, input)| {
            format!("\n[[subtask.case]]\nname = \"{index}\"\nstdin = {input:?}\nanswer = \"1\"\n")
        });
        let text = format!(
            "{PROBLEM}\n[checker.exact]\n\n[limits]\ntime = \"1 s\"\n\n[[subtask]]\nname = \"all\"\npoints = 1\n{}",
            cases.collect::<String>()
        );
        let answers = vec!["1"; inputs.len()];
        let exported = Exporter::of(&[("problem.toml", &text)]).export(&answers, FORMATS[0].1);
        let source = exported
            .unwrap()
            .files
            .remove("input_validators/input.cpp")?;
        let source = String::from_utf8(source).unwrap();
        let lines = source.lines().map(str::trim);
        let lines = lines.filter(|line| line.contains("IS_PLAIN =") || line.contains("LL"));
        Some(lines.map(str::to_owned).collect::<Vec<_>>())
    };
    let of = |is_plain: bool, smallest: &str, largest: &str| {
        let plain = format!("const bool IS_PLAIN = {is_plain};");
        let check = format!(
            "if (end != word.size() || value < {smallest}LL || value > {largest}LL) return 43;"
        );
        Some(vec![plain, check])
    };
    assert_eq!(made(&["3\n-1 2\n", "7\n\n"]), of(true, "-1", "7"));
    for text in ["3 \n", "3", "03\n", "+3\n", "3  3\n", "3\r\n"] {
        assert_eq!(made(&[text]), of(false, "3", "3"), "{text:?}");
    }
    let none = of(true, "9223372036854775807", "-9223372036854775807");
    assert_eq!(made(&[""]), none);
    for text in [
        "3.0\n",
        "a\n",
        "-9223372036854775808\n",
        "9223372036854775808\n",
    ] {
        assert_eq!(made(&[text]), None, "{text}");
    }
}

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use grader_intake::{Student, Submission};
use grader_language::{Languages, tokens};
use grader_model::{ProblemId, Verdict};
use grader_problem::{DiskLibrary, Reference, load_problem, load_samples};

use super::*;
use crate::tests::doubling;

const PROBLEMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../problems");

/// A class in which each student submitted these files.
fn class(submissions: Vec<(String, Vec<SourceFile>)>) -> Class {
    let students = submissions.into_iter().map(|(id, sources)| {
        let language = Some(language_of(&sources[0].path).id);
        let shown = sources.iter().map(|source| source.path.clone()).collect();
        let submission = Submission::in_memory(sources, shown, language);
        Student {
            id: StudentId::new(id),
            submissions: BTreeMap::from([(ProblemId::new("double"), submission)]),
            ..Student::default()
        }
    });
    Class {
        students: students.collect(),
        ..Class::default()
    }
}

/// The language of a file by its name.
fn language_of(path: &str) -> Arc<Language> {
    Arc::clone(Languages::built_in().of_file_name(path).unwrap())
}

/// The groups in a class, as `kind: students = problem files`.
fn groups(problem: &Problem, samples: &[Sample], class: &Class) -> Vec<String> {
    let groups = of_problem(problem, samples, class);
    let shown = groups.iter().map(|group| {
        let students: Vec<&str> = group.students.iter().map(StudentId::as_str).collect();
        let (students, given) = (students.join(" "), group.given.join(" "));
        format!("{:?}: {students} = {given}", group.kind)
    });
    shown.collect()
}

fn any_problem() -> Arc<Problem> {
    Arc::clone(&doubling(|_| ()).problems[0].problem)
}

fn file(path: &str, bytes: impl Into<Vec<u8>>) -> Vec<SourceFile> {
    vec![SourceFile::new(path, bytes.into())]
}

/// A program with each token changed.
fn rewritten(path: &str, text: &str, change: impl Fn(usize, TokenKind, &str) -> String) -> String {
    let syntax = language_of(path).definition.syntax;
    let (mut rewritten, mut end) = (String::new(), 0);
    for (index, token) in tokens(text, syntax).into_iter().enumerate() {
        rewritten += &text[end..token.at];
        rewritten += &change(index, token.kind, token.text);
        end = token.at + token.text.len();
    }
    rewritten + &text[end..]
}

/// Twelve disguises of a program, each with the similarity that is detected.
fn disguises(path: &str, text: &str) -> [(&'static str, Option<Similarity>, Vec<u8>); 12] {
    let id = language_of(path).id;
    let (open, close) = match id {
        LanguageId::Python => ("#", ""),
        LanguageId::Pascal => ("{", "}"),
        _ => ("/*", "*/"),
    };
    let change = |change: &dyn Fn(usize, TokenKind, &str) -> String| {
        rewritten(path, text, change).into_bytes()
    };
    let renamed = |index: usize, kind: TokenKind, token: &str| match kind {
        TokenKind::Name if index > 20 => format!("my_{token}"),
        _ => token.to_owned(),
    };
    let header = format!("{open} 作者：李雷 {close}\n");
    let utf16 = format!("\u{feff}{text}");
    // `李雷` in GBK.
    let gbk = [
        open.as_bytes(),
        b" \xc0\xee\xc0\xd7 ",
        close.as_bytes(),
        b"\n",
        text.as_bytes(),
    ];
    let (first, second) = text.split_at(text[..text.len() / 2].rfind('\n').unwrap() + 1);
    let (bytes, tokens) = (Some(Similarity::Bytes), Some(Similarity::Tokens));
    [
        ("renamed", tokens, change(&renamed)),
        ("header", tokens, (header.clone() + text).into_bytes()),
        (
            "comments",
            tokens,
            text.replace('\n', &format!(" {open} why? {close}\n"))
                .into_bytes(),
        ),
        (
            "layout",
            tokens,
            text.replace(' ', "\t")
                .replace('\n', "\n\n   ")
                .into_bytes(),
        ),
        (
            "messages",
            tokens,
            change(&|_, kind, token| match kind {
                TokenKind::Quoted => "'x'".to_owned(),
                _ => token.to_owned(),
            }),
        ),
        ("crlf", bytes, text.replace('\n', "\r\n").into_bytes()),
        ("blanks", bytes, text.replace('\n', "  \n\n").into_bytes()),
        ("bom", bytes, utf16.clone().into_bytes()),
        (
            "utf16",
            bytes,
            utf16.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        ),
        ("gbk", tokens, gbk.concat()),
        // These are different programs: only a tool that measures similarity recognises them.
        ("reordered", None, [second, first].concat().into_bytes()),
        (
            "constants",
            None,
            change(&|_, kind, token| match kind {
                TokenKind::Number => "7".to_owned(),
                _ => token.to_owned(),
            }),
        ),
    ]
}

#[test]
fn a_disguise_that_keeps_the_tokens_is_found_in_every_language() {
    let sample = |path: &str| {
        let text = fs::read_to_string(Path::new(PROBLEMS).join(path)).unwrap();
        (path.rsplit('/').next().unwrap().to_owned(), text)
    };
    let programs = [
        sample("n-queens/annealing/submissions/accepted/annealing.c"),
        sample("n-queens/board/submissions/accepted/bit-masks.cpp"),
        sample("n-queens/annealing/submissions/accepted/Annealing.java"),
        sample("n-queens/board/submissions/accepted/sets.py"),
        sample("n-queens/count/submissions/accepted/half_board.rs"),
        sample("n-queens/board/submissions/accepted/backtracking.pas"),
        ("count.go".to_owned(), include_str!("count.go").to_owned()),
        ("count.js".to_owned(), include_str!("count.js").to_owned()),
    ];
    for (path, text) in programs {
        for (name, kind, bytes) in disguises(&path, &text) {
            let class = class(vec![
                ("ann".to_owned(), file(&path, text.as_str())),
                (name.to_owned(), file(&path, bytes)),
            ]);
            let expected: Vec<String> = kind
                .map(|kind| format!("{kind:?}: ann {name} = "))
                .into_iter()
                .collect();
            assert_eq!(groups(&any_problem(), &[], &class), expected, "{path}");
        }
    }
}

/// Submits all sample programs of the bundled problems for one problem.
#[test]
fn no_two_programs_that_were_written_independently_are_the_same() {
    let mut submissions = Vec::new();
    let library = DiskLibrary::new(PROBLEMS);
    let bundled = fs::read_dir(Path::new(PROBLEMS).join("../reference")).unwrap();
    let bundled = bundled.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let bundled: Vec<String> = bundled.collect();
    let references: Vec<&str> = bundled.iter().map(String::as_str).collect();
    let languages = Languages::built_in();
    for assignment in ["n-queens", "bit-practice"] {
        for entry in fs::read_dir(Path::new(PROBLEMS).join(assignment)).unwrap() {
            let entry = entry.unwrap();
            if entry.path().is_dir() {
                let name = entry.file_name().into_string().unwrap();
                let folder = format!("{assignment}/{name}");
                let problem = load_problem(&library, &folder, &references, &languages).unwrap();
                let samples = load_samples(&library, &problem).unwrap().into_iter();
                submissions.extend(samples.map(|it| (format!("{folder}/{}", it.path), it.sources)));
            }
        }
    }
    assert!(submissions.len() >= 200, "{}", submissions.len());
    let class = class(submissions);
    assert_eq!(groups(&any_problem(), &[], &class), [""; 0]);
}

#[test]
fn files_of_the_problem_are_named_and_short_programs_need_the_same_text() {
    let long = "int f(int n) { return n * (n + 1) / 2; }\n".repeat(5);
    let starter = "int main(void) { return 0; } /* fill in */\n";
    let assignment = doubling(|problem| {
        problem.submission.include = file("starter.c", starter);
        problem.reference = Some(Reference {
            program: ReferenceProgram::Sources(file("right.c", long.as_str())),
            timed: Vec::new(),
            calibrate: Vec::new(),
        });
    });
    let sample = Sample {
        path: "accepted/sum.c".to_owned(),
        verdict: Verdict::Accepted,
        sources: file("sum.c", long.replace('f', "sum")),
        ..Sample::right()
    };
    let two_files = |first: &str, second: &str| {
        [
            file(first, "int g(void);\n"),
            file(second, long.replace('*', "-")),
        ]
        .concat()
    };
    let class = class(
        [
            ("ann", file("a.c", long.replace("int", "long"))),
            ("bob", file("b.c", starter)),
            ("cem", file("a.c", starter.replace("main", "start"))),
            ("dan", file("a.c", "")),
            ("eve", file("a.c", "/* nothing */")),
            ("fay", two_files("a.c", "b.c")),
            ("gus", two_files("z.c", "y.c")),
        ]
        .map(|(id, sources)| (id.to_owned(), sources))
        .into(),
    );
    assert_eq!(
        groups(&assignment.problems[0].problem, &[sample], &class),
        [
            "Tokens: ann = submissions/accepted/sum.c right.c",
            "Bytes: bob = starter.c",
            "Bytes: fay gus = ",
        ]
    );
}

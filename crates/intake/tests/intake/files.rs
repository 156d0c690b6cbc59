//! Files named on the command line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use grader_intake::read_files;
use grader_model::ProblemId;
use grader_problem::Assignment;
use tempfile::TempDir;

use crate::harness::{MOST, assignment, folder, one_problem, submissions, with_outputs, write};

/// What is read, as text without the folder's own path.
fn read_of(
    assignment: &Assignment,
    folder: &TempDir,
    names: &[&str],
    problem: Option<&str>,
) -> Result<Vec<String>, String> {
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.path().join(name)).collect();
    let short = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    match read_files(&paths, assignment, problem.map(ProblemId::new).as_ref()) {
        Ok(found) => Ok(submissions(&found.submissions)
            .into_iter()
            .map(short)
            .collect()),
        Err(error) => Err(short(error.to_string())),
    }
}

fn read(folder: &TempDir, names: &[&str]) -> Result<Vec<String>, String> {
    read_of(&assignment(), folder, names, None)
}

#[expect(clippy::unnecessary_wraps, reason = "compared with results")]
fn lines<const N: usize>(lines: [&str; N]) -> Result<Vec<String>, String> {
    Ok(lines.map(str::to_owned).to_vec())
}

#[test]
fn each_file_goes_to_its_problem() {
    let folder = folder(&["a/count.c", "我的 board.cpp"]);
    assert_eq!(
        read(&folder, &["a/count.c", "我的 board.cpp"]),
        lines([
            "board: 我的 board.cpp=我的 board.cpp",
            "count: count.c=a/count.c"
        ])
    );
}

#[test]
fn several_files_for_one_problem_are_one_submission() {
    let folder = folder(&["count.c", "util.c", "util.h"]);
    assert_eq!(
        read(&folder, &["count.c", "util.c", "util.h"]),
        lines(["count: count.c=count.c, util.c=util.c, util.h=util.h"])
    );
}

#[test]
fn the_problem_can_be_named() {
    let folder = folder(&["solution.c", "count.c"]);
    let named = |file, problem| read_of(&assignment(), &folder, &[file], Some(problem));
    assert_eq!(
        named("solution.c", "board"),
        lines(["board: solution.c=solution.c"])
    );
    assert_eq!(named("count.c", "board"), lines(["board: count.c=count.c"]));
    assert_eq!(
        named("count.c", "bored"),
        Err("there is no problem `bored`".into())
    );
}

#[test]
fn a_single_problem_needs_no_name() {
    let folder = folder(&["main.py"]);
    assert_eq!(
        read_of(&one_problem(), &folder, &["main.py"], None),
        lines(["count: main.py=main.py"])
    );
}

#[test]
fn a_folder_is_a_submission_or_a_students_folder() {
    let folder = folder(&[
        "count/main.rs",
        "count/queens.rs",
        "me/count.c",
        "me/board.c",
        "x/y.c",
    ]);
    assert_eq!(
        read(&folder, &["count"]),
        lines(["count: main.rs=count/main.rs, queens.rs=count/queens.rs"])
    );
    assert_eq!(
        read(&folder, &["me"]),
        lines(["board: board.c=me/board.c", "count: count.c=me/count.c"])
    );
    assert_eq!(
        read_of(&assignment(), &folder, &["x"], Some("count")),
        lines(["count: y.c=x/y.c"])
    );
}

#[test]
fn a_named_folder_with_several_programs_gives_the_best() {
    let folder = folder(&[]);
    for name in ["w/count.c", "w/count_old.c"] {
        write(folder.path().join(name), b"int main() {}");
    }
    assert_eq!(
        read_of(&assignment(), &folder, &["w"], Some("count")),
        lines(["count: count.c=w/count.c"])
    );
}

#[test]
fn what_a_file_holds_makes_it_a_program() {
    let folder = folder(&["x/notes.txt"]);
    let write = |name: &str, text: &[u8]| write(folder.path().join(name), text);
    write("count", b"#include <stdio.h>");
    write("board.txt", b"#include <stdio.h>");
    write("w/count.txt", b"import sys");
    write("bad/board.txt", b"import sys");
    write("bin/count", b"\x7fELF\0\0#include");
    assert_eq!(
        read(&folder, &["count", "board.txt"]),
        lines(["board: board.txt=board.txt", "count: count=count"])
    );
    assert_eq!(
        read(&folder, &["w"]),
        lines(["count: count.txt=w/count.txt"])
    );
    for name in ["bad/board.txt", "bin/count", "x/notes.txt"] {
        let problem = if name == "bin/count" {
            "count"
        } else {
            "board"
        };
        let mistake = read_of(&assignment(), &folder, &[name], Some(problem)).unwrap_err();
        let expected = format!("`{name}`: no source file in an accepted language (");
        assert!(mistake.starts_with(&expected), "{mistake}");
    }
}

#[test]
fn texts_that_are_named_with_a_program_go_with_it() {
    let folder = folder(&["count.pas", "queens.inc", "table.txt"]);
    assert_eq!(
        read(&folder, &["count.pas", "queens.inc", "table.txt"]),
        lines(["count: count.pas=count.pas, queens.inc=queens.inc, table.txt=table.txt"])
    );
}

#[test]
fn a_file_that_cannot_be_read_is_a_mistake() {
    let folder = folder(&["count.c", "me/count.c", "me/board.c", "board/include/a.h"]);
    write(folder.path().join("board/main.c"), b"int main() {}");
    let closed = ["count.c", "me/count.c", "board/include"].map(|path| {
        let path = folder.path().join(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        path
    });
    if fs::read(&closed[0]).is_ok() {
        eprintln!("skipped: this user may read everything");
    } else {
        let named = |name| read(&folder, &[name]);
        let mistake = |path: &str| {
            Err(format!(
                "`{path}` cannot be read: Permission denied (os error 13)"
            ))
        };
        assert_eq!(named("count.c"), mistake("count.c"));
        assert_eq!(named("me"), mistake("me/count.c"));
        assert_eq!(named("board"), mistake("board/include"));
    }
    fs::set_permissions(&closed[2], fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn mistakes_say_what_was_expected() {
    let folder = folder(&[
        "solution.c",
        "board.py",
        "x/readme.txt",
        "a/count.c",
        "b/count.c",
        "count.h",
    ]);
    write(folder.path().join("count.rs"), &vec![b' '; MOST + 1]);
    let mistake = |names: &[&str]| read(&folder, names).unwrap_err();
    assert_eq!(mistake(&["nothing.c"]), "`nothing.c` does not exist");
    for name in ["solution.c", "x"] {
        assert_eq!(mistake(&[name]), format!("`{name}` matches no problem"));
    }
    let endings = "`.c`, `.cpp`, `.cc`, `.cxx`, `.c++`, `.cp`";
    assert_eq!(
        mistake(&["board.py"]),
        format!("`board.py`: no source file in an accepted language ({endings})")
    );
    assert_eq!(
        mistake(&["a/count.c", "b/count.c"]),
        "two files of the submission for `count` are named `count.c`"
    );
    assert_eq!(
        mistake(&["count.rs"]),
        "the submission for `count` is larger than 1000 B"
    );
    assert!(mistake(&["count.h"]).starts_with("`count.h`: no source file in an accepted language"));
}

#[test]
fn output_files_are_named_one_by_one() {
    let folder = folder(&["1.OUT", "a/3.out", "2.out", "x.out"]);
    let read = |names: &[&str], problem| read_of(&with_outputs(), &folder, names, problem);
    assert_eq!(
        read(&["1.OUT", "a/3.out"], None),
        lines(["sums: 1.out=1.OUT, 3.out=a/3.out"])
    );
    assert_eq!(read(&["2.out"], Some("more")), lines(["more: 2.out=2.out"]));
    assert_eq!(
        read(&["x.out"], Some("more")),
        Err("`x.out` is none of the files to submit (`2.out`, `more.csv`)".to_owned())
    );
}

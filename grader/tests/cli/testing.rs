//! A student tests a program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::harness::{Room, have, strict};

const COUNT_C: &str = r#"
#include <stdio.h>
#include <stdlib.h>

static unsigned all;
static long total;

static void place(unsigned columns, unsigned left, unsigned right)
{
    if (columns == all) {
        total++;
        return;
    }
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned queen = free & -free;
        place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    all = (1u << n) - 1;
    if (n <= 10)
        place(0, 0, 0);
    printf("%ld\n", n == 6 ? 5 : total);
    return argc - 2;
}
"#;

#[test]
fn a_wrong_count_shows_expected_and_found_and_which_n() {
    let room = Room::new().file("count.c", COUNT_C);
    let ran = room.run(&["test", "count.c"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.contains("n=6") && line.contains("WA"))
        .unwrap_or_else(|| panic!("{}", ran.stdout));
    let near = lines[at..(at + 8).min(lines.len())].join("\n");
    assert!(
        near.contains("expected") && near.contains('4'),
        "{}",
        ran.stdout
    );
    assert!(
        near.contains("found") && near.contains('5'),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("13 of 35"), "{}", ran.stdout);
}

#[test]
fn a_wrong_board_is_drawn_and_both_queens_are_named() {
    let room = Room::new().file(
        "board.py",
        "import sys\nn = int(sys.argv[1])\nfor row in range(n):\n    print(''.join('Q' if c == row else '#' for c in range(n)))\n",
    );
    if !have(&["python3"]) {
        return;
    }
    let ran = room.run(&["test", "board.py"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    for words in ["row 1, column 1", "row 2, column 2", "diagonal"] {
        assert!(ran.stdout.contains(words), "{words}:\n{}", ran.stdout);
    }
}

#[test]
fn a_program_that_waits_for_standard_input_is_told_where_n_is() {
    let room = Room::new().file(
        "board.cpp",
        "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 92 << std::endl; }\n",
    );
    let ran = room.run(&["test", "board.cpp"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains(
            "Your program waits for standard input; this task gives `n` on the command line"
        ),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_test_in_chinese_speaks_chinese() {
    let room = Room::new().file("hanoi.c", "int main(void) { return 0; }\n");
    let ran = room.run(&["--lang", "zh", "test", "hanoi.c"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("分"), "{}", ran.stdout);
}

#[test]
fn a_program_that_passes_ends_with_status_0() {
    let room = Room::new().file(
        "eight.c",
        "#include <stdio.h>\nint main(void) { puts(\"92\"); return 0; }\n",
    );
    let ran = room.run(&["test", "eight.c", "--problem", "eight-queens"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("5 of 5"), "{}", ran.stdout);
}

#[test]
fn several_files_are_one_submission() {
    let room = Room::new()
        .file("eight.cpp", "#include <iostream>\n#include \"answer.hpp\"\nint main() { std::cout << answer() << std::endl; }\n")
        .file("answer.cpp", "#include \"answer.hpp\"\nint answer() { return 92; }\n")
        .file("answer.hpp", "int answer();\n");
    let ran = room.run(&[
        "test",
        "eight.cpp",
        "answer.cpp",
        "answer.hpp",
        "-p",
        "eight-queens",
    ]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn output_is_coloured_only_when_that_is_wanted() {
    let room = Room::new().file(
        "eight.c",
        "#include <stdio.h>\nint main(void) { puts(\"92\"); return 0; }\n",
    );
    let arguments = ["test", "eight.c", "-p", "eight-queens"];
    assert!(!room.run(&arguments).stdout.contains('\u{1b}'));
    let mut coloured = vec!["--color", "always"];
    coloured.extend(arguments);
    assert!(room.run(&coloured).stdout.contains('\u{1b}'));
}

#[test]
fn a_missing_compiler_is_named_with_the_command_that_installs_it() {
    let room = Room::new().env("PATH", "/nowhere");
    for (file, program, install) in [
        ("eight.c", "gcc", "apt-get install gcc"),
        ("eight.cpp", "g++", "apt-get install g++"),
        ("eight.rs", "rustc", "apt-get install rustc"),
        (
            "eight.java",
            "javac",
            "apt-get install openjdk-17-jdk-headless",
        ),
        ("eight.pas", "fpc", "apt-get install fp-compiler"),
        ("eight.py", "python3", "apt-get install python3"),
    ] {
        fs::write(room.path(file), "").unwrap();
        let test = ["test", file, "-p", "eight-queens"];
        let ran = room.run(&test);
        assert_eq!(ran.status, 3, "{file}: {}{}", ran.stdout, ran.stderr);
        let english = format!("not installed: {program}");
        let there = ran.stdout.contains(&english) && ran.stdout.contains(install);
        assert!(there, "{file}: {}", ran.stdout);
        assert!(!ran.stdout.contains("grading failed"), "{}", ran.stdout);

        let ran = room.run(&[&["--lang", "zh"], &test[..]].concat());
        let chinese = format!("没有安装 {program}");
        let there = ran.stdout.contains(&chinese) && ran.stdout.contains(install);
        assert!(there, "{file}: {}", ran.stdout);
    }
}

#[test]
fn a_python_from_a_virtual_environment_below_tmp_runs_programs() {
    if !have(&["python3"]) {
        return;
    }
    for how in ["--symlinks", "--copies"] {
        // There, and not where `TMPDIR` says: programs in the sandbox have a `/tmp` of their own.
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        let environment = folder.path().join("environment");
        let made = Command::new("python3")
            .args(["-m", "venv", "--without-pip", how])
            .arg(&environment)
            .output()
            .unwrap();
        if !made.status.success() {
            eprintln!("skipped: `python3 -m venv {how}` fails here: {made:?}");
            continue;
        }
        let bin = environment.join("bin");
        let room = Room::new()
            .file("eight.py", "print(92)\n")
            .env("PATH", bin.to_str().unwrap());
        let ran = room.run(&["test", "eight.py", "-p", "eight-queens"]);
        assert_eq!(ran.status, 0, "{how}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_python_that_is_itself_below_tmp_is_refused_with_the_reason() {
    // Without the sandbox programs see the same `/tmp` as we.
    if !strict() {
        return;
    }
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let python = folder.path().join("python3");
    let answer = "#!/bin/sh\nprintf '%s\\n' \"$0\" 3.12.1 \"${0%/*}\"\n";
    fs::write(&python, answer).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let room = Room::new()
        .file("eight.py", "print(92)\n")
        .env("PATH", folder.path().to_str().unwrap());
    for (lang, words) in [
        ("en", ["cannot be used", "have a `/tmp` of their own"]),
        ("zh", ["无法使用", "有自己的 `/tmp`"]),
    ] {
        let ran = room.run(&["--lang", lang, "test", "eight.py", "-p", "eight-queens"]);
        assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
        let said = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in words {
            assert!(said.contains(words), "{}", ran.stdout);
        }
        let path = folder.path().to_str().unwrap();
        assert!(said.contains(path), "{}", ran.stdout);
    }
}

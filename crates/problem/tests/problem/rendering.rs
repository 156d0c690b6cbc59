//! Rendering of mistakes.

use crate::common::{BUILTINS, files, spoilt};
use grader_language::Languages;
use grader_problem::{MemoryLibrary, load_assignment, load_problem, render};

fn shown(file: &str, from: &str, to: &str) -> String {
    let library = spoilt(file, from, to);
    let loaded = load_assignment(&library, "", BUILTINS);
    render(&loaded.unwrap_err(), false, 80)
}

fn shown_problem(bytes: &[u8]) -> String {
    let mut library = MemoryLibrary::new("p", files());
    library.insert("count/problem.toml", bytes);
    let loaded = load_problem(&library, "count", BUILTINS, &Languages::built_in());
    render(&loaded.unwrap_err(), false, 80)
}

#[test]
fn a_mistake_is_shown_with_a_caret_below_its_place_even_after_chinese_text() {
    let text = shown(
        "count/problem.toml",
        "\"皇后 {n}\\n\"",
        "\"皇后皇后 {k}\\n\"",
    );
    assert_eq!(
        text,
        "\
error: unknown variable `k`
  --> p/count/problem.toml:12:15
   |
12 | stdin = \"皇后皇后 {k}\\n\"
   |                   ^^^
   |
   = help: known variables: `n`

1 mistake in 1 file
"
    );
    let column = |mark: &str| {
        let line = text.lines().find(|line| line.contains(mark)).unwrap();
        unicode_width::UnicodeWidthStr::width(&line[..line.find(mark).unwrap()])
    };
    assert_eq!(column("{k}"), column("^^^"));
}

#[test]
fn a_string_of_several_lines_is_shown_where_the_mistake_is() {
    assert_eq!(
        shown(
            "count/problem.toml",
            "stdin = \"x\"",
            "stdin = '''\r\na\r\n\tx {q}'''"
        ),
        "\
error: unknown variable `q`
  --> p/count/problem.toml:52:4
   |
52 |     x {q}'''
   |       ^^^
   |
   = help: write `{{` for a brace itself

1 mistake in 1 file
"
    );
}

#[test]
fn nothing_of_a_file_reaches_the_terminal_raw() {
    assert_eq!(
        shown(
            "count/problem.toml",
            "id = \"count\"",
            "id = \"C\" # \u{9b}31m \u{202e}\r"
        ),
        "\
error: expected a name made of `a-z`, `0-9` and `-`, found `C`
 --> p/count/problem.toml:2:6
  |
2 | id = \"C\" # ¿31m �
  |      ^^^

1 mistake in 1 file
"
    );
    assert_eq!(
        shown(
            "count/problem.toml",
            "id = \"count\"",
            "\"\\u001b[2J\" = 1"
        ),
        "\
error: unknown key `\\x1b[2J`
 --> p/count/problem.toml:2:1
  |
2 | \"\\u001b[2J\" = 1
  | ^^^^^^^^^^^
  |
  = help: known keys: `format`, `id`, `title`, `submission`, `source`, `time-flags`, `build`, `checks`, `run`, `student`, `second-run`, `limits`, `reference`, `checker`, `interactor`, `validator`, `search`, `subtask`

1 mistake in 1 file
"
    );
}

#[test]
fn a_file_that_is_missing_empty_or_not_text_is_shown_too() {
    let library = MemoryLibrary::new("p", files());
    let loaded = load_problem(&library, "none", BUILTINS, &Languages::built_in());
    assert_eq!(
        render(&loaded.unwrap_err(), false, 80),
        "\
error: the file is missing
--> p/none/problem.toml

1 mistake in 1 file
"
    );
    assert_eq!(
        shown_problem(b"format = 1\ntitle = \"\xff\xfe\"\n"),
        "\
error: the file must be UTF-8
 --> p/count/problem.toml:2:10
  |
2 | title = \"��\"
  |          ^
  |
  = help: save it with the encoding UTF-8 in your editor

1 mistake in 1 file
"
    );
}

#[test]
fn a_long_line_is_cut_to_the_width() {
    let long = format!("time-factor = -20 # {}", "long ".repeat(40));
    assert_eq!(
        shown("count/problem.toml", "time-factor = 20", &long),
        "\
error: expected a number above 0 and at most 1000, found `-20`
  --> p/count/problem.toml:26:15
   |
26 | time-factor = -20 # long long long long long long long long long long lo...
   |               ^^^

1 mistake in 1 file
"
    );
}

#[test]
fn colour_adds_nothing_but_colour() {
    let library = spoilt("assignment.toml", "points = 35.5", "points = 35");
    let loaded = load_assignment(&library, "", BUILTINS);
    let mistakes = loaded.unwrap_err();
    let coloured = render(&mistakes, true, 80);
    assert!(coloured.starts_with("\u{1b}[1m\u{1b}[91merror"));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    assert_eq!(plain, render(&mistakes, false, 80));
}

#[test]
fn no_mistakes_are_no_text() {
    assert_eq!(render(&[], false, 80), "");
}

//! What a student hands in.

use std::fs;

use super::room::{FILES, HALF, LUCKY, function, plain, program, projects};
use super::{Row, row, scored};

pub(super) fn rows() -> Vec<Row> {
    [folders(), unclear()].into_iter().flatten().collect()
}

/// What a student hands in besides the program.
fn folders() -> Vec<Row> {
    let project = |expression: &str| {
        vec![
            (
                "HW 1/src/twice.py",
                "from parts.helper import double\nprint(double(int(input())))\n".to_owned(),
            ),
            (
                "HW 1/src/parts/helper.py",
                format!("def double(n):\n    return {expression}\n"),
            ),
            ("HW 1/README.md", "# Twice\n".to_owned()),
            ("HW 1/.idea/misc.xml", "<project/>\n".to_owned()),
        ]
    };
    let below = |expression: &str| {
        let files = project(expression).into_iter();
        let files = files.map(|(path, text)| (path.trim_start_matches("HW 1/"), text));
        files.collect()
    };
    let two_mains = |expression: &str| {
        let main = "if __name__ == '__main__':\n    print(twice(int(input())))\n";
        vec![
            ("twice.py", format!("{}{main}", function(expression))),
            ("demo.py", format!("from twice import twice\n{main}")),
        ]
    };
    let with_data = |expression: &str| {
        let expression = expression.replace('2', "two");
        vec![
            (
                "HW 1/src/twice.py",
                format!(
                    "two = int(open('data/two.txt').read())\n{}",
                    program(&expression)
                ),
            ),
            ("HW 1/data/two.txt", "2\n".to_owned()),
        ]
    };
    let header = "#ifndef TWICE_H\n#define TWICE_H\nint twice(int n);\n#endif\n";
    let main = "#include <stdio.h>\n#include \"twice.h\"\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", twice(n)); }\n";
    let copied = |expression: &str| {
        let expression = match expression {
            HALF => "n < 3 ? 2 * n : 1",
            LUCKY => "n != 7 ? 2 * n : 1",
            right => right,
        };
        let include = "#include \"../include/twice.h\"\n";
        vec![
            (
                "src/twice.c",
                format!("{include}int twice(int n) {{ return {expression}; }}\n"),
            ),
            ("include/twice.h", header.replace('\n', "\r\n")),
        ]
    };
    let include = format!("{FILES}include = [\"main.c\", \"twice.h\"]\n");
    vec![
        Row {
            file: "HW 1/src/twice.py",
            is_project: true,
            ..row("project in a folder", projects(&[], project))
        },
        Row {
            file: "HW 1/src/twice.py",
            is_project: true,
            ..row("data file opened by name", projects(&[], with_data))
        },
        Row {
            file: "src/twice.py",
            ..row("project, named by its file", projects(&[], below))
        },
        Row {
            is_project: true,
            ..row("two mains", projects(&[], two_mains))
        },
        Row {
            file: "src/twice.c",
            is_project: true,
            ..row(
                "included header copied",
                projects(&[(FILES, &include)], copied)
                    .file("asg/twice/main.c", main)
                    .file("asg/twice/twice.h", header),
            )
        },
    ]
}

/// Nothing says which of a student's files is meant.
fn unclear() -> Vec<Row> {
    let undecided = plain()
        .file("class/bob/a.py", program(HALF))
        .file("class/bob/b.py", program("2 * n"));
    fs::remove_file(undecided.path("class/bob/twice.py")).unwrap();
    vec![
        Row {
            status: 3,
            ..scored(
                "two mains, and nothing says which",
                undecided,
                ["10", "?", "10", "0"],
            )
        },
        Row {
            status: 3,
            ..scored(
                "program in two languages",
                plain().file("class/bob/twice.c", "int main(void) { return 0; }\n"),
                ["10", "?", "10", "0"],
            )
        },
    ]
}

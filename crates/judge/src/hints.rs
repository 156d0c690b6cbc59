//! Advice about how a program takes its input.

use grader_language::Language;
use grader_model::{SourceFile, Text};
use grader_problem::{Case, RunRule};

/// Says so when a program looks for its input where this task does not put it.
///
/// Only asked about a case that failed: a program may read both ways.
pub(crate) fn input_way(
    language: &dyn Language,
    sources: &[SourceFile],
    rule: &RunRule,
    case: &Case,
) -> Option<Text> {
    let what = variables(case);
    let reads_stdin = language.reads_stdin(sources);
    let reads_arguments = language.reads_arguments(sources);
    if let Some(file) = &rule.input_file {
        return (reads_stdin && !names(sources, file)).then(|| {
            Text::new(
                format!(
                    "your program reads standard input; this task puts {what} in the file `{file}`"
                ),
                format!("你的程序从标准输入读取；本题把{what}放在文件 `{file}` 中"),
            )
        });
    }
    let by_argument = !case.arguments.is_empty() && case.input.is_empty();
    let by_stdin = case.arguments.is_empty() && !case.input.is_empty();
    if by_argument && reads_stdin && !reads_arguments {
        let line = shell_words(&case.arguments);
        return Some(Text::new(
            format!(
                "your program waits for standard input; this task gives {what} on the command line (`program {line}`), and standard input is empty"
            ),
            format!(
                "你的程序在等待标准输入；本题用命令行参数给出{what}（`program {line}`），标准输入为空"
            ),
        ));
    }
    if by_argument && !reads_stdin && !reads_arguments {
        return Some(Text::new(
            format!(
                "your program does not look at its arguments; this task gives {what} on the command line"
            ),
            format!("你的程序没有读取命令行参数；本题用命令行参数给出{what}"),
        ));
    }
    if by_stdin && reads_arguments && !reads_stdin {
        return Some(Text::new(
            format!(
                "your program reads the command line; this task gives {what} on standard input"
            ),
            format!("你的程序读取命令行参数；本题从标准输入给出{what}"),
        ));
    }
    if by_stdin && !reads_arguments && !reads_stdin {
        return Some(Text::new(
            format!("your program does not read standard input; this task gives {what} there"),
            format!("你的程序没有读取标准输入；本题从标准输入给出{what}"),
        ));
    }
    None
}

/// `n`, or `m and n`, or `the input`.
fn variables(case: &Case) -> String {
    let names: Vec<String> = case
        .variables
        .keys()
        .map(|name| format!("`{name}`"))
        .collect();
    if names.is_empty() {
        return "its input".to_owned();
    }
    names.join(", ")
}

fn shell_words(arguments: &[String]) -> String {
    grader_model::escaped(arguments.join(" ").as_bytes())
}

fn names(sources: &[SourceFile], file: &str) -> bool {
    sources.iter().any(|source| {
        source
            .bytes
            .windows(file.len())
            .any(|window| window == file.as_bytes())
    })
}

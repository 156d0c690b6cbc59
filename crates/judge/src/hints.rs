//! Advice about how a program takes its input.

use grader_language::Language;
use grader_model::{LanguageId, SourceFile, Text};
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
    let Text { en, zh } = variables(case);
    // A readme that was handed over with a folder may mention `argv` too.
    let code: Vec<SourceFile> = sources
        .iter()
        .filter(|file| is_code(file, sources))
        .cloned()
        .collect();
    let reads_stdin = language.reads_stdin(&code);
    let reads_arguments = language.reads_arguments(&code);
    if let Some(file) = &rule.input_file {
        return (reads_stdin && !names(sources, file)).then(|| {
            Text::new(
                format!(
                    "Your program reads standard input; this task puts {en} in the file `{file}`."
                ),
                format!("你的程序从标准输入读取；本题把{zh}放在文件 `{file}` 中。"),
            )
        });
    }
    let by_argument = !case.arguments.is_empty() && case.input.is_empty();
    let by_stdin = case.arguments.is_empty() && !case.input.is_empty();
    if by_argument && reads_stdin && !reads_arguments {
        let line = shell_words(&case.arguments);
        return Some(Text::new(
            format!(
                "Your program waits for standard input; this task gives {en} on the command line (`program {line}`), and standard input is empty."
            ),
            format!(
                "你的程序在等待标准输入；本题用命令行参数给出{zh}（`program {line}`），标准输入为空。"
            ),
        ));
    }
    if by_argument && !reads_stdin && !reads_arguments {
        return Some(Text::new(
            format!(
                "Your program does not look at its arguments; this task gives {en} on the command line."
            ),
            format!("你的程序没有读取命令行参数；本题用命令行参数给出{zh}。"),
        ));
    }
    if by_stdin && reads_arguments && !reads_stdin {
        return Some(Text::new(
            format!("Your program reads the command line; this task gives {en} on standard input."),
            format!("你的程序读取命令行参数；本题从标准输入给出{zh}。"),
        ));
    }
    if by_stdin && !reads_arguments && !reads_stdin {
        return Some(Text::new(
            format!("Your program does not read standard input; this task gives {en} there."),
            format!("你的程序没有读取标准输入；本题从标准输入给出{zh}。"),
        ));
    }
    None
}

/// Whether a file holds code, by its name; a file that is alone does whatever its name.
fn is_code(file: &SourceFile, all: &[SourceFile]) -> bool {
    let name = file.name();
    all.len() == 1 || LanguageId::of_file_name(name).is_some() || LanguageId::is_header_name(name)
}

/// What the case gives: `n`, or `m` and `n`, or just the input.
fn variables(case: &Case) -> Text {
    let names: Vec<String> = case
        .variables
        .keys()
        .map(|name| format!("`{name}`"))
        .collect();
    match names.split_last() {
        None => Text::new("the input", "输入数据"),
        Some((last, [])) => Text::new(last, format!(" {last}")),
        Some((last, others)) => {
            let others = others.join(", ");
            Text::new(
                format!("{others} and {last}"),
                format!(" {others} 和 {last}"),
            )
        }
    }
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

//! Why a file is not judged, in both languages.

use std::io;

use grader_model::{Bytes, LanguageId, ProblemId, Text};

use crate::tree::Broken;

/// Entries or files that are named in one sentence.
const MOST_NAMED: usize = 4;

/// It cannot be read.
pub(crate) fn unreadable(error: &io::Error) -> Text {
    Text::new(
        format!("cannot be read: {error}"),
        format!("无法读取：{}", in_chinese(error)),
    )
}

/// A submission cannot be read: the problem is not graded.
pub(crate) fn fault(broken: &Broken) -> Text {
    let Broken { path, error } = broken;
    if path.is_empty() {
        return Text::new(
            format!("the student's folder cannot be read: {error}"),
            format!("无法读取学生文件夹：{}", in_chinese(error)),
        );
    }
    Text::new(
        format!("`{path}` cannot be read: {error}"),
        format!("无法读取 `{path}`：{}", in_chinese(error)),
    )
}

/// What the system says, in Chinese where it is common; else as it says it.
pub(crate) fn in_chinese(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "没有权限".to_owned(),
        io::ErrorKind::NotFound => "文件不存在".to_owned(),
        _ => error.to_string(),
    }
}

/// Something better was there, but cannot be read.
pub(crate) fn unreadable_comes_first(first: &str, problem: &ProblemId) -> Text {
    Text::new(
        format!("`{first}` goes before it for `{problem}`, but cannot be read"),
        format!("题目 `{problem}` 应采用 `{first}`，但无法读取"),
    )
}

/// It is a symbolic link.
pub(crate) fn link() -> Text {
    Text::new("a link, which is not followed", "符号链接，不予跟随")
}

/// It is a pipe, a socket or a device.
pub(crate) fn special() -> Text {
    Text::new("not a regular file", "不是普通文件")
}

/// It lies too deep.
pub(crate) fn too_deep(most: usize) -> Text {
    Text::new(
        format!("lies more than {most} folders deep"),
        format!("位于 {most} 层文件夹以下"),
    )
}

/// There are too many files.
pub(crate) fn too_many(most: usize) -> Text {
    Text::new(
        format!("more than {most} files; the rest was not looked at"),
        format!("文件多于 {most} 个，其余未读取"),
    )
}

/// It is larger than the problem allows.
pub(crate) fn too_large(size: Bytes, most: Bytes) -> Text {
    Text::new(
        format!("too large: {size}, at most {most}"),
        format!("过大：{size}，最多 {most}"),
    )
}

/// Something better was there.
pub(crate) fn another_was_taken(taken: &str, problem: &ProblemId) -> Text {
    Text::new(
        format!("`{taken}` was taken for `{problem}`"),
        format!("题目 `{problem}` 已采用 `{taken}`"),
    )
}

/// Its name fits a problem that does not take its language.
pub(crate) fn language(language: LanguageId, problem: &ProblemId, accepted: &[LanguageId]) -> Text {
    let (name, accepted) = (&grader_language::language(language).name, names(accepted));
    Text::new(
        format!("`{problem}` does not take {name}; accepted are {accepted}"),
        format!("题目 `{problem}` 不接受 {name}；可用 {accepted}"),
    )
}

/// It is in another language than the program whose folder it lies in.
pub(crate) fn other_language(folder: &str) -> Text {
    Text::new(
        format!("not in the language of the program in `{folder}`"),
        format!("与 `{folder}` 中程序的语言不同"),
    )
}

/// It lies in the folder of a submission, and no source can include it, or there is no room for it.
pub(crate) fn not_part(folder: &str) -> Text {
    Text::new(
        format!("not part of the program in `{folder}`: not text, or too large"),
        format!("不是 `{folder}` 中程序的一部分：不是文本，或过大"),
    )
}

/// It is a header that belongs to no folder of a submission.
pub(crate) fn header() -> Text {
    Text::new(
        "a header counts only inside the folder of a submission",
        "头文件只在提交的文件夹内有效",
    )
}

/// It is not a program.
pub(crate) fn not_source() -> Text {
    Text::new("not a source file", "不是源文件")
}

/// It is an archive.
pub(crate) fn archive() -> Text {
    Text::new(
        "an archive, which is not opened: unpack it",
        "压缩包不会打开，请先解压",
    )
}

/// Its name fits nothing, but nearly fits.
pub(crate) fn did_you_mean(name: &str, expected: &str) -> Text {
    Text::new(
        format!("`{name}` is for no problem; did you mean `{expected}`?"),
        format!("`{name}` 不属于任何题目；是否应为 `{expected}`？"),
    )
}

/// Its name fits nothing.
pub(crate) fn no_problem(name: &str, expected: &str) -> Text {
    Text::new(
        format!("`{name}` is for no problem; expected are names such as {expected}"),
        format!("`{name}` 不属于任何题目；文件名应如 {expected}"),
    )
}

/// It lies in the folder of a problem in which there are several programs, all for that problem by their folder alone.
pub(crate) fn several_mains(problem: &ProblemId, mains: &[&str], extension: &str) -> Text {
    let shown = mains
        .iter()
        .take(MOST_NAMED)
        .map(|name| format!("`{name}`"));
    let shown: Vec<String> = shown.collect();
    let (dots, dots_zh) = if mains.len() > MOST_NAMED {
        (", …", "等")
    } else {
        ("", "")
    };
    let (en, zh) = (shown.join(", "), shown.join("、"));
    Text::new(
        format!(
            "several files for `{problem}` have a `main` ({en}{dots}): submit only one program, or name \
             it `{problem}.{extension}`"
        ),
        format!(
            "题目 `{problem}` 有不止一个文件写了 `main`（{zh}{dots_zh}）：请只提交一个程序，或把它命名为 `{problem}.{extension}`"
        ),
    )
}

fn names(languages: &[LanguageId]) -> String {
    let names: Vec<&str> = languages
        .iter()
        .map(|&language| grader_language::language(language).name.as_str())
        .collect();
    names.join(", ")
}

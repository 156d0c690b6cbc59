//! Why a file is not judged, in both languages.

use std::io;

use grader_model::{Bytes, LanguageId, ProblemId, Text};

/// Most entries or files that are named in one sentence.
const MAX_NAMED: usize = 4;

pub(crate) fn unreadable(error: &io::Error) -> Text {
    Text::new(
        format!("cannot be read: {error}"),
        format!("无法读取：{}", in_chinese(error)),
    )
}

/// The same in a sentence that names the file or folder; an empty path is the student's folder.
pub(crate) fn cannot_read(path: &str, error: &io::Error) -> Text {
    let chinese = in_chinese(error);
    if path.is_empty() {
        return Text::new(
            format!("the student's folder cannot be read: {error}"),
            format!("无法读取学生文件夹：{chinese}"),
        );
    }
    Text::new(
        format!("`{path}` cannot be read: {error}"),
        format!("无法读取 `{path}`：{chinese}"),
    )
}

fn in_chinese(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "没有权限".to_owned(),
        io::ErrorKind::NotFound => "文件不存在".to_owned(),
        _ => error.to_string(),
    }
}

/// A sentence that names an archive, or an entry of one.
pub(crate) fn not_unpacked(path: &str, why: &Text) -> Text {
    Text::new(
        format!("`{path}` is not unpacked: {}", why.en),
        format!("`{path}` 未解压：{}", why.zh),
    )
}

/// The same if some of the archive was read.
pub(crate) fn unpacked_in_part(path: &str, why: &Text) -> Text {
    Text::new(
        format!("`{path}` is unpacked only in part: {}", why.en),
        format!("`{path}` 只解压了一部分：{}", why.zh),
    )
}

/// The same if this machine is to blame.
pub(crate) fn not_unpacked_here(path: &str, error: &io::Error) -> Text {
    Text::new(
        format!("`{path}` cannot be unpacked on this machine: {error}"),
        format!("`{path}` 无法在本机解压：{}", in_chinese(error)),
    )
}

pub(crate) fn empty_archive() -> Text {
    Text::new("an archive that holds no files", "压缩包中没有文件")
}

pub(crate) fn link() -> Text {
    Text::new("a link, which is not followed", "符号链接，不予跟随")
}

/// A pipe, a socket or a device.
pub(crate) fn special() -> Text {
    Text::new("not a regular file", "不是普通文件")
}

pub(crate) fn too_deep(most: usize) -> Text {
    Text::new(
        format!("it lies more than {most} folders deep"),
        format!("它位于 {most} 层文件夹以下"),
    )
}

pub(crate) fn too_many(most: usize) -> Text {
    Text::new(
        format!("more than {most} files; the rest was not looked at"),
        format!("文件多于 {most} 个，其余未读取"),
    )
}

/// A sentence that names the file or folder first.
pub(crate) fn at(path: &str, why: &Text) -> Text {
    Text::new(
        format!("`{path}`: {}", why.en),
        format!("`{path}`：{}", why.zh),
    )
}

pub(crate) fn too_large(size: Bytes, most: Bytes) -> Text {
    Text::new(
        format!("too large: {size}, at most {most}"),
        format!("过大：{size}，最多 {most}"),
    )
}

/// A better file was there.
pub(crate) fn not_used(used: &str) -> Text {
    Text::new(
        format!("not used: `{used}` was graded"),
        format!("未采用：已评测 `{used}`"),
    )
}

/// A better file was there, but cannot be read.
pub(crate) fn not_used_for(unreadable: &str) -> Text {
    Text::new(
        format!("not used: `{unreadable}` comes first, but cannot be read"),
        format!("未采用：应先评测 `{unreadable}`，但它无法读取"),
    )
}

/// Its name fits a problem that does not take its language.
pub(crate) fn language(language: LanguageId, problem: &ProblemId, accepted: &[LanguageId]) -> Text {
    let name = |language| grader_language::language(language).name();
    let accepted: Vec<&str> = accepted.iter().map(|&language| name(language)).collect();
    let (name, accepted) = (name(language), accepted.join(", "));
    Text::new(
        format!("`{problem}` does not take {name}; accepted are {accepted}"),
        format!("题目 `{problem}` 不接受 {name}；可用 {accepted}"),
    )
}

/// It lies in the folder of a program in another language.
pub(crate) fn other_language(folder: &str) -> Text {
    Text::new(
        format!("not in the language of the program in `{folder}`"),
        format!("与 `{folder}` 中程序的语言不同"),
    )
}

/// It lies in the folder of a program, and no source can include it, or there is no room for it.
pub(crate) fn not_part(folder: &str) -> Text {
    Text::new(
        format!("not part of the program in `{folder}`: not text, or too large"),
        format!("不是 `{folder}` 中程序的一部分：不是文本，或过大"),
    )
}

pub(crate) fn header() -> Text {
    Text::new(
        "a header counts only inside the folder of a submission",
        "头文件只在提交的文件夹内有效",
    )
}

pub(crate) fn not_source() -> Text {
    Text::new("not a source file", "不是源文件")
}

pub(crate) fn archive() -> Text {
    Text::new(
        "an archive, which is not opened: unpack it",
        "压缩包不会打开，请先解压",
    )
}

/// Its name fits nothing, but nearly fits.
pub(crate) fn did_you_mean(name: &str, expected: &str) -> Text {
    Text::new(
        format!("`{name}` matches no problem; did you mean `{expected}`?"),
        format!("`{name}` 不属于任何题目；是否应为 `{expected}`？"),
    )
}

pub(crate) fn no_problem(name: &str, expected: &str) -> Text {
    Text::new(
        format!("`{name}` matches no problem; expected a name like {expected}"),
        format!("`{name}` 不属于任何题目；文件名应如 {expected}"),
    )
}

/// It lies in the folder of a problem with several programs, none of them named as the problem.
pub(crate) fn several_mains(problem: &ProblemId, mains: &[&str], extension: &str) -> Text {
    let shown = mains.iter().take(MAX_NAMED);
    let shown: Vec<String> = shown.map(|name| format!("`{name}`")).collect();
    let (dots, dots_zh) = if mains.len() > MAX_NAMED {
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

/// It lies beside the students' folders.
pub(crate) fn beside_students() -> Text {
    Text::new(
        "lies beside the students' folders, in none of them",
        "位于学生文件夹之外",
    )
}

/// Its name is not of the form that the layout has.
pub(crate) fn not_of_layout() -> Text {
    Text::new(
        "its name does not tell whose it is, as the others' names do",
        "与其他条目不同，其名称未说明属于谁",
    )
}

/// It was typed into a page of the course's system.
pub(crate) fn typed() -> Text {
    Text::new(
        "typed into the page, not handed in as a file: it is not judged; a program in it must be stored as a file",
        "在网页中输入，并非以文件提交，不予评测；其中若有程序，须另存为文件",
    )
}

/// Nothing but that was handed in.
pub(crate) fn only_typed(path: &str) -> Text {
    Text::new(
        format!("only typed into the page, which is not read: look at `{path}`"),
        format!("仅在网页中输入，无法读取：请查看 `{path}`"),
    )
}

/// Several entries of the class appear to be one student's.
pub(crate) fn several_sources(entries: &[String]) -> Text {
    let listed = listed(entries);
    Text::new(
        format!(
            "several submissions appear to be this student's: {}; keep the one that counts and remove the others",
            listed.en
        ),
        format!(
            "有多份提交都属于该学生：{}；请确定采用哪一份，并移走其余的",
            listed.zh
        ),
    )
}

/// The name of an entry can be read as that of several students.
pub(crate) fn several_owners(entry: &str) -> Text {
    Text::new(
        format!(
            "`{entry}` could belong to more than one student: decide whose it is and rename it"
        ),
        format!("`{entry}` 可能属于不止一名学生：请确定归属并重命名"),
    )
}

/// The first of some entries, and how many there are beside them.
pub(crate) fn listed(entries: &[impl AsRef<str>]) -> Text {
    let named = entries.iter().take(MAX_NAMED);
    let named: Vec<String> = named.map(|entry| format!("`{}`", entry.as_ref())).collect();
    match entries.len().saturating_sub(MAX_NAMED) {
        0 => Text::new(named.join(", "), named.join("、")),
        more => Text::new(
            format!("{} and {more} more", named.join(", ")),
            format!("{} 及另外 {more} 项", named.join("、")),
        ),
    }
}

/// The same file was handed in again.
pub(crate) fn later_attempt(taken: &str) -> Text {
    Text::new(
        format!("an earlier attempt: `{taken}` was handed in later"),
        format!("较早的提交：之后又提交了 `{taken}`"),
    )
}

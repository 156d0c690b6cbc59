//! Test data and scripts that an editor or a shell of Windows has changed, and files without content.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use grader_lms::{MAX_TEXT, read_regular_text};
use grader_model::Lang;
use grader_problem::{Assignment, Checker, Problem};
use toml::{Table, Value};

use super::remark::Remark;

/// Deepest folder below a problem in which scripts are looked for.
const MAX_DEPTH: usize = 6;

/// What is unusual about a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Oddity {
    Utf16,
    ByteOrderMark,
    CarriageReturns,
    Empty,
    ScriptWithCarriageReturns,
}

impl Oddity {
    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            Some(Self::Empty)
        } else if is_utf16(bytes) {
            Some(Self::Utf16)
        } else if bytes.starts_with(b"\xef\xbb\xbf") {
            Some(Self::ByteOrderMark)
        } else if bytes.contains(&b'\r') && !bytes.contains(&0) {
            Some(Self::CarriageReturns)
        } else {
            None
        }
    }

    fn message(self, lang: Lang) -> &'static str {
        let (en, zh) = match self {
            Self::Utf16 => (
                "is in UTF-16, which programs cannot read as text; save it as UTF-8",
                "是 UTF-16 编码，程序无法按文本读取；请另存为 UTF-8",
            ),
            Self::ByteOrderMark => (
                "begins with a byte order mark (BOM), which programs read as a part of the first word; save it without",
                "以字节顺序标记（BOM）开头，程序会把它当作第一个词的一部分；请保存为不带 BOM 的 UTF-8",
            ),
            Self::CarriageReturns => (
                "has carriage returns: its lines end as on Windows (CR LF), and programs may read the `\\r`; `dos2unix` removes them",
                "含有回车符：行尾是 Windows 的 CR LF，程序可能会读到 `\\r`；可用 `dos2unix` 去除",
            ),
            Self::Empty => ("is empty", "是空文件"),
            Self::ScriptWithCarriageReturns => (
                "is a script with carriage returns (CR LF), so it does not start; `dos2unix` removes them",
                "是含有回车符（CR LF）的脚本，无法启动；可用 `dos2unix` 去除",
            ),
        };
        lang.pick(en, zh)
    }
}

/// Whether a text is in UTF-16: it has its byte order mark, or every second byte of its beginning is 0.
fn is_utf16(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(64) & !1];
    let half = |first: usize| {
        let mut all = beginning.iter().enumerate();
        !beginning.is_empty() && all.all(|(index, byte)| (*byte == 0) == (index % 2 == first))
    };
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || half(0) || half(1)
}

/// One remark for each problem and oddity, which names the first file that has it.
pub(super) fn remarks(assignment: &Assignment, lang: Lang) -> Vec<Remark> {
    let problems = assignment.problems.iter();
    let remarks = problems.flat_map(|entry| {
        let mut found: BTreeMap<Oddity, Vec<PathBuf>> = BTreeMap::new();
        for (path, oddity) in of_problem(&entry.problem) {
            found.entry(oddity).or_default().push(path);
        }
        found.into_iter().filter_map(move |(oddity, paths)| {
            let (first, more) = paths.split_first()?;
            let more = match more.len() {
                0 => String::new(),
                1 => lang
                    .pick(" (and 1 more file)", "（另有 1 个文件也是）")
                    .to_owned(),
                count => lang.pick(
                    format!(" (and {count} more files)"),
                    format!("（另有 {count} 个文件也是）"),
                ),
            };
            let text = format!("{}{more}", oddity.message(lang));
            Some(Remark::of_file(first, None, text))
        })
    });
    remarks.collect()
}

/// The unusual files of a problem on disk.
fn of_problem(problem: &Problem) -> Vec<(PathBuf, Oddity)> {
    let folder = Path::new(&problem.shown);
    let text = read_regular_text(&folder.join("problem.toml"), MAX_TEXT).unwrap_or_default();
    let table: Table = text
        .trim_start_matches('\u{feff}')
        .parse()
        .unwrap_or_default();
    let mut cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    // An author's program may need no answer.
    let needs_answers = !cases.any(|case| matches!(case.checker, Checker::Program(_)));
    let data = data_files(folder, &table).into_iter();
    let data = data.filter_map(|path| {
        let oddity = Oddity::of(&content(&path)?)?;
        let is_input = path.extension().is_none_or(|it| it == "in");
        (oddity != Oddity::Empty || is_input || needs_answers).then_some((path, oddity))
    });
    let mut scripts = Vec::new();
    find_scripts(folder, 0, &mut scripts);
    let scripts = scripts.into_iter().filter_map(|path| {
        let is_odd = content(&path)?.contains(&b'\r');
        is_odd.then_some((path, Oddity::ScriptWithCarriageReturns))
    });
    data.chain(scripts).collect()
}

/// The content of a regular file.
fn content(path: &Path) -> Option<Vec<u8>> {
    let is_file = fs::metadata(path).is_ok_and(|it| it.is_file());
    is_file.then(|| fs::read(path).ok()).flatten()
}

/// The inputs and answers of a problem's cases that are files.
fn data_files(folder: &Path, table: &Table) -> BTreeSet<PathBuf> {
    let items = |table: &Table, key: &str| -> Vec<Table> {
        let items = table.get(key).and_then(Value::as_array);
        let items = items.into_iter().flatten().filter_map(Value::as_table);
        items.cloned().collect()
    };
    let mut files = BTreeSet::new();
    for subtask in items(table, "subtask") {
        if let Some(inner) = subtask.get("folder").and_then(Value::as_str) {
            let entries = fs::read_dir(folder.join(inner)).into_iter().flatten();
            let paths = entries.flatten().map(|entry| entry.path());
            let is_data = |path: &PathBuf| {
                let extension = path.extension().unwrap_or_default();
                ["in", "ans", "out"].iter().any(|it| extension == *it)
            };
            files.extend(paths.filter(is_data));
        }
        for case in items(&subtask, "case") {
            let named = ["stdin-file", "answer-file"].into_iter();
            let named = named.filter_map(|key| case.get(key)?.as_str());
            files.extend(named.map(|path| folder.join(path)));
        }
    }
    files
}

/// Finds the scripts `run` and `build` of the author's programs. Those of samples are students' work.
fn find_scripts(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if depth < MAX_DEPTH && name != "submissions" {
                find_scripts(&entry.path(), depth + 1, found);
            }
        } else if name == "run" || name == "build" {
            found.push(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_utf16;

    #[test]
    fn utf16_is_known_with_and_without_its_mark() {
        for (bytes, expected) in [
            (&b"\xff\xfe1\0\n\0"[..], true),
            (b"\xfe\xff\x001\0\n", true),
            (b"1\0\n\0", true),
            (b"\x001\0\n", true),
            (b"1 2\n", false),
            (b"\0\0\0\0", false),
            (b"", false),
        ] {
            assert_eq!(is_utf16(bytes), expected, "{bytes:?}");
        }
    }
}

//! What of an assignment is no mistake, but may be wrong: statements that do not show what they should, test data that an editor
//! has changed, libraries that this machine lacks.

mod data;
mod libraries;
mod remark;

use std::fs;
use std::path::Path;

use grader_language::find_tool;
use grader_lms::{MAX_TEXT, read_regular, read_regular_text};
use grader_model::{Lang, Text, escaped, text};
use grader_problem::Assignment;
use grader_report::statement;

pub use self::remark::Remark;
use self::remark::shown;
use crate::statements::{MAX_PICTURE_BYTES, SAMPLES, filled, is_statement, pictures, samples};

/// All remarks on an assignment.
pub fn remarks(assignment: &Assignment, lang: Lang) -> Vec<Remark> {
    let remarks = statements(assignment).into_iter();
    let remarks = remarks.chain(half_width_signs(assignment));
    let remarks = remarks.chain(guessable(assignment, lang));
    let remarks = remarks.chain(data::remarks(assignment, lang));
    let mut remarks: Vec<_> = remarks
        .chain(libraries::missing(assignment, lang))
        .chain(missing_tools(assignment, lang))
        .collect();
    remarks.extend(without_pypy(assignment).map(|it| Remark {
        text: it.get(lang).to_owned(),
        ..Remark::default()
    }));
    remarks
}

/// The tools of checks that this machine lacks: a sentence each.
fn missing_tools(assignment: &Assignment, lang: Lang) -> impl Iterator<Item = Remark> {
    let problems = assignment.problems.iter().map(|it| &it.problem);
    let tools = problems.flat_map(|it| it.checks.tools.iter().map(move |tool| (&it.id, tool)));
    tools.filter_map(move |(id, tool)| {
        let missing = find_tool(tool.program()).err()?.text();
        let name = &tool.name;
        let text = text!(
            "{id}: check `{name}`: {missing}",
            "{id}：检查 `{name}`：{missing}",
            missing
        );
        Some(Remark {
            text: text.get(lang).to_owned(),
            ..Remark::default()
        })
    })
}

/// Problems in which students can find out the values of others.
fn guessable(assignment: &Assignment, lang: Lang) -> impl Iterator<Item = Remark> {
    let problems = assignment.problems.iter().map(|it| &it.problem);
    let open = problems.filter(|it| it.own.as_ref().is_some_and(|own| own.is_guessable));
    open.map(move |problem| {
        let text = text!(
            "`[student]` has no `key`, so students can find out each other's values",
            "`[student]` 没有 `key`，学生可以算出别人的数值"
        );
        let path = Path::new(&problem.shown).join("problem.toml");
        Remark::of_file(&path, None, text.get(lang))
    })
}

/// What it means that PyPy is missing, if problems ask for it: one sentence about all of them.
pub fn without_pypy(assignment: &Assignment) -> Option<Text> {
    let problems = assignment.problems.iter().map(|it| &it.problem);
    let asking = problems.filter(|it| it.languages.iter().any(|it| it.lacks_pypy()));
    let asking: Vec<String> = asking.map(|it| it.id.to_string()).collect();
    let names = asking.join(", ");
    (!asking.is_empty()).then(|| {
        text!(
            "{names}: time limits are made for PyPy, and this machine has only CPython: Python that is too slow is not scored yet (try \
             `apt-get install pypy3`)",
            "{names}：时间限制是为 PyPy 设定的，而本机只有 CPython：超时的 Python 程序暂不评分（可用 `apt-get install pypy3` 安装）"
        )
    })
}

/// What statements on disk show and pages cannot: pictures that do not exist, formulas with mistakes; and problems without a
/// statement if others have one.
fn statements(assignment: &Assignment) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut without = Vec::new();
    for entry in &assignment.problems {
        let folder = Path::new(&entry.problem.shown);
        let Ok(entries) = fs::read_dir(folder) else {
            continue;
        };
        let names = entries
            .flatten()
            .map(|it| it.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| is_statement(name)).collect();
        names.sort();
        if names.is_empty() {
            without.push(Remark {
                text: format!("{}: there is no statement", shown(folder)),
                ..Remark::default()
            });
        }
        for path in names.iter().map(|name| folder.join(name)) {
            let text = read_regular(&path, MAX_TEXT).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let at = |line, text: String| Remark::of_file(&path, line, text);
            let all = pictures(&text).into_iter();
            let missing = all.filter_map(|(line, picture)| {
                let mistake = mistake_in_picture(&folder.join(&picture))?;
                let picture = escaped(picture.as_bytes());
                Some(at(Some(line), format!("`{picture}` {mistake}")))
            });
            remarks.extend(missing);
            let has_samples = text.lines().any(|line| line.trim() == SAMPLES);
            if has_samples && samples(&entry.problem, "").is_empty() {
                let why = "no public case has an `answer`";
                remarks.push(at(None, format!("`{SAMPLES}` shows nothing: {why}")));
            }
            if path.extension().is_some_and(|it| it == "md") {
                let filled = filled(&text, &entry.problem, "");
                if let Some((_, unknown)) = filled.split_once("{{student") {
                    let name = unknown.split(['}', '\n']).next().unwrap_or_default();
                    let name = escaped(name.as_bytes());
                    let why = "is no value of `[student]`";
                    remarks.push(at(None, format!("`{{{{student{name}}}}}` {why}")));
                }
                let mistakes = statement(&text, 0, &|_| None).mistakes.into_iter();
                remarks.extend(mistakes.map(|(line, reason)| {
                    let reason = escaped(reason.as_bytes());
                    at(Some(line), format!("formula {reason}"))
                }));
            }
        }
    }
    if without.len() < assignment.problems.len() {
        remarks.extend(without);
    }
    remarks
}

/// Why a picture or a PDF is not shown, if it is not.
fn mistake_in_picture(path: &Path) -> Option<&'static str> {
    let Ok(found) = fs::metadata(path) else {
        return Some("does not exist");
    };
    let is_pdf = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("pdf"));
    let is_large = found.len() > MAX_PICTURE_BYTES as u64;
    (is_large && !is_pdf).then_some("is larger than 256 KiB, so pages do not show it")
}

/// The first half-width sign beside a Chinese character in each Chinese statement on disk, outside code.
fn half_width_signs(assignment: &Assignment) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for entry in &assignment.problems {
        let path = Path::new(&entry.problem.shown).join("statement.zh.md");
        let Ok(text) = read_regular_text(&path, MAX_TEXT) else {
            continue;
        };
        let mut is_code = false;
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            !is_fence && !is_code
        });
        let found = lines.filter_map(|(index, line)| Some((index + 1, half_width(line)?)));
        remarks.extend(found.take(1).map(|(line, (half, full))| {
            let text = format!("`{half}` beside a Chinese character, where `{full}` is usual");
            Remark::of_file(&path, Some(line), text)
        }));
    }
    remarks
}

/// The first half-width sign beside a Chinese character in a line, outside code, and its full-width form.
fn half_width(line: &str) -> Option<(char, char)> {
    let signs = [
        (',', '，'),
        (':', '：'),
        (';', '；'),
        ('?', '？'),
        ('!', '！'),
        ('(', '（'),
        (')', '）'),
    ];
    let is_chinese = |c: Option<&char>| c.is_some_and(|c| ('\u{3000}'..='\u{9fff}').contains(c));
    let text = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let chars: Vec<char> = text.chars().collect();
    let mut pairs = chars.iter().enumerate().filter(|(index, c)| {
        let before = index.checked_sub(1).and_then(|before| chars.get(before));
        // The end of a link may stand before Chinese text.
        is_chinese(before) || (**c != ')' && is_chinese(chars.get(index + 1)))
    });
    pairs.find_map(|(_, c)| signs.into_iter().find(|(half, _)| half == c))
}

#[cfg(test)]
mod tests {
    use super::half_width;

    #[test]
    fn half_width_signs_are_found_beside_chinese_characters_only() {
        for (line, expected) in [
            ("数出全部解的个数:", Some((':', '：'))),
            ("解的个数(35 分)", Some(('(', '（'))),
            ("标准输入(stdin) 是空的", Some(('(', '（'))),
            ("数出全部解的个数：C(4, 2) = 6，`f(x, 数)` 也是", None),
            ("见 [说明](a.md)。", None),
            ("Martin Richards, *MCPL*", None),
        ] {
            assert_eq!(half_width(line), expected, "{line}");
        }
    }
}

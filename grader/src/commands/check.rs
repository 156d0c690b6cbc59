//! `grader check`.

mod data;
mod libraries;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use grader_kit::statements::{MAX_PICTURE_BYTES, SAMPLES, is_statement, pictures, samples};
use grader_lms::{MAX_TEXT, read_regular, read_regular_text};
use grader_model::{Lang, Points, counted, escaped};
use grader_problem::Assignment;
use grader_report::{CheckDocument, CheckedAssignment, Finding, statement};
use grader_session::{Exit, SessionError, shown};

use super::{finding, mistake};
use crate::assignment;
use crate::documents::{FindingArgs, FindingDocuments, Kind};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  grader check problems/n-queens")]
pub(crate) struct CheckArgs {
    /// Assignment or problem: a folder, or the id of a bundled one [default: here]
    ///
    /// The folder of an assignment or a problem, or one that holds assignments. The default is the `assignment.toml` in this
    /// folder, or the nearest one above it; else the `problem.toml` in this folder.
    path: Option<PathBuf>,
    #[command(flatten)]
    documents: FindingArgs,
}

pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let kind = Kind::of(CheckDocument::FORMAT, "check");
    let terminal = &args.documents.prepare(&kind, terminal)?;
    let loaded = assignment::assignments().load_all(args.path.as_slice())?;
    let (loaded, mistakes) = match loaded {
        Ok(loaded) => (loaded, Vec::new()),
        Err(mistakes) => (Vec::new(), mistakes),
    };
    let assignments = || loaded.iter().map(|(assignment, ..)| assignment);
    for assignment in assignments() {
        writeln!(terminal.stdout(), "{}", summary(assignment, terminal))?;
        for remark in remarks(assignment, terminal.lang) {
            writeln!(terminal.stdout(), "  {remark}")?;
        }
    }
    let document = CheckDocument {
        format: CheckDocument::FORMAT,
        assignments: assignments().map(checked).collect(),
        mistakes: mistakes.iter().map(mistake).collect(),
    };
    let findings = assignments()
        .map(passed)
        .chain(mistakes.iter().map(finding));
    let found = FindingDocuments {
        command: "check",
        document: &document,
        findings: findings.collect(),
    };
    args.documents.write(&found, terminal)?;
    if mistakes.is_empty() {
        Ok(Exit::Done)
    } else {
        Err(SessionError::Mistakes(mistakes).into())
    }
}

/// An assignment without mistakes.
fn passed(assignment: &Assignment) -> Finding {
    Finding {
        group: "problem files".to_owned(),
        name: assignment.id.to_string(),
        ..Finding::default()
    }
}

fn case_count(assignment: &Assignment) -> usize {
    let problems = assignment.problems.iter();
    problems.map(|entry| entry.problem.case_count()).sum()
}

fn checked(assignment: &Assignment) -> CheckedAssignment {
    let info = assignment.info();
    CheckedAssignment {
        problems: info.problems.len(),
        cases: case_count(assignment),
        points: info.points,
        bonus: info.bonus,
        remarks: remarks(assignment, Lang::En),
        id: info.id,
    }
}

/// What is no mistake, but may be wrong.
fn remarks(assignment: &Assignment, lang: Lang) -> Vec<String> {
    let remarks = statements(assignment).into_iter();
    let remarks = remarks.chain(half_width_signs(assignment));
    let remarks = remarks.chain(data::remarks(assignment, lang));
    remarks
        .chain(libraries::missing(assignment, lang))
        .collect()
}

fn summary(assignment: &Assignment, terminal: &Terminal) -> String {
    let info = assignment.info();
    let (points, bonus) = (info.points, info.bonus);
    let (problems, cases) = (info.problems.len(), case_count(assignment));
    let s = if points == Points::whole(1) { "" } else { "s" };
    terminal.lang.pick(
        format!(
            "{}: {}, {}, {points} point{s} and {bonus} bonus points: no mistakes",
            info.id,
            counted(problems, "problem", "problems"),
            counted(cases, "case", "cases")
        ),
        format!(
            "{}：{problems} 道题，{cases} 个测试点，{points} 分，附加 {bonus} 分：没有错误",
            info.id
        ),
    )
}

/// What statements on disk show and pages cannot: pictures that do not exist, formulas with mistakes; and problems without a
/// statement if others have one.
fn statements(assignment: &Assignment) -> Vec<String> {
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
            without.push(format!("{}: there is no statement", shown(folder)));
        }
        for path in names.iter().map(|name| folder.join(name)) {
            let text = read_regular(&path, MAX_TEXT).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let file = shown(&path);
            let all = pictures(&text).into_iter();
            let missing = all.filter_map(|(line, picture)| {
                let mistake = mistake_in_picture(&folder.join(&picture))?;
                Some(format!(
                    "{file}:{line}: `{}` {mistake}",
                    escaped(picture.as_bytes())
                ))
            });
            remarks.extend(missing);
            let has_samples = text.lines().any(|line| line.trim() == SAMPLES);
            if has_samples && samples(&entry.problem, "").is_empty() {
                let why = "no public case has an `answer`";
                remarks.push(format!("{file}: `{SAMPLES}` shows nothing: {why}"));
            }
            if path.extension().is_some_and(|it| it == "md") {
                let mistakes = statement(&text, 0, &|_| None).mistakes.into_iter();
                remarks.extend(mistakes.map(|(line, reason)| {
                    format!("{file}:{line}: formula {}", escaped(reason.as_bytes()))
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
fn half_width_signs(assignment: &Assignment) -> Vec<String> {
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
            let file = shown(&path);
            format!("{file}:{line}: `{half}` beside a Chinese character, where `{full}` is usual")
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

//! Whether a class that is judged again, perhaps on another machine, gets the same verdicts.

use std::collections::BTreeMap;
use std::io;

use grader_model::{CaseResult, IsolationLevel, ProblemResult, Results, Verdict};
use grader_view::unsettled;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::diff::{Diff, diff, named_cases};
use crate::json::write_value;
use crate::layout::{Page, left, width};
use crate::style::{Style, Tone, safe};

/// How far two judgements of the same programs agree: `bitcraft-replay/1`. It is for staff: hidden cases are in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Replay {
    format: &'static str,
    /// Cases that were judged both times.
    cases: usize,
    /// Those of them with the same verdict.
    same: usize,
    /// Those with two verdicts of which one is near a limit and was not settled.
    not_settled: usize,
    /// Submissions that were not judged again, because the ledger does not have their files.
    without_files: usize,
    /// Of the stored run, and of this judgement.
    receipts: [Receipt; 2],
    differences: Diff,
}

/// What was judged, by what, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Receipt {
    /// SHA-256 of a line for each problem: id, version, points.
    assignment: String,
    /// Version, and hash of the program file.
    grader: String,
    machine: String,
    /// The level, as `--isolation` names it.
    isolation: &'static str,
    compilers: String,
    /// SHA-256 of lines with four columns, separated by tabs: student, problem, points and verdict; then for each case that was not
    /// skipped student, problem, `subtask/case` and verdict.
    results: String,
}

/// One judgement of a class.
pub struct Judgement<'a> {
    /// What it found, of the submissions that both judged.
    pub results: &'a Results,
    /// Version of the grader, and hash of its program file.
    pub grader: String,
}

/// Compares two judgements of the same programs.
pub fn replay(before: &Judgement<'_>, after: &Judgement<'_>, without_files: usize) -> Replay {
    let differences = diff(before.results, after.results);
    let judged = judged_in_both(before.results, after.results);
    let differing = || judged.iter().filter(|[a, b]| a.verdict != b.verdict);
    let is_open = |it: &&[&CaseResult; 2]| it.iter().any(|case| unsettled(case).is_some());
    Replay {
        format: "bitcraft-replay/1",
        cases: judged.len(),
        same: judged.len() - differing().count(),
        not_settled: differing().filter(is_open).count(),
        without_files,
        receipts: [before, after].map(receipt),
        differences,
    }
}

/// The cases that have a verdict in both.
fn judged_in_both<'a>(before: &'a Results, after: &'a Results) -> Vec<[&'a CaseResult; 2]> {
    let is_judged = |case: &CaseResult| {
        !case.skipped && !matches!(case.verdict, Verdict::Skipped | Verdict::JudgeError)
    };
    let known = cases(before).filter(|(_, case)| is_judged(case));
    let known: BTreeMap<_, _> = known.collect();
    let now = cases(after).filter(|(_, case)| is_judged(case));
    now.filter_map(|(name, case)| Some([*known.get(&name)?, case]))
        .collect()
}

/// All cases, by student, problem and name.
fn cases(results: &Results) -> impl Iterator<Item = ((&str, &str, String), &CaseResult)> {
    results.students.iter().flat_map(|student| {
        student.problems.iter().flat_map(move |problem| {
            let place = move |name| (student.id.as_str(), problem.id.as_str(), name);
            let named = named_cases(Some(problem)).into_iter();
            named.map(move |(name, case)| (place(name), case))
        })
    })
}

fn receipt(judgement: &Judgement<'_>) -> Receipt {
    let results = judgement.results;
    let problems = results.assignment.problems.iter();
    let problems = problems.map(|it| format!("{}\t{}\t{}\n", it.id, it.version, it.points));
    let host = &results.host;
    let compilers = host.toolchains.values();
    let compilers: Vec<&str> = compilers.filter_map(|it| it.version.as_deref()).collect();
    let jobs = results.students.iter().flat_map(|student| {
        let problems = student.problems.iter();
        problems.map(|problem| job_lines(student.id.as_str(), problem))
    });
    Receipt {
        assignment: hash(problems),
        grader: judgement.grader.clone(),
        machine: format!("{}, {}", host.cpu, host.kernel),
        isolation: match results.isolation.level {
            IsolationLevel::Basic => "basic",
            IsolationLevel::Strict => "strict",
        },
        compilers: compilers.join(", "),
        results: hash(jobs),
    }
}

fn job_lines(student: &str, problem: &ProblemResult) -> String {
    let (id, points) = (&problem.id, problem.standing());
    let line =
        |name: &str, verdict: Verdict| format!("{student}\t{id}\t{name}\t{}\n", verdict.code());
    let cases = named_cases(Some(problem)).into_iter();
    let cases = cases.filter(|(_, case)| !case.skipped);
    let cases = cases.map(|(name, case)| line(&name, case.verdict));
    [line(&points.to_string(), problem.verdict)]
        .into_iter()
        .chain(cases)
        .collect()
}

fn hash(lines: impl Iterator<Item = String>) -> String {
    let mut hasher = Sha256::new();
    lines.for_each(|line| hasher.update(line));
    format!("{:x}", hasher.finalize())
}

impl Replay {
    /// Whether every verdict and all points are the same.
    pub fn is_same(&self) -> bool {
        self.differences.is_empty()
    }

    /// Writes it as JSON, indented, with a line feed at the end.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write_value(self, out)
    }

    /// The comparison for people.
    pub fn text(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        page.gap();
        rows(&mut page, 0, &self.counts(style));
        page.gap();
        page.line(0, &Tone::Strong.on(style.pick("Receipt", "复核凭证")));
        let [before, after] = &self.receipts;
        let receipt: [(&str, &str, &str); 6] = [
            (
                style.pick("assignment", "作业"),
                &before.assignment,
                &after.assignment,
            ),
            (
                style.pick("grader", "评测系统"),
                &before.grader,
                &after.grader,
            ),
            (
                style.pick("machine", "机器"),
                &before.machine,
                &after.machine,
            ),
            (
                style.pick("isolation", "隔离"),
                before.isolation,
                after.isolation,
            ),
            (
                style.pick("compilers", "编译器"),
                &before.compilers,
                &after.compilers,
            ),
            (
                style.pick("results", "结果"),
                &before.results,
                &after.results,
            ),
        ];
        let receipt = receipt.map(|(label, before, after)| {
            let (before, after) = (safe(before), safe(after));
            let text = if before == after {
                before
            } else {
                format!("{before} → {after}")
            };
            (label, text)
        });
        rows(&mut page, 2, &receipt);
        self.differences.text(style) + "\n" + &page.finish()
    }

    /// How many verdicts are the same.
    fn counts(&self, style: &Style) -> Vec<(&'static str, String)> {
        let mut counts = vec![(
            style.pick("Same verdict", "判定相同"),
            style.pick(
                format!("{} of {}", self.same, style.cases(self.cases)),
                format!("{} / {}", self.same, style.cases(self.cases)),
            ),
        )];
        if self.same < self.cases {
            let (count, differ) = (self.not_settled, self.cases - self.same);
            counts.push((
                style.pick("Not settled", "尚无定论"),
                style.pick(
                    format!("{count} of the {differ} that differ"),
                    format!("{differ} 个不同的判定中有 {count} 个"),
                ),
            ));
        }
        if self.without_files > 0 {
            let count = ["submission", "submissions"];
            let count = style.counted(self.without_files, count, "份提交");
            counts.push((
                style.pick("Not replayed", "未重判"),
                style.pick(
                    format!("{count}, whose files are not in the ledger"),
                    format!("{count}：结果库中没有它们的文件"),
                ),
            ));
        }
        counts
    }
}

/// Labels, with the texts beside them in a column.
fn rows(page: &mut Page, indent: usize, rows: &[(&str, String)]) {
    let widest = rows
        .iter()
        .map(|(label, _)| width(label))
        .max()
        .unwrap_or(0);
    for (label, text) in rows {
        page.hang(indent, &left(label, widest + 2), text);
    }
}

#[cfg(test)]
mod tests;

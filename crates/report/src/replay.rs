//! Whether a class that is judged again, perhaps on another machine, gets the same verdicts.

use std::fmt::Write as _;

use grader_model::{IsolationLevel, ProblemResult, Results, Verdict};
use grader_view::{Compared, Comparison, JudgedTwice};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::diff::differences;
use crate::document::{Document, Row};
use crate::style::{Style, Tone, safe};
use crate::words::Words;

/// How far two judgements of the same programs agree: `bitcraft-replay/1`. It is for staff: hidden cases are in it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Replay {
    /// Name and version of this format.
    #[schemars(extend("const" = "bitcraft-replay/1"))]
    format: &'static str,
    #[serde(flatten)]
    judged: JudgedTwice,
    /// Submissions that were not judged again, because the ledger does not have their files.
    without_files: usize,
    /// Of the stored run, and of this judgement.
    receipts: [Receipt; 2],
    /// What changed.
    differences: Comparison,
}

/// What was judged, by what, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
struct Receipt {
    /// SHA-256 of a line for each problem: id, version, points.
    assignment: String,
    /// Version, and hash of the program file.
    grader: String,
    /// Its processor and kernel.
    machine: String,
    /// The level, as `--isolation` names it.
    isolation: &'static str,
    /// Their versions.
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
    let differences = Comparison::of(before.results, after.results, Compared::Judged);
    Replay {
        format: "bitcraft-replay/1",
        judged: differences.judged,
        without_files,
        receipts: [before, after].map(receipt),
        differences,
    }
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
    let cases = problem.cases().filter(|(_, case)| !case.skipped);
    let cases = cases.map(|(name, case)| line(&name, case.verdict));
    [line(&points.to_string(), problem.verdict)]
        .into_iter()
        .chain(cases)
        .collect()
}

fn hash(lines: impl Iterator<Item = String>) -> String {
    let mut hasher = Sha256::new();
    lines.for_each(|line| hasher.update(line));
    let bytes = hasher.finalize();
    bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

impl Replay {
    /// Whether every verdict and all points are the same.
    pub fn is_same(&self) -> bool {
        self.differences.is_same()
    }

    /// The comparison for people.
    pub fn text(&self, style: &Style) -> String {
        let words = style.words();
        let mut document = differences(&self.differences, words);
        document.gap();
        document.append(Document::of_rows(self.counts(words), &[]));
        document.gap();
        document.line(Tone::Strong.on(words.receipt()));
        let [before, after] = self.receipts.each_ref().map(Receipt::columns);
        let receipt = Receipt::labels(words).into_iter().zip(before).zip(after);
        let receipt = receipt.map(|((label, before), after)| {
            let (before, after) = (safe(before), safe(after));
            let changed = format!("{before} → {after}");
            row(label, if before == after { before } else { changed })
        });
        document.under(2, Document::of_rows(receipt, &[]));
        document.text(style)
    }

    /// How many verdicts are the same.
    fn counts(&self, words: Words) -> Vec<Row> {
        let JudgedTwice {
            cases,
            same,
            not_settled,
        } = self.judged;
        let of_all = words.count_of(same, words.cases(cases));
        let mut counts = vec![row(words.same_verdict(), of_all)];
        if same < cases {
            let of_differing = words.of_differing(not_settled, cases - same);
            counts.push(row(words.not_settled(), of_differing));
        }
        if self.without_files > 0 {
            let count = ["submission", "submissions"];
            let count = words.counted(self.without_files, count, "份提交");
            counts.push(row(words.not_replayed(), words.without_files(count)));
        }
        counts
    }
}

fn row(label: &str, text: String) -> Row {
    Row::of([label.to_owned()]).with(text)
}

impl Receipt {
    /// In the order of their labels.
    fn columns(&self) -> [&str; 6] {
        [
            &self.assignment,
            &self.grader,
            &self.machine,
            self.isolation,
            &self.compilers,
            &self.results,
        ]
    }

    const fn labels(words: Words) -> [&'static str; 6] {
        [
            words.receipt_assignment(),
            words.receipt_grader(),
            words.receipt_machine(),
            words.receipt_isolation(),
            words.receipt_compilers(),
            words.receipt_results(),
        ]
    }
}

#[cfg(test)]
mod tests;

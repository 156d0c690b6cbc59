//! What `check` and `verify` found, for continuous integration: annotations of GitHub Actions, and JUnit XML.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::iter;

use grader_model::Verification;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::github::annotation;
use crate::junit::xml;
use crate::style::safe;

/// Something that was looked at, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The group that it belongs to: a problem or an assignment.
    pub group: String,
    /// What it is: a sample, or a file of a problem.
    pub name: String,
    /// Its file; `None` if it is not on this machine.
    pub file: Option<String>,
    /// Line and column in the file, from 1.
    pub place: Option<(usize, usize)>,
    /// What is wrong; nothing if it is as it must be.
    pub messages: Vec<String>,
    /// Whether the grader or this machine failed, so that it may be right.
    pub is_fault: bool,
}

/// The samples of an assignment, and what is wrong with its problems. `folders` are those of its problems, `None` if they
/// are not on this machine.
pub fn findings<'a>(
    verification: &Verification,
    folders: impl Iterator<Item = Option<&'a str>>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (problem, folder) in verification.problems.iter().zip(folders) {
        let own = ("problem", "problem.toml".to_owned(), &problem.mismatches);
        let samples = problem.samples.iter().map(|sample| {
            let file = format!("submissions/{}", sample.path);
            (sample.path.as_str(), file, &sample.mismatches)
        });
        for (name, file, mismatches) in iter::once(own).chain(samples) {
            let lines = mismatches.iter();
            let lines = lines.map(|it| format!("{}: {}", it.place, it.message));
            findings.push(Finding {
                group: format!("{}.{}", verification.assignment, problem.id),
                name: name.to_owned(),
                file: folder.map(|folder| format!("{folder}/{file}")),
                place: None,
                messages: lines.collect(),
                is_fault: mismatches.iter().any(|it| it.fault),
            });
        }
    }
    findings
}

/// Writes an error for each finding that is not as it must be.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_finding_annotations(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    for finding in findings.iter().filter(|it| !it.messages.is_empty()) {
        let mut properties = Vec::new();
        properties.extend(finding.file.as_ref().map(|file| ("file", safe(file))));
        if let Some((line, column)) = finding.place {
            properties.push(("line", line.to_string()));
            properties.push(("col", column.to_string()));
        }
        let (group, name) = (safe(&finding.group), safe(&finding.name));
        properties.push(("title", format!("{group}: {name}")));
        let lines: Vec<String> = finding
            .messages
            .iter()
            .flat_map(|it| it.lines())
            .map(safe)
            .collect();
        annotation(out, "error", &properties, &lines.join("\n"))?;
    }
    Ok(())
}

/// Writes JUnit XML: a suite for each group, a test for each finding.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_finding_junit(
    name: &str,
    findings: &[Finding],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for finding in findings {
        let status = match &finding.messages[..] {
            [] => TestCaseStatus::success(),
            messages => {
                let kind = if finding.is_fault {
                    NonSuccessKind::Error
                } else {
                    NonSuccessKind::Failure
                };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(xml(&messages[0]));
                let lines: Vec<String> = messages.iter().map(|line| xml(line)).collect();
                status.set_description(lines.join("\n"));
                status
            }
        };
        let mut name = xml(&finding.name);
        if let Some((line, column)) = finding.place {
            name = format!("{name}:{line}:{column}");
        }
        let mut test = TestCase::new(name, status);
        test.set_classname(xml(&finding.group));
        let suite = suites.entry(&finding.group);
        let suite = suite.or_insert_with(|| TestSuite::new(xml(&finding.group)));
        suite.add_test_case(test);
    }
    let mut report = Report::new(name);
    report.add_test_suites(suites.into_values());
    report.serialize(out).map_err(io::Error::other)
}

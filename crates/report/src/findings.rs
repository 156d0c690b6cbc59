//! What `check`, `verify` and `audit` found, for continuous integration: annotations and the summary of GitHub Actions, and JUnit
//! XML. Each is written as for a class: see [`crate::github`] and [`crate::junit`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use grader_model::counted;
use quick_junit::{TestCase, TestCaseStatus, TestSuite};

use crate::github::{Annotation, MAX_SUMMARY_BYTES, Spot, write_first};
use crate::junit::{block, error, failure, write_suites, xml};
use crate::markdown::markdown_text;
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
    /// The line in the file, from 1.
    pub line: Option<usize>,
    /// The column in the line, from 1.
    pub column: Option<usize>,
    /// Whether it is as it must be.
    pub state: FindingState,
    /// What is to be said of it, a sentence each; nothing if it is as it must be.
    pub messages: Vec<String>,
    /// What explains that, as for a student: several lines.
    pub details: String,
    /// The same in a few lines, if a line of the file does not show it.
    pub reproduction: Option<String>,
    /// Facts for programs.
    pub properties: Vec<(&'static str, String)>,
    /// How long it ran, if it did.
    pub time: Option<Duration>,
}

/// Whether something is as it must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FindingState {
    /// It is.
    #[default]
    Right,
    /// It is no mistake, but may be wrong.
    Doubtful,
    /// It is not.
    Wrong,
    /// The grader or this machine failed, so that it may be right.
    Fault,
    /// It was not tried.
    NotTried,
}

impl Finding {
    /// Something that is as it must be.
    pub fn right(group: &str, name: &str) -> Self {
        Self {
            group: group.to_owned(),
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// A command that was stopped: what it looks at is not all here.
    pub fn interrupted(command: &str) -> Self {
        Self {
            group: command.to_owned(),
            name: "interrupted".to_owned(),
            state: FindingState::Fault,
            messages: vec!["it was stopped before the end: results are missing".to_owned()],
            ..Self::default()
        }
    }

    /// Whether it needs somebody's attention.
    const fn is_told(&self) -> bool {
        match self.state {
            FindingState::Doubtful | FindingState::Wrong | FindingState::Fault => true,
            FindingState::Right | FindingState::NotTried => false,
        }
    }

    fn title(&self) -> String {
        format!("{}: {}", safe(&self.group), safe(&self.name))
    }

    fn annotation(&self) -> Annotation {
        let spot = Spot {
            file: self.file.as_deref().map(safe),
            line: self.line,
            column: self.column,
        };
        let mut properties = spot.properties();
        properties.push(("title", self.title()));
        let lines = self.messages.iter().flat_map(|it| it.lines());
        Annotation {
            command: match self.state {
                FindingState::Wrong | FindingState::Fault => "error",
                FindingState::Doubtful => "warning",
                FindingState::Right | FindingState::NotTried => "notice",
            },
            properties,
            lines: lines.map(safe).chain(self.reproduction.clone()).collect(),
        }
    }

    fn test_case(&self) -> TestCase {
        let first = self.messages.first().map(|it| xml(it));
        let first = first.unwrap_or_default();
        let messages: Vec<String> = self.messages.iter().map(|it| block(it)).collect();
        let messages = messages.join("\n");
        let explained = format!("{messages}\n\n{}", block(self.details.trim_end()));
        let mut status = match self.state {
            FindingState::Right | FindingState::Doubtful => TestCaseStatus::success(),
            FindingState::Wrong => failure("", &first),
            FindingState::Fault => error(&first),
            FindingState::NotTried => TestCaseStatus::skipped(),
        };
        match self.state {
            FindingState::Right | FindingState::Doubtful => {}
            FindingState::Wrong | FindingState::Fault => {
                status.set_description(explained.trim_end());
            }
            FindingState::NotTried => {
                status.set_message(first);
            }
        }
        let mut name = xml(&self.name);
        if let (true, Some(line)) = (self.file.as_ref() == Some(&self.name), self.line) {
            name = format!("{name}:{line}");
            name.extend(self.column.map(|it| format!(":{it}")));
        }
        let mut case = TestCase::new(name, status);
        if self.state == FindingState::Doubtful {
            case.set_system_out(messages);
        }
        case.time = self.time;
        for (key, value) in &self.properties {
            case.add_property((*key, xml(value).as_str()));
        }
        case.set_classname(xml(&self.group));
        case
    }
}

/// Writes an annotation for each finding that is not as it must be, the worst first.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_finding_annotations(findings: &[Finding], out: &mut dyn Write) -> io::Result<()> {
    let mut told: Vec<&Finding> = findings.iter().filter(|it| it.is_told()).collect();
    told.sort_by_key(|it| it.state == FindingState::Doubtful);
    let more = |count| format!("and {count} more; the summary has all");
    write_first(&told, |it| it.annotation(), more, out)
}

/// The page that a step of GitHub Actions shows, in Markdown: what is not as it must be.
pub fn finding_summary(command: &str, findings: &[Finding]) -> String {
    let told = findings.iter().filter(|it| it.state != FindingState::Right);
    let rows = told.map(|it| {
        let lines = it.messages.iter().flat_map(|it| it.lines());
        let lines: Vec<String> = lines.map(markdown_text).collect();
        let (title, text) = (markdown_text(&it.title()), lines.join("<br>"));
        let mark = match it.state {
            FindingState::Right => "✓",
            FindingState::NotTried => "–",
            FindingState::Doubtful => "!",
            FindingState::Wrong | FindingState::Fault => "✗",
        };
        format!("| {mark} | {title} | {text} |\n")
    });
    let right = findings.iter().filter(|it| it.state == FindingState::Right);
    let (right, all) = (right.count(), counted(findings.len(), "check", "checks"));
    let mut page = format!("## {command}: {all}, {right} passed\n");
    if right < findings.len() {
        page.push_str("\n| | what | why |\n| :-- | :-- | :-- |\n");
    }
    let mut left_out = 0;
    for row in rows {
        if page.len() + row.len() > MAX_SUMMARY_BYTES {
            left_out += 1;
        } else {
            page.push_str(&row);
        }
    }
    if left_out > 0 {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "\n_Left out: {left_out} more._");
    }
    page
}

/// Writes JUnit XML: a suite for each group, a test for each finding.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_finding_junit(
    command: &str,
    findings: &[Finding],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for finding in findings {
        let suite = suites.entry(&finding.group);
        let suite = suite.or_insert_with(|| TestSuite::new(xml(&finding.group)));
        if let Some(time) = finding.time {
            suite.set_time(suite.time.unwrap_or_default() + time);
        }
        suite.add_test_case(finding.test_case());
    }
    write_suites(
        command,
        None,
        || [suites.values().cloned()].into_iter(),
        out,
    )
}

#[cfg(test)]
mod tests;

//! What commands write for programs, beside their text: JSON, and what was found for continuous integration.
//!
//! An earlier document stays until the new one takes its place. Reports on a class have more formats, and owners: see
//! [`crate::outputs`].

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use grader_publish::{atomic_write, probe_write};
use grader_report::json::write_value;
use grader_report::{Finding, finding_summary, write_finding_annotations, write_finding_junit};
use grader_session::owned::{contains, head, is_stdout, say_written};
use grader_session::{Failure, shown};
use serde::Serialize;

use crate::outputs::add_step_summary;
use crate::targets::Targets;
use crate::terminal::Terminal;

/// The document of a command that finds nothing which continuous integration shows.
#[derive(Debug, Args)]
pub(crate) struct JsonArgs {
    /// What was found, as JSON; `-` is standard output.
    ///
    /// On standard output it takes the place of the text. `grader schema` describes it.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The documents of a command that finds something.
#[derive(Debug, Args)]
pub(crate) struct FindingArgs {
    #[command(flatten)]
    json: JsonArgs,
    /// Test report of CI systems (JUnit XML).
    ///
    /// Only one document may go to standard output (`-`), in place of the text.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    junit: Option<PathBuf>,
    /// Annotations for GitHub Actions.
    #[arg(long, hide_short_help = true)]
    github: bool,
}

/// How a command's own documents begin: they replace nothing else.
pub(crate) struct Kind {
    json: String,
    /// The name in the first tag of JUnit XML; `None` if it is that of any assignment.
    junit: Option<String>,
}

impl Kind {
    /// The documents with this format, as `bitcraft-check/1`, of any version.
    pub(crate) fn of(format: &str, command: &str) -> Self {
        let name = format.rsplit_once('/').map_or(format, |(name, _)| name);
        Self {
            json: format!("{{\n  \"format\": \"{name}/"),
            junit: Some(command.to_owned()),
        }
    }

    /// Results that belong to no class, for an assignment. It is `None` if that is not known.
    pub(crate) fn without_class(format: &str, assignment: Option<&str>) -> Self {
        Self {
            json: format!(
                "{{\n  \"format\": \"{format}\",\n  \"run\": null,\n  \"class\": null,\n"
            ),
            junit: assignment.map(str::to_owned),
        }
    }

    fn is_json(&self, head: &[u8]) -> bool {
        head.starts_with(self.json.as_bytes())
    }

    fn is_junit(&self, head: &[u8]) -> bool {
        let is_ours = match &self.junit {
            Some(name) => contains(head, &format!("\n<testsuites name=\"{name}\" ")),
            None => contains(head, "<property name=\"max-points\" value=\""),
        };
        is_ours && !contains(head, "<!-- class ")
    }
}

impl JsonArgs {
    /// Checks, before anything runs, that the document can be written and replaces only an earlier one of this format. Returns
    /// the terminal for the command's text, which shows nothing if the document takes its place.
    pub(crate) fn prepare(&self, format: &str, terminal: &Terminal) -> Result<Terminal, Failure> {
        let kind = Kind::of(format, "");
        let path = self.json.as_deref();
        path.map_or(Ok(()), |it| Targets::default().add(it, false))?;
        check(path, |head| kind.is_json(head))?;
        Ok(text_beside([path], terminal))
    }

    /// Writes the document, if it was asked for.
    pub(crate) fn write(
        &self,
        document: &impl Serialize,
        terminal: &Terminal,
    ) -> anyhow::Result<()> {
        let path = self.json.as_deref();
        write(path, |out| write_value(document, out), terminal)
    }
}

/// What a command found, in each format.
pub(crate) trait Documents {
    fn json(&self, out: &mut dyn Write) -> io::Result<()>;
    fn junit(&self, out: &mut dyn Write) -> io::Result<()>;
    /// To standard output.
    fn annotations(&self, terminal: &Terminal) -> io::Result<()>;
}

/// What a command found about files of an author, or about programs.
pub(crate) struct FindingDocuments<'a, T> {
    pub(crate) command: &'a str,
    pub(crate) document: &'a T,
    pub(crate) findings: Vec<Finding>,
}

impl<T: Serialize> Documents for FindingDocuments<'_, T> {
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_value(self.document, out)
    }

    fn junit(&self, out: &mut dyn Write) -> io::Result<()> {
        write_finding_junit(self.command, &self.findings, out)
    }

    fn annotations(&self, terminal: &Terminal) -> io::Result<()> {
        write_finding_annotations(&self.findings, &mut Terminal::pipe())?;
        add_step_summary(|| finding_summary(self.command, &self.findings), terminal);
        Ok(())
    }
}

impl FindingArgs {
    /// The same as [`JsonArgs::prepare`].
    pub(crate) fn prepare(&self, kind: &Kind, terminal: &Terminal) -> Result<Terminal, Failure> {
        let mut targets = Targets::default();
        if self.github {
            targets.add_stdout();
        }
        let (json, junit) = (self.json.json.as_deref(), self.junit.as_deref());
        for path in [json, junit].into_iter().flatten() {
            targets.add(path, false)?;
        }
        check(json, |head| kind.is_json(head))?;
        check(junit, |head| kind.is_junit(head))?;
        Ok(text_beside([json, junit], terminal))
    }

    /// Writes the documents that were asked for. If one fails, the others are written nevertheless.
    pub(crate) fn write(&self, found: &dyn Documents, terminal: &Terminal) -> anyhow::Result<()> {
        let github = || found.annotations(terminal);
        let github = if self.github { github() } else { Ok(()) };
        let (json, junit) = (self.json.json.as_deref(), self.junit.as_deref());
        let json = write(json, |out| found.json(out), terminal);
        let junit = write(junit, |out| found.junit(out), terminal);
        github?;
        json.and(junit)
    }
}

/// Refuses a path at which there is something else, or where nothing can be written.
fn check(path: Option<&Path>, is_ours: impl FnOnce(&[u8]) -> bool) -> Result<(), Failure> {
    let Some(path) = path.filter(|it| !is_stdout(it)) else {
        return Ok(());
    };
    let head = head(path);
    if !head.is_empty() && !is_ours(&head) {
        return Err(Failure::usage(format!(
            "`{}` exists, and is no earlier document of this kind: name another file",
            shown(path)
        )));
    }
    probe_write(path).map_err(|error| Failure::mistake(error.text()))
}

/// The terminal for the text beside documents.
fn text_beside<const N: usize>(paths: [Option<&Path>; N], terminal: &Terminal) -> Terminal {
    if paths.into_iter().flatten().any(is_stdout) {
        terminal.without_text()
    } else {
        terminal.clone()
    }
}

fn write(
    path: Option<&Path>,
    document: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let Some(path) = path else {
        return Ok(());
    };
    if is_stdout(path) {
        return Ok(document(&mut Terminal::pipe())?);
    }
    atomic_write(path, document)?;
    say_written(path, terminal);
    Ok(())
}

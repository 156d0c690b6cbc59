//! The report on a class: how the results of `grade`, fresh or recorded, are shown.

use std::io::{self, Write};
use std::path::Path;

use grader_model::{Results, StudentId, Verdict};
use grader_report::{Audience, atomic_write, probe_write, terminal as draw, write_json};

use crate::cli::{self, ClassReportArgs, Format};
use crate::exit::Mistake;
use crate::terminal::Terminal;

impl ClassReportArgs {
    /// Who will read it.
    pub(crate) const fn reader(&self) -> Audience {
        match self.audience {
            cli::Audience::Student => Audience::Student,
            cli::Audience::Staff => Audience::Staff,
        }
    }

    /// Whether a student enters it: a report for a student is about the one who is explained.
    pub(crate) fn includes(&self, student: &StudentId) -> bool {
        self.reader() == Audience::Staff || self.explains(student)
    }

    fn explains(&self, student: &StudentId) -> bool {
        self.explain.iter().any(|id| id == student.as_str())
    }

    /// Looks for mistakes that can be seen before there are results.
    pub(crate) fn check(&self) -> Result<(), Mistake> {
        if self.reader() == Audience::Student && self.explain.len() != 1 {
            return Err(Mistake::new(
                "a report for a student is about one student: name the one with `--explain ID`",
                "给学生的报告只能关于一名学生：请用 `--explain ID` 指定",
            ));
        }
        Ok(())
    }

    /// Looks for students who are to be explained and are not `known` from `source`.
    pub(crate) fn check_students(
        &self,
        known: &[&StudentId],
        source: &Path,
    ) -> Result<(), Mistake> {
        for id in &self.explain {
            if !known.iter().any(|known| known.as_str() == id) {
                let source = source.display();
                return Err(Mistake::new(
                    format!("there is no student `{id}` in `{source}`"),
                    format!("`{source}` 中没有学生 `{id}`"),
                ));
            }
        }
        Ok(())
    }

    /// Tries whether the report can be written where it is to go: before hours of grading.
    pub(crate) fn probe(&self) -> Result<(), Mistake> {
        self.output.as_deref().map_or(Ok(()), probe)
    }

    /// Writes the report to its file, or to standard output.
    pub(crate) fn give(&self, results: &Results, terminal: &Terminal) -> anyhow::Result<()> {
        let Some(path) = &self.output else {
            return Ok(self.write(results, terminal, &mut terminal.stdout(), false)?);
        };
        if let Err(error) = atomic_write(path, |out| self.write(results, terminal, out, true)) {
            // What was graded must not be lost with the place for it.
            self.write(results, terminal, &mut terminal.stdout(), false)?;
            let words = terminal.lang().pick(
                "the report went to standard output instead",
                "报告改为写到标准输出",
            );
            writeln!(terminal.stderr(), "{words}")?;
            return Err(error.into());
        }
        let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
        let words = terminal.lang().pick(
            format!("report written to `{path}`"),
            format!("报告已写入 `{path}`"),
        );
        writeln!(terminal.stderr(), "{words}")?;
        Ok(())
    }

    fn write(
        &self,
        results: &Results,
        terminal: &Terminal,
        out: &mut dyn Write,
        to_file: bool,
    ) -> io::Result<()> {
        let audience = self.reader();
        if self.format == Format::Json {
            return write_json(results, audience, out);
        }
        let style = if to_file {
            terminal.paper()
        } else {
            terminal.style()
        };
        let shown = audience.view(results);
        if audience == Audience::Student {
            return out.write_all(draw::personal(&shown, &style).as_bytes());
        }
        out.write_all(draw::class(&shown, &style).as_bytes())?;
        for student in shown.students.iter().filter(|s| self.explains(&s.id)) {
            writeln!(out)?;
            out.write_all(draw::student(student, &shown.assignment, &style).as_bytes())?;
        }
        Ok(())
    }
}

/// Tries whether a file can be written.
pub(crate) fn probe(path: &Path) -> Result<(), Mistake> {
    probe_write(path).map_err(|error| Mistake(error.text()))
}

/// Whether some points are open because of a fault of ours.
pub(crate) fn has_faults(results: &Results) -> bool {
    results
        .students
        .iter()
        .flat_map(|student| &student.problems)
        .any(|problem| problem.verdict == Verdict::JudgeError)
}

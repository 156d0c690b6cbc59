//! Writing the report in each format.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use grader_lms::write_moodle_feedback;
use grader_model::{Results, StudentResult, System, Text, escaped};
use grader_report::{
    Audience, Style, atomic_write, step_summary, student_report, terminal as draw,
    write_annotations, write_classroom, write_csv, write_gradescope, write_json, write_junit,
    write_markdown, write_student_files,
};

use super::table::Table;
use super::{ClassReportArgs, Format, mistake, shown, withheld};
use crate::terminal::Terminal;

/// The file to which a step of GitHub Actions adds what its page shows.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// A report whose place was checked and whose table was read.
pub(crate) struct Prepared<'a> {
    pub(super) args: &'a ClassReportArgs,
    pub(super) table: Option<Table<'a>>,
}

impl Prepared<'_> {
    /// Writes the report to its file or folder, or to standard output.
    ///
    /// # Errors
    /// [`crate::exit::Withheld`] if the format carries points elsewhere and some are not known: nothing is written then.
    pub(crate) fn give(&self, results: &Results, terminal: &Terminal) -> anyhow::Result<()> {
        let args = self.args;
        if args.format.carries_points() && !args.allow_faults {
            withheld::check(results, args.format)?;
        }
        if args.format == Format::MoodleFeedback && !results.students.iter().any(has_moodle_id) {
            return Err(mistake(
                "no student has a Moodle participant ID: grade the zip of `Download all submissions` as it is, or use a \
                 roster with these IDs",
            )
            .into());
        }
        let mut remarks = match &args.output {
            None => self.show(results, terminal)?,
            Some(path) => self.save(path, results, terminal)?,
        };
        remarks.extend(self.add_step_summary(results, terminal));
        if let Some(path) = &args.output {
            let path = shown(path);
            remarks.push(Text::new(
                format!("report written to {path}"),
                format!("报告已写入 {path}"),
            ));
        }
        for remark in remarks {
            let text = escaped(remark.get(terminal.lang()).as_bytes());
            writeln!(terminal.stderr(), "{text}")?;
        }
        Ok(())
    }

    /// Writes the report to standard output: unchanged if programs read it.
    fn show(&self, results: &Results, terminal: &Terminal) -> io::Result<Vec<Text>> {
        let style = terminal.style();
        match self.args.format {
            Format::Text | Format::Markdown => {
                self.write(results, terminal, &style, &mut terminal.stdout())
            }
            _ => self.write(results, terminal, &style, &mut terminal.pipe()),
        }
    }

    /// Writes the report to its file or folder.
    fn save(
        &self,
        path: &Path,
        results: &Results,
        terminal: &Terminal,
    ) -> anyhow::Result<Vec<Text>> {
        let paper = terminal.paper();
        let mut remarks = Vec::new();
        match self.args.format {
            Format::Students => write_student_files(path, results, &paper)?,
            format => {
                let written = atomic_write(path, |out| {
                    remarks = self.write(results, terminal, &paper, out)?;
                    Ok(())
                });
                if written.is_err() && format != Format::MoodleFeedback {
                    // Results must not be lost with the place for them.
                    self.show(results, terminal)?;
                    let words = terminal.lang().pick(
                        "the report went to standard output instead",
                        "报告改为写到标准输出",
                    );
                    writeln!(terminal.stderr(), "{words}")?;
                }
                written?;
            }
        }
        Ok(remarks)
    }

    /// Writes the report as one stream. Returns remarks for standard error.
    fn write(
        &self,
        results: &Results,
        terminal: &Terminal,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<Vec<Text>> {
        let (audience, lang) = (self.args.audience, terminal.lang());
        match self.args.format {
            Format::Text => self.text(results, style, out)?,
            Format::Json => write_json(results, audience, out)?,
            Format::Csv => write_csv(results, audience, lang, out)?,
            Format::Junit => write_junit(results, audience, out)?,
            Format::Markdown => write_markdown(results, audience, lang, out)?,
            Format::Github => write_annotations(results, audience, lang, out)?,
            Format::Classroom => write_classroom(results, out)?,
            Format::Gradescope => write_gradescope(results, lang, out)?,
            Format::MoodleFeedback => {
                let paper = terminal.paper();
                let report =
                    &mut |student: &StudentResult| student_report(results, student, &paper);
                return write_moodle_feedback(&results.students, lang, report, out);
            }
            Format::Moodle | Format::Canvas | Format::Blackboard | Format::Brightspace => {
                // `prepare` has read it.
                let table = self.table.as_ref().ok_or(io::ErrorKind::InvalidInput)?;
                let filled = table
                    .fill(results, &terminal.paper())
                    .map_err(|error| io::Error::other(error))?;
                out.write_all(&filled.bytes)?;
                let mut remarks = filled.remarks;
                let (written, all) = (filled.written, results.students.len());
                remarks.push(Text::new(
                    format!("points of {written} of {all} students were filled in"),
                    format!("已填入 {all} 名学生中 {written} 名的分数"),
                ));
                return Ok(remarks);
            }
            // A folder is no stream: `check` has asked for its place.
            Format::Students => return Err(io::ErrorKind::InvalidInput.into()),
        }
        Ok(Vec::new())
    }

    fn text(&self, results: &Results, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let audience = self.args.audience;
        let view = audience.view(results);
        if audience == Audience::Student {
            return out.write_all(draw::personal(&view, style).as_bytes());
        }
        out.write_all(draw::class(&view, style).as_bytes())?;
        let students = view.students.iter();
        for student in students.filter(|student| self.args.explains(&student.id)) {
            writeln!(out)?;
            out.write_all(draw::student(student, style).as_bytes())?;
        }
        Ok(())
    }

    /// Adds the page of a step in GitHub Actions. The annotations are worth more: a failure is only a remark.
    fn add_step_summary(&self, results: &Results, terminal: &Terminal) -> Option<Text> {
        let path = std::env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty());
        let path = path.filter(|_| self.args.format == Format::Github)?;
        let add = || {
            let page = step_summary(results, self.args.audience, terminal.lang())?;
            let mut file = File::options().append(true).create(true).open(path)?;
            file.write_all(page.as_bytes())
        };
        let error: io::Error = add().err()?;
        Some(Text::new(
            format!("the summary of the step is not written (`${STEP_SUMMARY}`): {error}"),
            format!("没有写出步骤摘要（`${STEP_SUMMARY}`）：{error}"),
        ))
    }
}

fn has_moodle_id(student: &StudentResult) -> bool {
    let person = student.person.as_ref();
    person.is_some_and(|person| person.ids.contains_key(&System::Moodle))
}

//! The report in each format.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use grader_lms::write_moodle_feedback;
use grader_model::{Results, StudentResult, Text};
use grader_report::{
    Audience, CsvOptions, MarkdownOptions, OwnReports, Style, step_summary, terminal as draw,
    write_annotations, write_classroom, write_csv, write_gradescope, write_json, write_junit,
    write_markdown, write_student_files,
};

use super::Prepared;
use crate::cli::Format;
use crate::terminal::Terminal;

/// The file to which a step of GitHub Actions adds what its page shows.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

impl Prepared<'_> {
    /// Writes the report as one stream; what is to be said beside it goes to `remarks`.
    pub(super) fn write(
        &self,
        results: &Results,
        terminal: &Terminal,
        out: &mut dyn Write,
        to_file: bool,
        remarks: &mut Vec<Text>,
    ) -> io::Result<()> {
        let audience = self.args.reader();
        let lang = terminal.lang();
        remarks.clear();
        match self.args.format {
            Format::Text => {
                let style = if to_file {
                    terminal.paper()
                } else {
                    terminal.style()
                };
                self.text(results, &style, out)
            }
            Format::Json => write_json(results, audience, out),
            Format::Csv => {
                let options = CsvOptions {
                    lang,
                    ..CsvOptions::default()
                };
                write_csv(results, audience, &options, out)
            }
            Format::Junit => write_junit(results, audience, out),
            Format::Markdown => {
                let options = MarkdownOptions { lang, most: None };
                write_markdown(results, audience, &options, out)
            }
            Format::Github => write_annotations(results, audience, lang, out),
            Format::Classroom => write_classroom(results, out),
            Format::Gradescope => write_gradescope(results, lang, out),
            Format::MoodleFeedback => {
                let style = terminal.paper();
                let mut reports = OwnReports::new(results, &style);
                let report = &mut |student: &StudentResult| reports.of(student);
                let missing = write_moodle_feedback(&results.students, lang, report, out)?;
                remarks.extend(missing.into_iter().map(|remark| remark.text));
                Ok(())
            }
            Format::Moodle | Format::Canvas | Format::Blackboard | Format::Brightspace => {
                // `check` and `prepare` have seen to it that there is one, and tried it.
                let table = self.table.as_ref().ok_or(io::ErrorKind::InvalidInput)?;
                let filled = table
                    .fill(results, &terminal.paper())
                    .map_err(|error| io::Error::other(error.text().en))?;
                remarks.extend(filled.remarks.into_iter().map(|remark| remark.text));
                let (written, all) = (filled.written, results.students.len());
                remarks.push(Text::new(
                    format!("points of {written} of {all} students were filled in"),
                    format!("已填入 {all} 名学生中 {written} 名的分数"),
                ));
                out.write_all(&filled.bytes)
            }
            // A folder is no stream: `check` has seen to it that there is a place for it.
            Format::Students => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// Writes the report to standard output: as it is where a program reads it, which a log must not change.
    pub(super) fn show(
        &self,
        results: &Results,
        terminal: &Terminal,
        remarks: &mut Vec<Text>,
    ) -> io::Result<()> {
        if matches!(self.args.format, Format::Text | Format::Markdown) {
            self.write(results, terminal, &mut terminal.stdout(), false, remarks)
        } else {
            self.write(results, terminal, &mut terminal.pipe(), false, remarks)
        }
    }

    /// Adds the page of a step where the format is GitHub's and we are a step of GitHub Actions; once, when the
    /// annotations are written. They are worth more than the page: if that fails, it is said.
    pub(super) fn summarise(&self, results: &Results, terminal: &Terminal) -> Option<Text> {
        let path = std::env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty());
        let path = path.filter(|_| self.args.format == Format::Github)?;
        let add = || -> io::Result<()> {
            let page = step_summary(results, self.args.reader(), terminal.lang())?;
            let mut file = File::options().append(true).create(true).open(path)?;
            file.write_all(page.as_bytes())
        };
        let error = add().err()?;
        Some(Text::new(
            format!("the summary of the step is not written (`${STEP_SUMMARY}`): {error}"),
            format!("没有写出步骤摘要（`${STEP_SUMMARY}`）：{error}"),
        ))
    }

    fn text(&self, results: &Results, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let audience = self.args.reader();
        let shown = audience.view(results);
        if audience == Audience::Student {
            return out.write_all(draw::personal(&shown, style).as_bytes());
        }
        out.write_all(draw::class(&shown, style).as_bytes())?;
        let explained = shown.students.iter();
        for student in explained.filter(|student| self.args.explains(&student.id)) {
            writeln!(out)?;
            out.write_all(draw::student(student, &shown.assignment, style).as_bytes())?;
        }
        Ok(())
    }
}

/// Writes a text for each student into a folder.
pub(super) fn folder(path: &Path, results: &Results, style: &Style) -> anyhow::Result<()> {
    write_student_files(path, results, style)?;
    Ok(())
}

/// Says on standard error what is to be known of a report.
pub(super) fn say(remarks: &[Text], terminal: &Terminal) -> anyhow::Result<()> {
    for remark in remarks {
        let text = grader_model::escaped(remark.get(terminal.lang()).as_bytes());
        writeln!(terminal.stderr(), "{text}")?;
    }
    Ok(())
}

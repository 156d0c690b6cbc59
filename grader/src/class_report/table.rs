//! A gradebook of a course system that is filled in.

use std::fs;
use std::path::Path;

use grader_lms::{FillError, FillOptions, Filled, Gradebook, fill};
use grader_model::{AssignmentInfo, Lang, Results, StudentResult, Text, escaped};
use grader_report::{OwnReports, Style};

use crate::cli::{Format, TableArgs};
use crate::exit::Mistake;

/// A gradebook that was read and whose columns were recognised.
pub(super) struct Table<'a> {
    args: &'a TableArgs,
    path: &'a Path,
    bytes: Vec<u8>,
    gradebook: Gradebook,
}

impl Format {
    /// The system whose gradebook it fills in.
    const fn gradebook(self) -> Option<Gradebook> {
        match self {
            Self::Moodle => Some(Gradebook::Moodle),
            Self::Canvas => Some(Gradebook::Canvas),
            Self::Blackboard => Some(Gradebook::Blackboard),
            Self::Brightspace => Some(Gradebook::Brightspace),
            _ => None,
        }
    }
}

impl TableArgs {
    /// Refuses a format without the file that it fills in, and options that the format does not have.
    pub(super) fn check(&self, format: Format) -> Result<(), Mistake> {
        let word = format.word();
        let gradebook = format.gradebook();
        let takes_worksheet = gradebook == Some(Gradebook::Moodle);
        let takes_gradebook = gradebook.is_some() && !takes_worksheet;
        for (option, is_given, is_needed, en, zh) in [
            (
                "--worksheet",
                self.worksheet.is_some(),
                takes_worksheet,
                "the grading worksheet that Moodle lets you download",
                "从 Moodle 下载的评分工作表",
            ),
            (
                "--gradebook",
                self.gradebook.is_some(),
                takes_gradebook,
                "the gradebook that the course system exports",
                "从课程系统导出的成绩册",
            ),
        ] {
            if is_needed && !is_given {
                return Err(Mistake::new(
                    format!("`--format {word}` fills in {en}: name it with `{option} FILE`"),
                    format!("`--format {word}` 填写{zh}：请用 `{option} FILE` 指定"),
                ));
            }
            if is_given && !is_needed {
                return Err(not_for(option, &word));
            }
        }
        let options = [
            ("--column", !self.column.is_empty()),
            ("--scale", self.scale),
            ("--leave-bonus", self.leave_bonus),
            ("--overwrite", self.overwrite),
        ];
        match options.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) if gradebook.is_none() => Err(not_for(option, &word)),
            _ => Ok(()),
        }
    }

    /// Reads the gradebook that the format fills in, and tries to fill it with nobody's points.
    pub(super) fn read(
        &self,
        format: Format,
        assignment: &AssignmentInfo,
    ) -> Result<Option<Table<'_>>, Mistake> {
        let Some(gradebook) = format.gradebook() else {
            return Ok(None);
        };
        let Some(path) = self.worksheet.as_ref().or(self.gradebook.as_ref()) else {
            return Ok(None);
        };
        let bytes = fs::read(path).map_err(|error| {
            let path = escaped(path.as_os_str().as_encoded_bytes());
            Mistake::new(
                format!("cannot read `{path}`: {error}"),
                format!("无法读取 `{path}`：{error}"),
            )
        })?;
        let table = Table {
            args: self,
            path,
            bytes,
            gradebook,
        };
        let no_report = &mut |_: &StudentResult| String::new();
        let trial = table.fill_with(assignment, &[], Lang::En, no_report);
        trial.map_err(|error| table.mistake(&error))?;
        Ok(Some(table))
    }
}

fn not_for(option: &str, word: &str) -> Mistake {
    Mistake::new(
        format!("`{option}` is not for `--format {word}`"),
        format!("`{option}` 不能用于 `--format {word}`"),
    )
}

impl Table<'_> {
    /// The gradebook with the points of these results in it.
    pub(super) fn fill(&self, results: &Results, style: &Style) -> Result<Filled, FillError> {
        let mut reports = OwnReports::new(results, style);
        let report = &mut |student: &StudentResult| reports.of(student);
        self.fill_with(&results.assignment, &results.students, style.lang, report)
    }

    fn fill_with(
        &self,
        assignment: &AssignmentInfo,
        students: &[StudentResult],
        lang: Lang,
        report: &mut dyn FnMut(&StudentResult) -> String,
    ) -> Result<Filled, FillError> {
        let options = FillOptions {
            columns: &self.args.column,
            leave_bonus: self.args.leave_bonus,
            scale: self.args.scale,
            overwrite: self.args.overwrite,
            lang,
        };
        fill(
            self.gradebook,
            &self.bytes,
            assignment,
            students,
            options,
            report,
        )
    }

    /// Why it cannot be filled.
    fn mistake(&self, error: &FillError) -> Mistake {
        let path = escaped(self.path.as_os_str().as_encoded_bytes());
        let Text { en, zh } = error.text();
        Mistake::new(format!("`{path}`: {en}"), format!("`{path}`：{zh}"))
    }
}

//! A table of another system that is filled in: Moodle's worksheet, Canvas' gradebook.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use grader_model::{
    AssignmentInfo, Host, Isolation, IsolationLevel, Results, ResultsFormat, Text, escaped,
};
use grader_report::{
    Bonus, CanvasOptions, FillError, Filled, MoodleColumn, MoodleOptions, Style,
    fill_canvas_gradebook, fill_moodle_worksheet,
};

use super::{Format, mistake, shown};
use crate::exit::Mistake;

/// A table of another system that is filled in.
#[derive(Debug, Args)]
#[command(next_help_heading = "A table that is filled in")]
pub(crate) struct TableArgs {
    /// The grading worksheet that Moodle lets you download, for `--format moodle`.
    #[arg(long, value_name = "FILE")]
    worksheet: Option<PathBuf>,
    /// The gradebook that Canvas exports, for `--format canvas`.
    #[arg(long, value_name = "FILE")]
    gradebook: Option<PathBuf>,
    /// Of a worksheet a column whose head is not known, `grade=Mark` (may be given more than once); of a gradebook the
    /// assignment, by its number, its column or its title [default: the assignment's title].
    #[arg(long, value_name = "COLUMN")]
    column: Vec<String>,
    /// Scale points where the table counts up to another number than the assignment.
    #[arg(long)]
    scale: bool,
    /// Do not count bonus points.
    #[arg(long)]
    leave_bonus: bool,
}

/// A table that was read and whose columns were recognised.
pub(super) struct Table<'a> {
    args: &'a TableArgs,
    path: &'a Path,
    bytes: Vec<u8>,
    kind: Kind,
}

enum Kind {
    Moodle {
        columns: Vec<(MoodleColumn, String)>,
    },
    Canvas {
        column: String,
    },
}

impl TableArgs {
    /// Finds what a format needs and does not have, and options that it does not take.
    pub(super) fn check(&self, format: Format) -> Result<(), Mistake> {
        let tables = [
            (
                Format::Moodle,
                "--worksheet FILE",
                "the grading worksheet that Moodle lets you download",
                self.worksheet.is_some(),
            ),
            (
                Format::Canvas,
                "--gradebook FILE",
                "the gradebook that Canvas exports",
                self.gradebook.is_some(),
            ),
        ];
        for (of, option, what, is_given) in tables {
            let word = of.word();
            if format == of && !is_given {
                return Err(mistake(format!(
                    "`--format {word}` fills in {what}: name it with `{option}`"
                )));
            }
            if format != of && is_given {
                return Err(mistake(format!("`{option}` is for `--format {word}`")));
            }
        }
        let mut options = [
            ("--column", !self.column.is_empty()),
            ("--scale", self.scale),
            ("--leave-bonus", self.leave_bonus),
        ]
        .into_iter();
        match options.find(|(_, is_given)| *is_given) {
            Some((option, _)) if !matches!(format, Format::Moodle | Format::Canvas) => {
                Err(mistake(format!(
                    "`{option}` is for `--format moodle` and `--format canvas`"
                )))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Reads the table that the format fills in, and checks that it can be filled.
    pub(super) fn read(
        &self,
        format: Format,
        assignment: &AssignmentInfo,
    ) -> Result<Option<Table<'_>>, Mistake> {
        let (path, kind) = match (format, &self.worksheet, &self.gradebook) {
            (Format::Moodle, Some(path), _) => {
                let columns = self.column.iter().map(|text| moodle_column(text));
                let columns = columns.collect::<Result<_, _>>()?;
                (path, Kind::Moodle { columns })
            }
            (Format::Canvas, _, Some(path)) => {
                let column = match self.column.as_slice() {
                    [] => assignment.title.en.clone(),
                    [column] => column.clone(),
                    [..] => return Err(mistake("`--column` names one assignment of a gradebook")),
                };
                (path, Kind::Canvas { column })
            }
            _ => return Ok(None),
        };
        let bytes = fs::read(path)
            .map_err(|error| mistake(format!("cannot read {}: {error}", shown(path))))?;
        let table = Table {
            args: self,
            path,
            bytes,
            kind,
        };
        match table.fill(&nobody(assignment), &Style::default()) {
            Ok(_) => Ok(Some(table)),
            Err(error) => {
                let (path, Text { en, zh }) = (shown(table.path), error.text());
                Err(Mistake::new(
                    format!("{path}: {en}"),
                    format!("{path}：{zh}"),
                ))
            }
        }
    }
}

impl Table<'_> {
    /// The table with the points of these results in it.
    pub(super) fn fill(&self, results: &Results, style: &Style) -> Result<Filled, FillError> {
        let bonus = if self.args.leave_bonus {
            Bonus::Leave
        } else {
            Bonus::Count
        };
        let scale = self.args.scale;
        match &self.kind {
            Kind::Moodle { columns } => {
                let options = MoodleOptions {
                    columns: columns.clone(),
                    bonus,
                    scale,
                    feedback: Some(MoodleOptions::FEEDBACK),
                    style: *style,
                };
                fill_moodle_worksheet(&self.bytes, results, &options)
            }
            Kind::Canvas { column } => {
                let options = CanvasOptions { bonus, scale };
                fill_canvas_gradebook(&self.bytes, column, results, options)
            }
        }
    }
}

/// `grade=Mark`: what a column is, and its head.
fn moodle_column(text: &str) -> Result<(MoodleColumn, String), Mistake> {
    let known = MoodleColumn::ALL;
    let found = text.split_once('=').and_then(|(word, head)| {
        let column = known.iter().find(|column| column.word() == word)?;
        Some((*column, head.to_owned()))
    });
    found.ok_or_else(|| {
        let words: Vec<String> = known.iter().map(|it| format!("`{}`", it.word())).collect();
        mistake(format!(
            "`--column {}`: expected COLUMN=HEADER, where COLUMN is one of {}",
            escaped(text.as_bytes()),
            words.join(", ")
        ))
    })
}

/// Results of an assignment without students.
fn nobody(assignment: &AssignmentInfo) -> Results {
    Results {
        format: ResultsFormat::V2,
        run: None,
        assignment: assignment.clone(),
        host: Host {
            cpu: String::new(),
            cores: 0,
            kernel: String::new(),
            toolchains: std::collections::BTreeMap::default(),
        },
        isolation: Isolation {
            level: IsolationLevel::Strict,
            layers: Vec::new(),
            missing: Vec::new(),
        },
        students: Vec::new(),
        unused: Vec::new(),
        reference_times: Vec::new(),
        interrupted: false,
    }
}

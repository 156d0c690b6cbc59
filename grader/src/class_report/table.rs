//! A table of another system that is filled in: Moodle's worksheet, Canvas' gradebook.

use std::fs;
use std::path::Path;

use grader_model::{AssignmentInfo, Host, Isolation, IsolationLevel, Results, Text, escaped};
use grader_report::{
    Bonus, CanvasOptions, FillError, Filled, MoodleColumn, MoodleOptions, Style,
    fill_canvas_gradebook, fill_moodle_worksheet,
};

use crate::cli::{Format, TableArgs};
use crate::exit::Mistake;

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
    /// Looks for what a format needs and does not have, and for what no format needs.
    pub(super) fn check(&self, format: Format) -> Result<(), Mistake> {
        for (option, of, en, zh, given) in [
            (
                "--worksheet FILE",
                Format::Moodle,
                "the grading worksheet that Moodle lets you download",
                "从 Moodle 下载的评分工作表",
                self.worksheet.is_some(),
            ),
            (
                "--gradebook FILE",
                Format::Canvas,
                "the gradebook that Canvas exports",
                "从 Canvas 导出的成绩册",
                self.gradebook.is_some(),
            ),
        ] {
            let word = of.word();
            if format == of && !given {
                return Err(Mistake::new(
                    format!("`--format {word}` fills in {en}: name it with `{option}`"),
                    format!("`--format {word}` 填写{zh}：请用 `{option}` 指定"),
                ));
            }
            if format != of && given {
                return Err(Mistake::new(
                    format!("`{option}` is for `--format {word}`"),
                    format!("`{option}` 只用于 `--format {word}`"),
                ));
            }
        }
        let fills = matches!(format, Format::Moodle | Format::Canvas);
        let options = [
            ("--column", !self.column.is_empty()),
            ("--scale", self.scale),
            ("--leave-bonus", self.leave_bonus),
        ];
        if let Some((option, _)) = options.iter().find(|(_, given)| *given && !fills) {
            return Err(Mistake::new(
                format!("`{option}` is for `--format moodle` and `--format canvas`"),
                format!("`{option}` 只用于 `--format moodle` 和 `--format canvas`"),
            ));
        }
        Ok(())
    }

    /// Reads the table that the format fills in, and tries to fill it with nobody's points.
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
                    [..] => {
                        return Err(Mistake::new(
                            "`--column` names one assignment of a gradebook",
                            "`--column` 只能指定成绩册中的一项作业",
                        ));
                    }
                };
                (path, Kind::Canvas { column })
            }
            _ => return Ok(None),
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
            kind,
        };
        let trial = table.fill(&nobody(assignment), &Style::default());
        trial.map_err(|error| table.mistake(&error))?;
        Ok(Some(table))
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

    /// Why it cannot be filled.
    pub(super) fn mistake(&self, error: &FillError) -> Mistake {
        let path = escaped(self.path.as_os_str().as_encoded_bytes());
        let Text { en, zh } = error.text();
        Mistake::new(format!("`{path}`: {en}"), format!("`{path}`：{zh}"))
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
        let words: Vec<String> = known
            .iter()
            .map(|column| format!("`{}`", column.word()))
            .collect();
        let text = escaped(text.as_bytes());
        Mistake::new(
            format!(
                "`--column {text}`: expected COLUMN=HEADER, where COLUMN is one of {}",
                words.join(", ")
            ),
            format!(
                "`--column {text}`：应为 COLUMN=表头，其中 COLUMN 是 {} 之一",
                words.join("、")
            ),
        )
    })
}

/// Results of an assignment without students.
fn nobody(assignment: &AssignmentInfo) -> Results {
    Results {
        format: grader_model::ResultsFormat::V2,
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

//! The report on a class: how the results of `grade`, fresh or kept, are shown.
//!
//! `grade` and `report` feed the same code: what can be a mistake is looked for before there are results
//! ([`ClassReportArgs::prepare`]), and what is written is made of the results alone ([`Prepared::give`]).

mod table;
mod withheld;
mod write;

use std::io::Write;
use std::path::{Path, PathBuf};

use grader_model::{AssignmentInfo, Results, StudentId, StudentResult, System, Verdict};
use grader_report::{Audience, atomic_write, probe_write};

use crate::cli::{self, ClassReportArgs, Format};
use crate::exit::Mistake;
use crate::terminal::Terminal;
use table::Table;

/// A report whose place was tried and whose companions were read.
pub(crate) struct Prepared<'a> {
    args: &'a ClassReportArgs,
    /// The file of another system that is filled in.
    table: Option<Table<'a>>,
}

impl ClassReportArgs {
    /// Who will read it.
    pub(crate) const fn reader(&self) -> Audience {
        match self.audience {
            cli::Audience::Student => Audience::Student,
            cli::Audience::Staff => Audience::Staff,
        }
    }

    /// Whether it is about exactly one student.
    fn is_about_one(&self) -> bool {
        self.reader() == Audience::Student || self.format.is_about_one()
    }

    /// Whether a student enters it: a report about one student is about the one who is explained.
    pub(crate) fn includes(&self, student: &StudentId) -> bool {
        !self.is_about_one() || self.explain.is_empty() || self.explains(student)
    }

    fn explains(&self, student: &StudentId) -> bool {
        self.explain.iter().any(|id| id == student.as_str())
    }

    /// Looks for mistakes that can be seen before a class is read.
    pub(crate) fn check(&self) -> Result<(), Mistake> {
        if self.is_about_one() && self.explain.len() > 1 {
            return Err(self.not_one());
        }
        let word = self.format.word();
        if self.output.is_none() && (self.format.is_folder() || self.format.is_binary()) {
            let (what, zh) = if self.format.is_folder() {
                ("a folder", "文件夹")
            } else {
                ("a zip", "zip 文件")
            };
            return Err(Mistake::new(
                format!("`--format {word}` is {what}: say where with `--output PATH`"),
                format!("`--format {word}` 是{zh}：请用 `--output PATH` 指定位置"),
            ));
        }
        self.table.check(self.format)
    }

    /// Whether a report about one student names the one.
    pub(crate) fn check_students(&self, known: &[&StudentId]) -> Result<(), Mistake> {
        if self.is_about_one() && self.explain.len() != 1 && known.len() != 1 {
            return Err(self.not_one());
        }
        Ok(())
    }

    fn not_one(&self) -> Mistake {
        if self.format.is_about_one() {
            let word = self.format.word();
            return Mistake::new(
                format!("`--format {word}` is about one student: name the one with `--explain ID`"),
                format!("`--format {word}` 只能关于一名学生：请用 `--explain ID` 指定"),
            );
        }
        Mistake::new(
            "a report for a student is about one student: name the one with `--explain ID`",
            "给学生的报告只能关于一名学生：请用 `--explain ID` 指定",
        )
    }

    /// Tries whether the report can be written where it is to go, and reads what is filled in: before hours of grading.
    pub(crate) fn prepare(&self, assignment: &AssignmentInfo) -> Result<Prepared<'_>, Mistake> {
        if let Some(path) = &self.output {
            if self.format.is_folder() {
                probe_folder(path)?;
            } else {
                probe(path)?;
            }
        }
        Ok(Prepared {
            args: self,
            table: self.table.read(self.format, assignment)?,
        })
    }
}

impl Prepared<'_> {
    /// Writes the report to its file or folder, or to standard output.
    ///
    /// # Errors
    /// [`crate::exit::Withheld`] where points are open that the format would carry elsewhere: nothing is written
    /// then.
    pub(crate) fn give(&self, results: &Results, terminal: &Terminal) -> anyhow::Result<()> {
        let args = self.args;
        if args.format.carries_points()
            && !args.allow_faults
            && let Some(withheld) = withheld::of(results, args.format)
        {
            return Err(withheld.into());
        }
        self.knows_somebody(results)?;
        let Some(path) = &args.output else {
            let mut remarks = Vec::new();
            self.show(results, terminal, &mut remarks)?;
            remarks.extend(self.summarise(results, terminal));
            return write::say(&remarks, terminal);
        };
        let mut remarks = Vec::new();
        if args.format.is_folder() {
            write::folder(path, results, &terminal.paper())?;
        } else if let Err(error) = atomic_write(path, |out| {
            self.write(results, terminal, out, true, &mut remarks)
        }) {
            if !args.format.is_binary() {
                // What was graded must not be lost with the place for it.
                self.show(results, terminal, &mut remarks)?;
                let words = terminal.lang().pick(
                    "the report went to standard output instead",
                    "报告改为写到标准输出",
                );
                writeln!(terminal.stderr(), "{words}")?;
            }
            return Err(error.into());
        }
        remarks.extend(self.summarise(results, terminal));
        write::say(&remarks, terminal)?;
        let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
        let words = terminal.lang().pick(
            format!("report written to `{path}`"),
            format!("报告已写入 `{path}`"),
        );
        writeln!(terminal.stderr(), "{words}")?;
        Ok(())
    }

    /// A zip of Moodle's folders holds nobody where no student has a number of Moodle.
    fn knows_somebody(&self, results: &Results) -> Result<(), Mistake> {
        let is_known = |student: &StudentResult| {
            let person = student.person.as_ref();
            person.is_some_and(|person| person.ids.contains_key(&System::Moodle))
        };
        if self.args.format != Format::MoodleFeedback || results.students.iter().any(is_known) {
            return Ok(());
        }
        Err(Mistake::new(
            "no student has a number of Moodle, by which it knows whose feedback is whose: grade its download \
             (`Download all submissions`) as it is, or a class with a roster that has these numbers",
            "没有学生带有 Moodle 编号，Moodle 无法对应反馈：请直接评测从 Moodle 下载的压缩包，或使用含有该编号的名单",
        ))
    }
}

/// Tries whether a file can be written.
pub(crate) fn probe(path: &Path) -> Result<(), Mistake> {
    probe_write(path).map_err(|error| Mistake(error.text()))
}

/// Tries whether files can be written into a folder that may have to be made.
fn probe_folder(path: &Path) -> Result<(), Mistake> {
    if path.exists() && !path.is_dir() {
        let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
        return Err(Mistake::new(
            format!("cannot write the folder `{path}`: there is a file of that name"),
            format!("无法写入文件夹 `{path}`：已有同名文件"),
        ));
    }
    // The nearest folder that is there decides.
    let here = path.ancestors().find(|it| it.is_dir());
    let here = here.map_or_else(|| PathBuf::from("."), Path::to_owned);
    probe(&here.join("report.txt"))
}

/// Whether some points are open because of a fault of ours.
pub(crate) fn has_faults(results: &Results) -> bool {
    results
        .students
        .iter()
        .flat_map(|student| &student.problems)
        .any(|problem| problem.verdict == Verdict::JudgeError)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use crate::cli::Format;

    #[test]
    fn a_format_that_is_about_one_student_carries_points() {
        for format in Format::value_variants() {
            assert!(!format.is_about_one() || format.carries_points());
        }
    }
}

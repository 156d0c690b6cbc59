//! `grader gradebook`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use clap::Args;
use grader_lms::{FillOptions, Gradebook, MAX_TEXT, fill, read_regular};
use grader_model::{Points, StudentId, StudentResult};
use grader_publish::{atomic_write, probe_write};
use grader_report::student_report;
use grader_session::owned::{is_stdout, refuse_existing, say_written};
use grader_session::{Exit, Failure, Graded, IfSeveral, ledger, shown, withhold_open_points};

use crate::args::RunArgs;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The gradebook's headings show which system it is from. Cells that are not for points keep their text. No match is guessed: \
rows and students without a certain match are listed.

Examples:
  grader gradebook Grades.csv -o filled.csv
  grader gradebook export.csv submissions/ --column 1234 -o filled.csv
  grader gradebook Grades.csv --dry-run")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct GradebookArgs {
    /// Export of Canvas, Blackboard or Brightspace, or Moodle's grading worksheet.
    gradebook: PathBuf,
    #[command(flatten)]
    source: RunArgs,
    /// New file for the filled gradebook; `-` is standard output.
    #[arg(long, short, value_name = "OUT")]
    #[arg(required_unless_present_any = ["in_place", "dry_run"])]
    output: Option<PathBuf>,
    /// Write into the gradebook itself.
    #[arg(long, conflicts_with = "output")]
    in_place: bool,
    /// Print what would be filled in, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Column of the assignment, by number, heading or title.
    ///
    /// The default is the column with the assignment's title. `--column KIND=HEADING` says what a column with an unknown heading
    /// is, such as `grade=Mark` or `feedback=Remarks` in a worksheet (repeatable).
    #[arg(long, value_name = "COLUMN")]
    column: Vec<String>,
    /// Scale points to the gradebook's maximum.
    #[arg(long)]
    scale: bool,
    /// Leave bonus points out.
    #[arg(long)]
    no_bonus: bool,
    /// Replace grades that differ, even if a person may have entered them.
    #[arg(long)]
    overwrite: bool,
    /// Write the gradebook even if some submissions could not be judged: the cells of these students stay empty.
    #[arg(long)]
    allow_unscored: bool,
}

pub(crate) fn run(args: &GradebookArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = shown(&args.gradebook);
    let cannot_read = |error| Failure::usage(format!("cannot read `{name}`: {error}"));
    let bytes = read_regular(&args.gradebook, MAX_TEXT).map_err(cannot_read)?;
    args.check_output()?;
    let graded = Graded::read(&args.source.asked(), IfSeveral::Ask, terminal)?;
    graded.say_source(terminal)?;
    if !args.allow_unscored {
        withhold_open_points(&graded.results, true, terminal)?;
    }
    let mistake = |error| Failure::usage(format!("`{name}`: {error}"));
    let kind = Gradebook::of(&bytes).map_err(mistake)?;
    let (results, style) = (&graded.results, terminal.paper());
    let (assignment, students) = (&results.assignment, &results.students);
    let earlier = graded.stored.filled(&assignment.id, kind)?;
    let options = FillOptions {
        columns: &args.column,
        leave_bonus: args.no_bonus,
        scale: args.scale,
        earlier: Some(&earlier),
        overwrite: args.overwrite,
        lang: terminal.lang,
    };
    let mut report = |student: &StudentResult| student_report(results, student, &style);
    let filled = fill(kind, &bytes, assignment, students, options, &mut report).map_err(mistake)?;
    for remark in filled.remarks {
        terminal.warn(remark.en, remark.zh);
    }
    if !filled.has_rows && !students.is_empty() {
        let message = format!(
            "nobody of this class has a row in `{name}`, so nothing is written: if it names people in another way, grade with \
             `--roster`, a table that has both"
        );
        return Err(Failure::usage(message).into());
    }
    let (written, all) = (filled.grades.len(), students.len());
    terminal.note(
        format!("points of {written} of {all} students were filled in"),
        format!("已填入 {all} 名学生中 {written} 名的分数"),
    );
    match args.output() {
        None => {
            terminal.note(
                "nothing is written (`--dry-run`)",
                "没有写入（`--dry-run`）",
            );
            return Ok(graded.exit());
        }
        Some(path) if is_stdout(path) => {
            std::io::Write::write_all(&mut Terminal::pipe(), &filled.bytes)?;
        }
        Some(path) => {
            atomic_write(path, |out| out.write_all(&filled.bytes))?;
            say_written(path, terminal);
        }
    }
    remember(&graded, kind, &filled.grades, terminal);
    Ok(graded.exit())
}

/// Stores what was filled in. If that fails, the grades count as entered by a person the next time.
fn remember(
    graded: &Graded,
    kind: Gradebook,
    filled: &BTreeMap<StudentId, Points>,
    terminal: &Terminal,
) {
    let assignment = &graded.results.assignment.id;
    let stored = ledger::open(&graded.stored.ledger(), &graded.run.class, terminal)
        .and_then(|ledger| ledger.remember_filled(assignment, kind.word(), filled));
    if let Err(error) = stored {
        terminal.warn(
            format!("the next `grader gradebook` will not know these grades as its own: {error}"),
            format!("下次运行 `grader gradebook` 时，认不出这些成绩是它自己填的：{error}"),
        );
    }
}

impl GradebookArgs {
    /// The file to write; `None` if nothing is to be written.
    fn output(&self) -> Option<&Path> {
        let gradebook = self.in_place.then_some(self.gradebook.as_path());
        gradebook
            .or(self.output.as_deref())
            .filter(|_| !self.dry_run)
    }

    /// Refuses to replace the gradebook, which may be the only copy, or any other file.
    fn check_output(&self) -> Result<(), Failure> {
        let Some(path) = self.output().filter(|path| !is_stdout(path)) else {
            return Ok(());
        };
        if !self.in_place {
            let file = |path: &Path| fs::metadata(path).ok().map(|it| (it.dev(), it.ino()));
            if file(path).is_some() && file(path) == file(&self.gradebook) {
                return Err(Failure::usage(format!(
                    "`{}` is the gradebook itself: write another file, or replace its content with `--in-place` instead of `--output`",
                    shown(path)
                )));
            }
            refuse_existing(path)?;
        }
        probe_write(path).map_err(|error| Failure::mistake(error.text()))
    }
}

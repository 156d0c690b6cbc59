//! `grader report`.

mod course;

use clap::Args;
use grader_session::{Exit, Failure, Graded, shown};

use crate::args::{PartArgs, RunArgs};
use crate::outputs::{OutputArgs, Report};
use crate::pages::page_scope;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit status: 0; 3 if some submissions could not be judged. Missing points by hand do not change it.

Examples:
  grader report --explain s07
  grader report submissions/ --csv points.csv --html pages/
  grader report --run 3 --json -
  grader report --feedback feedback/
  grader report --moodle-feedback feedback.zip
  grader report --student s07 --gradescope results.json
  grader report --dolos similar/
  grader report course.toml --csv term.csv")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    source: RunArgs,
    /// Run to compare with: `--html` shows whose points have changed.
    #[arg(long, value_name = "N", hide_short_help = true)]
    against: Option<u64>,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    outputs: OutputArgs,
}

pub(crate) fn run(mut args: ReportArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (asked, part) = (args.source.asked(), args.part.asked());
    if let Some(path) = asked.class.course() {
        let is_usual = asked.run.is_none() && asked.corrections.is_none();
        let is_plain = part.is_all() && args.outputs.is_only_csv() && is_usual;
        if !is_plain || args.against.is_some() {
            let message = format!(
                "`{}` is a course: only `--csv` applies to it; name a class for other reports",
                shown(path)
            );
            return Err(Failure::usage(message).into());
        }
        return course::run(path, &asked.class, &args.outputs, terminal);
    }
    args.outputs.check(&part)?;
    let mut graded = Graded::read(&asked, args.outputs.if_several(), terminal)?;
    args.outputs.resolve(&graded.people(), &part)?;
    let named = part.resolve(&graded.people(), &graded.results.assignment)?;
    part.check_cases(&graded.results)?;
    // Nobody else enters the report, nor its summary.
    let outputs = &args.outputs;
    graded
        .results
        .students
        .retain(|it| outputs.includes(&it.id));
    part.keep(&named, &mut graded.results);
    let count = graded.results.students.len();
    outputs.check_students(count)?;
    graded
        .stored
        .choose(asked.run, outputs.if_several_for(count))?;
    let is_one = graded.stored.is_of_one_student(&graded.run)?;
    let folder = Some(&*graded.run.class).filter(|_| !is_one);
    outputs.prepare(&graded.sections.id(), folder)?;
    graded.say_source(terminal)?;
    let against = args.against.map(|run| graded.corrected(run, terminal));
    let against = against.transpose()?;
    let report = Report {
        results: &graded.results,
        stored: Some(&graded.stored),
        sections: &graded.sections,
        against: against.as_ref(),
        scope: page_scope(
            &part,
            graded.results.interrupted,
            graded.results.students.len(),
        ),
        is_of_cases: part.is_of_cases(),
    };
    outputs.write(&report, terminal)?;
    Ok(graded.exit())
}

//! `grader ci`.

use std::env;
use std::fs::File;
use std::io::{self, Write as _};

use clap::{Args, ValueEnum};
use grader_report::{step_summary, write_annotations, write_classroom, write_gradescope};
use grader_view::{Audience, ClassView, Own, Visible};

use crate::exit::{Exit, Failure};
use crate::graded::{Graded, RunArgs};
use crate::terminal::Terminal;

/// The file to which a step of GitHub Actions adds what its page shows.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

#[derive(Debug, Args)]
#[command(after_long_help = "\
Results about one student show only what that student may see: no hidden cases and no flags. GitLab and Jenkins read JUnit: \
`grader report --junit FILE`.

Exit status: 0; 3 if some submissions could not be judged. Points by hand that are missing are no fault.

Examples:
  grader ci github --ledger ledger.db
  grader ci classroom --ledger ledger.db
  grader ci gradescope --student s07 > results.json")]
pub(crate) struct CiArgs {
    /// System that reads the results from standard output.
    #[arg(value_enum)]
    system: System,
    #[command(flatten)]
    source: RunArgs,
    /// Only this student, by id, name or email address.
    #[arg(long, value_name = "ID")]
    student: Option<String>,
}

/// A system that reads the results of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum System {
    /// Annotations of GitHub Actions beside the sources, and the summary of the step.
    Github,
    /// The two notices from which GitHub Classroom takes the points of one student.
    Classroom,
    /// Gradescope's `results.json` of one student.
    Gradescope,
}

pub(crate) fn run(args: &CiArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut graded = Graded::read(&args.source, terminal)?;
    if let Some(name) = &args.student {
        graded.keep_student(name)?;
    }
    let results = &graded.results;
    let is_of_one = args.student.is_some() || graded.stored.is_of_one_student(&graded.run)?;
    if args.system != System::Github && results.students.len() != 1 {
        let message = "this is about one student: name the student with `--student ID`";
        return Err(Failure::usage(message).into());
    }
    graded.say_source(terminal);
    let (lang, out) = (terminal.lang, &mut Terminal::pipe());
    let own = || Own::only(results).map_err(io::Error::from);
    match args.system {
        System::Github => {
            let audience = if is_of_one {
                Audience::Student
            } else {
                Audience::Staff
            };
            let visible = Visible::of(results, audience).map_err(io::Error::from)?;
            let class = visible.view();
            write_annotations(&class, lang, out)?;
            add_step_summary(&class, terminal);
        }
        System::Classroom => write_classroom(&own()?, out)?,
        System::Gradescope => write_gradescope(&own()?, lang, out)?,
    }
    Ok(graded.exit())
}

/// Adds the page of a step in GitHub Actions. The annotations are worth more: a failure is only a warning.
fn add_step_summary(class: &ClassView<'_>, terminal: &Terminal) {
    let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) else {
        return;
    };
    let add = || {
        let page = step_summary(class, terminal.lang);
        let mut file = File::options().append(true).create(true).open(path)?;
        file.write_all(page.as_bytes())
    };
    if let Err::<_, io::Error>(error) = add() {
        terminal.warn(
            format!("cannot write the step summary (`${STEP_SUMMARY}`): {error}"),
            format!("无法写入步骤摘要（`${STEP_SUMMARY}`）：{error}"),
        );
    }
}

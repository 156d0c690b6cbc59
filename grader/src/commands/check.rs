//! `grader check`.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use grader_model::{Points, counted};
use grader_problem::Assignment;
use grader_report::Finding;
use serde_json::{Value, json};

use super::{FindingFormat, finding, mistake_json, write_findings};
use crate::assignment;
use crate::exit::Exit;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  grader check problems/n-queens")]
pub(crate) struct CheckArgs {
    /// Assignment or problem: a folder, or the id of a bundled one [default: here]
    ///
    /// A folder of assignments, of one assignment or of one problem. The default is the `assignment.toml` in this folder, or the
    /// nearest one above it; else the `problem.toml` in this folder.
    path: Option<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: FindingFormat,
}

pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let loaded = assignment::load_all(args.path.as_slice())?;
    let (loaded, mistakes) = match loaded {
        Ok(loaded) => (loaded, Vec::new()),
        Err(mistakes) => (Vec::new(), mistakes),
    };
    let assignments = loaded.iter().map(|(assignment, _)| assignment);
    match args.format {
        FindingFormat::Text => {
            for assignment in assignments {
                writeln!(terminal.stdout(), "{}", summary(assignment, terminal))?;
            }
        }
        FindingFormat::Json => {
            let assignments: Vec<Value> = assignments.map(counts).collect();
            let mistakes: Vec<Value> = mistakes.iter().map(mistake_json).collect();
            let document = json!({ "assignments": assignments, "mistakes": mistakes });
            writeln!(Terminal::pipe(), "{document:#}")?;
        }
        FindingFormat::Github | FindingFormat::Junit => {
            let findings = assignments.map(passed).chain(mistakes.iter().map(finding));
            write_findings(args.format, "check", &findings.collect::<Vec<_>>())?;
        }
    }
    if mistakes.is_empty() {
        Ok(Exit::Done)
    } else {
        Err(assignment::drawn(&mistakes, terminal).into())
    }
}

/// An assignment without mistakes.
fn passed(assignment: &Assignment) -> Finding {
    Finding {
        group: "problem files".to_owned(),
        name: assignment.id.to_string(),
        ..Finding::default()
    }
}

fn case_count(assignment: &Assignment) -> usize {
    let problems = assignment.problems.iter();
    problems.map(|entry| entry.problem.case_count()).sum()
}

fn counts(assignment: &Assignment) -> Value {
    let info = assignment.info();
    json!({
        "id": info.id,
        "problems": info.problems.len(),
        "cases": case_count(assignment),
        "points": info.points,
        "bonus": info.bonus,
    })
}

fn summary(assignment: &Assignment, terminal: &Terminal) -> String {
    let info = assignment.info();
    let (points, bonus) = (info.points, info.bonus);
    let (problems, cases) = (info.problems.len(), case_count(assignment));
    let s = if points == Points::whole(1) { "" } else { "s" };
    terminal.lang.pick(
        format!(
            "{}: {}, {}, {points} point{s} and {bonus} bonus points: no mistakes",
            info.id,
            counted(problems, "problem", "problems"),
            counted(cases, "case", "cases")
        ),
        format!(
            "{}：{problems} 道题，{cases} 个测试点，{points} 分，附加 {bonus} 分：没有错误",
            info.id
        ),
    )
}

//! `grader check`.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use grader_problem::{Assignment, Diagnostic};
use grader_report::{Finding, write_finding_junit};
use serde_json::{Value, json};

use super::{FindingFormat, write_mistakes};
use crate::assignment;
use crate::exit::Exit;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  grader check problems/n-queens")]
pub(crate) struct CheckArgs {
    /// A folder of assignments, of one assignment or of one problem [default: `problems` if it is here, else
    /// the bundled assignments].
    path: Option<PathBuf>,
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: FindingFormat,
}

pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let paths = args.path.as_slice();
    let loaded = assignment::read_all(paths)?;
    if args.format == FindingFormat::Json {
        let document = match &loaded {
            Ok(all) => {
                json!({ "assignments": all.iter().map(|(it, _)| counts(it)).collect::<Vec<_>>(), "mistakes": [] })
            }
            Err(mistakes) => {
                json!({ "assignments": [], "mistakes": mistakes.iter().map(mistake).collect::<Vec<_>>() })
            }
        };
        writeln!(Terminal::pipe(), "{document:#}")?;
    }
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(mistakes) => {
            if matches!(args.format, FindingFormat::Github | FindingFormat::Junit) {
                write_mistakes(args.format, &mistakes)?;
            }
            return Err(assignment::drawn(&mistakes, terminal).into());
        }
    };
    if args.format == FindingFormat::Junit {
        let findings: Vec<Finding> = loaded.iter().map(|(it, _)| passed(it)).collect();
        write_finding_junit("check", &findings, &mut Terminal::pipe())?;
    }
    if args.format == FindingFormat::Text {
        for (assignment, _) in &loaded {
            writeln!(terminal.stdout(), "{}", summary(assignment, terminal))?;
        }
    }
    Ok(Exit::Done)
}

/// An assignment without mistakes.
fn passed(assignment: &Assignment) -> Finding {
    Finding {
        group: "problem files".to_owned(),
        name: assignment.id.to_string(),
        ..Finding::default()
    }
}

fn counts(assignment: &Assignment) -> Value {
    let info = assignment.info();
    let cases = assignment.problems.iter();
    let cases: usize = cases.map(|entry| entry.problem.case_count()).sum();
    json!({
        "id": info.id,
        "problems": info.problems.len(),
        "cases": cases,
        "points": info.points,
        "bonus": info.bonus,
    })
}

fn mistake(mistake: &Diagnostic) -> Value {
    let (line, column) = mistake.line_and_column().unzip();
    json!({
        "file": mistake.file.path,
        "line": line,
        "column": column,
        "message": mistake.message,
        "help": mistake.help,
    })
}

fn summary(assignment: &Assignment, terminal: &Terminal) -> String {
    let info = assignment.info();
    let (points, bonus) = (info.points, info.bonus);
    let problems = assignment.problems.len();
    let cases = assignment.problems.iter();
    let cases: usize = cases.map(|entry| entry.problem.case_count()).sum();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (s, cs) = (plural(problems), plural(cases));
    terminal.lang.pick(
        format!(
            "{}: {problems} problem{s}, {cases} case{cs}, {points} points and {bonus} bonus points: no mistakes",
            info.id
        ),
        format!(
            "{}：{problems} 道题，{cases} 个测试点，{points} 分，附加 {bonus} 分：没有错误",
            info.id
        ),
    )
}

//! `grader check`.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use grader_kit::remarks::{Remark, remarks};
use grader_model::{Lang, Points, counted};
use grader_problem::Assignment;
use grader_report::{CheckDocument, CheckedAssignment, Finding, Mistake};
use grader_session::{Exit, SessionError};

use super::mistake;
use crate::assignment;
use crate::documents::{FindingArgs, FindingDocuments, Kind};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  grader check problems/n-queens")]
pub(crate) struct CheckArgs {
    /// Assignment or problem: a folder, or the id of a bundled one [default: here]
    ///
    /// The folder of an assignment or a problem, or one that holds assignments. The default is the `assignment.toml` in this
    /// folder, or the nearest one above it; else the `problem.toml` in this folder.
    path: Option<PathBuf>,
    #[command(flatten)]
    documents: FindingArgs,
}

pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let kind = Kind::of(CheckDocument::FORMAT, "check");
    let terminal = &args.documents.prepare(&kind, terminal)?;
    let (loaded, mistakes) = match assignment::assignments().load_all(args.path.as_slice())? {
        Ok(loaded) => (loaded, Vec::new()),
        Err(mistakes) => (Vec::new(), mistakes),
    };
    let mut document = CheckDocument {
        format: CheckDocument::FORMAT,
        assignments: Vec::new(),
        mistakes: mistakes.iter().map(mistake).collect(),
    };
    let mut findings: Vec<Finding> = document.mistakes.iter().map(Mistake::finding).collect();
    for (assignment, ..) in &loaded {
        let remarks = remarks(assignment, Lang::En);
        findings.push(Finding::right("problem files", assignment.id.as_str()));
        findings.extend(remarks.iter().map(Remark::finding));
        let checked = checked(assignment, &remarks);
        say(&checked, assignment, terminal)?;
        document.assignments.push(checked);
    }
    let found = FindingDocuments {
        command: "check",
        document: &document,
        findings,
    };
    args.documents.write(&found, terminal)?;
    if mistakes.is_empty() {
        Ok(Exit::Done)
    } else {
        Err(SessionError::Mistakes(mistakes).into())
    }
}

fn checked(assignment: &Assignment, remarks: &[Remark]) -> CheckedAssignment {
    let info = assignment.info();
    let problems = assignment.problems.iter();
    CheckedAssignment {
        problems: info.problems.len(),
        cases: problems.map(|entry| entry.problem.case_count()).sum(),
        points: info.points,
        bonus: info.bonus,
        remarks: remarks.iter().map(ToString::to_string).collect(),
        id: info.id,
    }
}

fn say(
    found: &CheckedAssignment,
    assignment: &Assignment,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let (id, problems, cases) = (&found.id, found.problems, found.cases);
    let (points, bonus) = (found.points, found.bonus);
    let s = if points == Points::whole(1) { "" } else { "s" };
    let line = terminal.lang.pick(
        format!(
            "{id}: {}, {}, {points} point{s} and {bonus} bonus points: no mistakes",
            counted(problems, "problem", "problems"),
            counted(cases, "case", "cases")
        ),
        format!("{id}：{problems} 道题，{cases} 个测试点，{points} 分，附加 {bonus} 分：没有错误"),
    );
    writeln!(terminal.stdout(), "{line}")?;
    for remark in remarks(assignment, terminal.lang) {
        writeln!(terminal.stdout(), "  {remark}")?;
    }
    Ok(())
}

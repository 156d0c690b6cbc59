//! `grader check`.

use std::io::Write as _;

use crate::assignment;
use crate::cli::CheckArgs;
use crate::exit::{Diagnosed, Exit};
use crate::terminal::Terminal;

pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let places = match &args.path {
        Some(path) => assignment::on_disk(path)?,
        None => assignment::usual()?,
    };
    let mut diagnostics = Vec::new();
    let mut good = Vec::new();
    for place in &places {
        match place.load_with_samples() {
            Ok((assignment, _)) => good.push(summary(&assignment, terminal)),
            Err(mistakes) => diagnostics.extend(mistakes),
        }
    }
    if !diagnostics.is_empty() {
        return Err(Diagnosed(assignment::shown(&diagnostics, terminal)).into());
    }
    let mut out = terminal.stdout();
    for line in good {
        writeln!(out, "{line}")?;
    }
    Ok(Exit::Done)
}

fn summary(assignment: &grader_problem::Assignment, terminal: &Terminal) -> String {
    let info = assignment.info();
    let cases: usize = assignment
        .problems
        .iter()
        .map(|entry| entry.problem.case_count())
        .sum();
    let problems = assignment.problems.len();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    terminal.lang().pick(
        format!(
            "{}: {problems} problem{}, {cases} case{}, {} points and {} bonus: no mistakes",
            info.id,
            plural(problems),
            plural(cases),
            info.points,
            info.bonus
        ),
        format!(
            "{}：{problems} 道题，{cases} 个测试点，{} 分，附加 {} 分：没有错误",
            info.id, info.points, info.bonus
        ),
    )
}

//! `grader check`.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use grader_problem::Assignment;

use crate::assignment;
use crate::exit::Exit;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  grader check problems/n-queens")]
pub(crate) struct CheckArgs {
    /// A folder of assignments, of one assignment or of one problem [default: `problems` if it is here, else
    /// the bundled assignments].
    path: Option<PathBuf>,
}

pub(crate) fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let paths = args.path.as_slice();
    for (assignment, _) in assignment::load_all(paths, terminal)? {
        writeln!(terminal.stdout(), "{}", summary(&assignment, terminal))?;
    }
    Ok(Exit::Done)
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

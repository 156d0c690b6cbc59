//! `grader stress`.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use clap::Args;
use grader_judge::{Fault, Judge, KnownAnswers, Scratch, Stop};

use super::test::choose::{ProgramArgs, choose};
use crate::exit::{Exit, Failure};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::WorkerArgs;
use crate::search::{Search, space};
use crate::terminal::Terminal;
use crate::{interrupt, judge};

#[derive(Debug, Args)]
#[command(after_long_help = "\
The program is compared with the reference on inputs that no case has: all values of the cases' variables from the least to \
the greatest or, if the problem says so, those of its `[search]`. An input on which it fails is made smaller as long as it \
fails.

Exit status: 0 if no input was found, 1 if one was.

Examples:
  grader stress count.c
  grader stress mine.py -p sum --time 60")]
pub(crate) struct StressArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// Seconds to search.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    time: u64,
    /// Number from which the order of the inputs follows, if they are drawn.
    #[arg(long, value_name = "N", default_value_t = 1, hide_short_help = true)]
    seed: u64,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

pub(crate) fn run(args: &StressArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (assignment, submissions, location) = choose(&args.program, terminal)?;
    let mut entries = assignment.problems.iter();
    let found = entries.find_map(|it| Some((it, submissions.get(&it.problem.id)?)));
    let (Some((entry, submission)), 1) = (found, submissions.len()) else {
        let message = "the files are for several problems: specify one with `--problem`";
        return Err(Failure::usage(message).into());
    };
    let space = space(&entry.problem, &location, terminal)?;
    let runner = isolation::runner(&args.isolation, Programs::Own, terminal)?;
    let stop = Stop::new();
    let settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    let scratch = Scratch::new()?;
    let listener = interrupt::listen(&stop, scratch.path(), None, terminal.lang)?;
    listener.programs_run(None);
    let judge = Judge::with_scratch(settings, scratch);
    let answers = KnownAnswers::default();
    let compared = match judge.compare(entry, submission, &answers)? {
        Ok(compared) => compared,
        Err(unbuilt) => {
            let messages = unbuilt.build.and_then(|build| build.messages);
            let messages = messages.map_or_else(String::new, |it| format!("{}\n", it.text));
            write!(io::stderr(), "{messages}")?;
            let message = unbuilt.message.unwrap_or_default();
            writeln!(terminal.stdout(), "{}", message.get(terminal.lang))?;
            return Ok(Exit::Unmet);
        }
    };
    let time = Duration::from_secs(args.time);
    let until = (Instant::now() + time, time);
    let mut search = Search::new(&space, args.seed, &compared, &location, terminal, until);
    loop {
        match search.step() {
            Ok(true) => {}
            Ok(false) => break,
            // What was found before is shown.
            Err(error) if matches!(error.downcast_ref(), Some(Fault::Stopped)) => break,
            Err(error) => return Err(error),
        }
    }
    let (mut out, tried) = (terminal.stdout(), search.tried());
    let Some((shown, made)) = search.shown() else {
        let line = terminal.lang.pick(
            format!("no difference from the reference in {tried}"),
            format!("{tried}都与参考程序一致"),
        );
        writeln!(out, "{line}")?;
        return Ok(if stop.is_requested() {
            Exit::Interrupted
        } else {
            Exit::Done
        });
    };
    let made = made.map_or_else(String::new, |input| {
        terminal.lang.pick(
            format!(", made from {input}"),
            format!("（由 {input} 缩小而来）"),
        )
    });
    let line = terminal.lang.pick(
        format!("the smallest input found on which the program fails{made}; {tried} tried"),
        format!("这是找到的最小出错输入{made}；试过{tried}"),
    );
    writeln!(out, "{shown}{line}")?;
    Ok(Exit::Unmet)
}

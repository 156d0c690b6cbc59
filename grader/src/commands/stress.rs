//! `grader stress`.

mod inputs;
mod shrink;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::{Duration, Instant};

use clap::Args;
use grader_judge::{Compared, Fault, Judge, Scratch, Stop};
use grader_model::{CaseName, CaseResult, Verdict};
use grader_problem::{Case, CaseRef, Problem, SearchSpace, load_inputs, load_search};
use grader_report::terminal as draw;

use self::inputs::{Input, Inputs, between, size};
use super::test::choose::{ProgramArgs, choose};
use crate::assignment::{Location, drawn};
use crate::exit::{Exit, Failure};
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::WorkerArgs;
use crate::terminal::Terminal;
use crate::{interrupt, judge};

/// Inputs that are judged together: at first so many, because large ones may take long, then twice as many each time.
const FIRST_BATCH: usize = 4;
const MAX_BATCH: usize = 64;
/// Smaller texts that are judged together.
const SHRINK_BATCH: usize = 16;
/// Values of a variable that are tried at a time.
const SECTIONS: u128 = 8;
/// How often a failure must repeat before it counts.
const REPETITIONS: usize = 2;

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
    let compared = match judge.compare(entry, submission)? {
        Ok(compared) => compared,
        Err(unbuilt) => {
            let messages = unbuilt.build.and_then(|build| build.messages);
            let messages = messages.map_or_else(String::new, |it| format!("{}\n", it.text));
            write!(std::io::stderr(), "{messages}")?;
            let message = unbuilt.message.unwrap_or_default();
            writeln!(terminal.stdout(), "{}", message.get(terminal.lang))?;
            return Ok(Exit::Unmet);
        }
    };
    let mut search = Search {
        inputs: Inputs::new(space.counts().collect(), args.seed),
        space: &space,
        problem: &entry.problem,
        compared: &compared,
        location: &location,
        terminal,
        end: Instant::now() + Duration::from_secs(args.time),
        found: None,
    };
    match search.run() {
        // What was found before is shown.
        Err(error) if matches!(error.downcast_ref(), Some(Fault::Stopped)) => {}
        ended => ended?,
    }
    search.show()?;
    Ok(if search.found.is_some() {
        Exit::Unmet
    } else if stop.is_requested() {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

/// Where the inputs of a problem come from.
fn space(
    problem: &Problem,
    location: &Location,
    terminal: &Terminal,
) -> anyhow::Result<SearchSpace> {
    let id = &problem.id;
    if CaseRef::all(problem).any(|at| at.case.checker.is_interactive()) {
        let message = format!("`{id}` is interactive: `stress` is for programs that read an input");
        return Err(Failure::usage(message).into());
    }
    if problem.reference.is_none() {
        let message = format!("`{id}` has no reference here to compare with");
        return Err(Failure::usage(message).into());
    }
    let space = load_search(location.library.as_ref(), &problem.folder);
    let space = space.map_err(|mistakes| drawn(&mistakes, terminal))?;
    let message = format!(
        "the cases of `{id}` have no variables from which to make inputs: add a `[search]` to its `problem.toml`"
    );
    Ok(space.ok_or_else(|| Failure::usage(message))?)
}

/// An input on which the program fails, and how.
struct Found {
    input: Input,
    case: Case,
    /// Whether the input of the case was made smaller.
    is_shrunk: bool,
    result: CaseResult,
}

struct Search<'a> {
    inputs: Inputs,
    space: &'a SearchSpace,
    problem: &'a Problem,
    compared: &'a Compared<'a>,
    location: &'a Location,
    terminal: &'a Terminal,
    end: Instant,
    /// The smallest input on which the program failed again and again.
    found: Option<Found>,
}

impl Search<'_> {
    /// Searches until something is found and cannot be made smaller, all inputs were tried, or the time is over.
    fn run(&mut self) -> anyhow::Result<()> {
        let mut batch = FIRST_BATCH;
        while self.found.is_none() && self.has_time() {
            let inputs = self.inputs.next(batch);
            batch = (2 * batch).min(MAX_BATCH);
            if inputs.is_empty() {
                break;
            }
            if let Some(found) = self.fails(&inputs)? {
                let found = self.narrowed(found)?;
                if self.repeats(&found)? {
                    self.found = Some(found);
                }
            }
        }
        self.shrink()
    }

    /// Moves each variable towards its least value as long as the program fails, until none moves any more.
    fn narrowed(&self, mut found: Found) -> anyhow::Result<Found> {
        loop {
            let before = found.input.clone();
            for at in 0..before.len() {
                // Below `low`, the program is not known to fail.
                let mut low = 0;
                while low < found.input[at] && self.has_time() {
                    let places = between(low, found.input[at], SECTIONS);
                    let with = |place: &u128| {
                        let mut input = found.input.clone();
                        input[at] = *place;
                        input
                    };
                    let less = self.fails(&places.iter().map(with).collect::<Vec<_>>())?;
                    let bound = less.as_ref().map_or(found.input[at], |it| it.input[at]);
                    let below = places.iter().rev().find(|place| **place < bound);
                    low = below.map_or(low, |place| place + 1);
                    found = less.unwrap_or(found);
                }
            }
            if found.input == before {
                return Ok(found);
            }
        }
    }

    fn has_time(&self) -> bool {
        Instant::now() < self.end
    }

    /// The smallest of these inputs on which the program fails.
    fn fails(&self, inputs: &[Input]) -> anyhow::Result<Option<Found>> {
        let library = self.location.library.as_ref();
        let (folder, languages) = (&self.problem.folder, &self.problem.languages);
        let cases = load_inputs(library, folder, languages, inputs);
        let cases = cases.map_err(|mistakes| drawn(&mistakes, self.terminal))?;
        let failed = self.failed(cases)?.into_iter();
        let failed = failed.map(|(index, case, result)| Found {
            input: inputs[index].clone(),
            case,
            is_shrunk: false,
            result,
        });
        Ok(failed.min_by(|a, b| size(&a.input).cmp(&size(&b.input))))
    }

    /// Those of these cases in which the program fails, with their places in the list.
    fn failed(&self, cases: Vec<Case>) -> anyhow::Result<Vec<(usize, Case, CaseResult)>> {
        let results = self.compared.judge(cases.clone())?;
        let all = cases.into_iter().zip(results).enumerate();
        let failed = all.filter_map(|(index, (case, result))| {
            let result = result.filter(|it| it.verdict != Verdict::Accepted)?;
            Some((index, case, result))
        });
        Ok(failed.collect())
    }

    /// Whether the program fails again and again.
    fn repeats(&self, found: &Found) -> anyhow::Result<bool> {
        for _ in 0..REPETITIONS {
            if self.failed(vec![found.case.clone()])?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes lines, words and values from the input as long as the program fails. Only a validator tells which inputs are
    /// valid, so without one nothing is taken.
    fn shrink(&mut self) -> anyhow::Result<()> {
        let Some(found) = self.found.as_ref().filter(|it| it.case.validator.is_some()) else {
            return Ok(());
        };
        let (from, base) = (found.input.clone(), found.case.clone());
        let Ok(mut text) = String::from_utf8(self.compared.input(base.clone())?.to_vec()) else {
            return Ok(());
        };
        let case = |text: &String| Case {
            // By its name the reference's answer is kept.
            name: CaseName::new(text.as_str()),
            input: text.as_bytes().into(),
            generator: None,
            ..base.clone()
        };
        let mut tried = BTreeSet::new();
        loop {
            let mut smaller = shrink::smaller(&text);
            smaller.retain(|it| shrink::size(it) < shrink::size(&text) && tried.insert(it.clone()));
            let mut less = None;
            for texts in smaller.chunks(SHRINK_BATCH) {
                if less.is_some() || !self.has_time() {
                    break;
                }
                let failed = self.failed(texts.iter().map(case).collect())?;
                let smallest = failed
                    .into_iter()
                    .min_by_key(|(at, ..)| shrink::size(&texts[*at]));
                if let Some((at, case, result)) = smallest {
                    text.clone_from(&texts[at]);
                    less = Some(Found {
                        input: from.clone(),
                        case,
                        is_shrunk: true,
                        result,
                    });
                }
            }
            match less {
                Some(less) if self.repeats(&less)? => self.found = Some(less),
                _ => return Ok(()),
            }
        }
    }

    fn show(&self) -> anyhow::Result<()> {
        let (terminal, tried, total) = (self.terminal, self.inputs.tried(), self.inputs.total());
        let mut out = terminal.stdout();
        let of = if tried as u128 == total {
            terminal.lang.pick(
                format!("all {total} inputs"),
                format!("全部 {total} 个输入"),
            )
        } else {
            terminal.lang.pick(
                format!("{tried} of {total} inputs"),
                format!("{total} 个输入中的 {tried} 个"),
            )
        };
        let Some(found) = &self.found else {
            let line = terminal.lang.pick(
                format!("no difference from the reference in {of}"),
                format!("{of}都与参考程序一致"),
            );
            writeln!(out, "{line}")?;
            return Ok(());
        };
        let input = self.space.describe(&found.input);
        let (input, made) = if found.is_shrunk {
            let made = terminal.lang.pick(
                format!(", made from {input}"),
                format!("（由 {input} 缩小而来）"),
            );
            (
                terminal.lang.pick("this input", "这个输入").to_owned(),
                made,
            )
        } else {
            (input, String::new())
        };
        let result = CaseResult {
            name: CaseName::new(input.as_str()),
            ..found.result.clone()
        };
        write!(out, "{}", draw::case(&result, &terminal.style()))?;
        let line = terminal.lang.pick(
            format!("the smallest input found on which the program fails{made}; {of} tried"),
            format!("这是找到的最小出错输入{made}；试过{of}"),
        );
        writeln!(out, "{line}")?;
        Ok(())
    }
}

//! The results of a run, with corrections applied: what reports and exports are made of.

use clap::Args;
use grader_model::{Results, RunState, RunSummary};

use crate::corrections::{Corrections, CorrectionsArgs};
use crate::exit::Exit;
use crate::moved_deadline;
use crate::part::People;
use crate::section::Sections;
use crate::stored::{ClassArgs, IfSeveral, StoredRuns};
use crate::terminal::Terminal;

/// A run of a class, and the corrections that apply to it.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) source: ClassArgs,
    /// Run, by its number in `grader history` [default: the last].
    #[arg(long, value_name = "N", hide_short_help = true)]
    run: Option<u64>,
    #[command(flatten)]
    corrections: CorrectionsArgs,
}

impl RunArgs {
    /// Whether it is the last run, with the usual corrections.
    pub(crate) fn is_usual(&self) -> bool {
        self.run.is_none() && self.corrections.is_usual()
    }
}

/// A stored run, with its corrections applied.
pub(crate) struct Graded {
    pub(crate) stored: StoredRuns,
    pub(crate) run: RunSummary,
    pub(crate) results: Results,
    pub(crate) corrections: Corrections,
}

impl Graded {
    pub(crate) fn read(
        args: &RunArgs,
        if_several: IfSeveral,
        terminal: &Terminal,
    ) -> anyhow::Result<Self> {
        let stored = StoredRuns::find(&args.source)?;
        let run = stored.choose(args.run, if_several)?;
        Self::of(stored, run, &args.corrections, terminal)
    }

    /// A run of these.
    pub(crate) fn of(
        stored: StoredRuns,
        run: RunSummary,
        corrections: &CorrectionsArgs,
        terminal: &Terminal,
    ) -> anyhow::Result<Self> {
        let mut results = moved_deadline::results(&stored, &run, terminal)?;
        let one_student = stored.is_of_one_student(&run)?;
        let mut corrections =
            corrections.load(&run.class, one_student, &results.assignment, terminal)?;
        corrections.apply(&mut results, Some(&stored), terminal)?;
        Ok(Self {
            stored,
            run,
            results,
            corrections,
        })
    }

    /// Another run, with the same corrections applied.
    pub(crate) fn corrected(&self, run: u64, terminal: &Terminal) -> anyhow::Result<Results> {
        let mut results = self.stored.results(&self.stored.run(Some(run))?)?;
        let (info, today) = (&mut results.assignment, &self.results.assignment);
        if info.id == today.id {
            info.deadline.clone_from(&today.deadline);
        }
        let mut corrections = self.corrections.clone();
        corrections.apply(&mut results, Some(&self.stored), terminal)?;
        Ok(results)
    }

    /// The class among those of its ledger.
    pub(crate) fn sections(&self) -> anyhow::Result<Sections> {
        Sections::of(
            &self.run.class,
            &self.results.assignment.id,
            Some(&self.stored),
        )
    }

    /// Its students, by the names that options may give.
    pub(crate) fn people(&self) -> People<'_> {
        People::of_results(&self.results, &self.stored.path)
    }

    /// Prints which run of which class it is, unless the ledger was named and has no other class.
    pub(crate) fn say_source(&self, terminal: &Terminal) -> anyhow::Result<()> {
        if self.stored.is_named {
            self.stored.say_choice(&self.run, terminal)?;
        } else {
            self.stored.say_run(&self.run, terminal)?;
        }
        if self.run.state == RunState::Running {
            terminal.note(
                "this run is being graded now: these are the results so far",
                "这次评测正在进行：以下是目前的结果",
            );
        }
        Ok(())
    }

    /// 3 if something in the report could not be judged, else 0: points by hand that are missing are no fault.
    pub(crate) fn exit(&self) -> Exit {
        if self.results.interrupted || self.results.has_faults() {
            Exit::Fault
        } else {
            Exit::Done
        }
    }
}

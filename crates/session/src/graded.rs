//! The results of a run, with corrections applied: what reports and exports are made of.

use std::path::{Path, PathBuf};

use grader_model::{Results, RunState, RunSummary, Text};

use crate::console::Console;
use crate::corrections::Corrections;
use crate::error::Result;
use crate::exit::{Ended, Exit};
use crate::moved_deadline;
use crate::part::People;
use crate::section::Sections;
use crate::stored::{AskedClass, IfSeveral, StoredRuns};

/// A run of a class as it was asked for, and the corrections that apply to it.
#[derive(Clone, Debug, Default)]
pub struct AskedRun {
    /// The class.
    pub class: AskedClass,
    /// The number of the run; `None` is the last.
    pub run: Option<u64>,
    /// The file of corrections; `None` is the usual one.
    pub corrections: Option<PathBuf>,
}

/// A stored run, with its corrections applied.
pub struct Graded {
    /// The ledger, or the runs in it of the class that was named.
    pub stored: StoredRuns,
    /// The run.
    pub run: RunSummary,
    /// Its results, corrected.
    pub results: Results,
    /// The corrections.
    pub corrections: Corrections,
    /// The class among those of its ledger.
    pub sections: Sections,
}

impl Graded {
    /// The run that was asked for.
    pub fn read(asked: &AskedRun, if_several: IfSeveral, console: &dyn Console) -> Result<Self> {
        let stored = StoredRuns::find(&asked.class)?;
        let run = stored.choose(asked.run, if_several)?;
        Self::of(stored, run, asked.corrections.as_deref(), console)
    }

    /// A run of these, with the corrections in this file, or in the usual one.
    pub fn of(
        stored: StoredRuns,
        run: RunSummary,
        corrections: Option<&Path>,
        console: &dyn Console,
    ) -> Result<Self> {
        let mut results = moved_deadline::results(&stored, &run, console)?;
        let one_student = stored.is_of_one_student(&run)?;
        let mut corrections =
            Corrections::load(corrections, &run.class, one_student, &results.assignment)?;
        let sections = corrections.apply(&mut results, Some(&stored), console)?;
        Ok(Self {
            stored,
            run,
            results,
            corrections,
            sections,
        })
    }

    /// Another run, with the same corrections applied.
    ///
    /// # Errors
    /// If it is this run.
    pub fn corrected(&self, run: u64, console: &dyn Console) -> Result<Results> {
        let run = self.stored.run_against(run, &self.run)?;
        let mut results = self.stored.results(&run)?;
        let (info, today) = (&mut results.assignment, &self.results.assignment);
        if info.id == today.id {
            info.deadline.clone_from(&today.deadline);
        }
        let mut corrections = self.corrections.clone();
        corrections.apply(&mut results, Some(&self.stored), console)?;
        Ok(results)
    }

    /// Its students, by the names that options may give.
    pub fn people(&self) -> People<'_> {
        People::of_results(&self.results, &self.stored)
    }

    /// Prints which run of which class it is, unless the ledger was named and has no other class.
    pub fn say_source(&self, console: &dyn Console) -> Result<()> {
        if self.stored.is_named {
            self.stored.say_choice(&self.run, console)?;
        } else {
            self.stored.say_run(&self.run, console)?;
        }
        if self.run.state == RunState::Running {
            console.note(&Text::new(
                "this run is being graded now: these are the results so far",
                "这次评测正在进行：以下是目前的结果",
            ));
        }
        Ok(())
    }

    /// 3 if something in the report could not be judged, else 0: points by hand that are missing are no fault.
    pub fn exit(&self) -> Exit {
        let ended = Ended {
            has_faults: self.results.interrupted || self.results.has_faults(),
            ..Ended::default()
        };
        ended.exit()
    }
}

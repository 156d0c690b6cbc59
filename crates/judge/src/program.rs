//! The program of a job: built at once, or when a case first needs it; and what its runs leave to be judged again.

use std::collections::BTreeSet;
use std::mem;

use grader_model::{BuildReport, CaseResult, Change, SourceFile, Text, Verdict};
use grader_problem::{Case, Entry, Subtask};

use crate::attempts::Before;
use crate::build::{Build, Built, build};
use crate::built_case::{BuiltCase, Output};
use crate::judge::{Judge, Urgency};
use crate::memory::KeptRun;
use crate::recheck::Outputs;
use crate::references::References;
use crate::{Fault, attempts, growth, steady};

/// So many bytes of outputs are kept of one job; what is longer is left out, and run again when it is needed.
const KEPT: usize = 4 << 20;

/// The program of a job.
pub(crate) struct Program<'a> {
    judge: &'a Judge,
    entry: &'a Entry,
    sources: &'a [SourceFile],
    /// Nothing before it was needed. A failure is kept as text: it concerns every case that needs it.
    built: Option<Result<Box<Built>, String>>,
    /// What it did in an earlier run, where that is still to be judged.
    outputs: Option<Outputs>,
    /// Whether that was taken for any case.
    checked: bool,
    /// Why others were run.
    anew: BTreeSet<Change>,
    kept: Vec<KeptRun>,
    /// Number of bytes of all outputs in `kept`.
    bytes: usize,
}

impl<'a> Program<'a> {
    /// A program that was built.
    pub(crate) const fn built(
        judge: &'a Judge,
        entry: &'a Entry,
        sources: &'a [SourceFile],
        built: Box<Built>,
    ) -> Self {
        Self {
            judge,
            entry,
            sources,
            built: Some(Ok(built)),
            outputs: None,
            checked: false,
            anew: BTreeSet::new(),
            kept: Vec::new(),
            bytes: 0,
        }
    }

    /// A program some of whose outputs are known. It is built when a case needs another one.
    pub(crate) const fn known(
        judge: &'a Judge,
        entry: &'a Entry,
        sources: &'a [SourceFile],
        outputs: Outputs,
    ) -> Self {
        Self {
            judge,
            entry,
            sources,
            built: None,
            outputs: Some(outputs),
            checked: false,
            anew: BTreeSet::new(),
            kept: Vec::new(),
            bytes: 0,
        }
    }

    /// Whether no case is to be begun.
    pub(crate) fn is_stopped(&self) -> bool {
        self.judge.stop().is_requested()
    }

    /// Advice on the whole submission, and what building it gave: now, or when its outputs were made.
    pub(crate) fn told(&self) -> (Vec<Text>, Option<BuildReport>) {
        match (&self.outputs, &self.built) {
            (Some(outputs), _) => outputs.told(),
            (None, Some(Ok(built))) => (built.hints.clone(), Some(built.report.clone())),
            (None, _) => (Vec::new(), None),
        }
    }

    /// Whether an output of an earlier run was judged again.
    pub(crate) const fn has_checked(&self) -> bool {
        self.checked
    }

    /// Why cases were run although outputs of an earlier run were known.
    pub(crate) fn anew(&mut self) -> Vec<Change> {
        mem::take(&mut self.anew).into_iter().collect()
    }

    /// What its runs did, for another time; what was known and not asked for among it. Nothing of a program that has
    /// changed its own files: what it did in a case hangs on the cases before.
    pub(crate) fn kept(&mut self) -> Vec<KeptRun> {
        if let Some(Ok(built)) = &self.built
            && built.has_changed()
        {
            return Vec::new();
        }
        let rest = self.outputs.as_mut().map(Outputs::rest);
        for run in rest.into_iter().flatten() {
            self.keep(run);
        }
        mem::take(&mut self.kept)
    }

    /// Judges a case. Nothing when asked to stop before there was a result.
    pub(crate) fn case(
        &mut self,
        references: &References,
        subtask: &Subtask,
        case: &Case,
        before: Before<'_>,
    ) -> Option<CaseResult> {
        match self.judged(references, subtask, case, before) {
            Ok(result) => Some(result),
            Err(Fault::Stopped) => None,
            Err(fault) => Some(CaseResult::unrun(
                case.name.clone(),
                Verdict::JudgeError,
                fault.text(),
            )),
        }
    }

    fn judged(
        &mut self,
        references: &References,
        subtask: &Subtask,
        case: &Case,
        before: Before<'_>,
    ) -> Result<CaseResult, Fault> {
        if let Some(outputs) = &mut self.outputs
            && let Some(run) = outputs.take(subtask, case)
        {
            let checked = outputs.check(
                self.judge,
                references,
                self.entry,
                self.sources,
                (subtask, case),
                &run,
            )?;
            if let Some(result) = checked {
                self.checked = true;
                self.keep(run);
                return Ok(result);
            }
        }
        if self.outputs.is_some() {
            let is_random = subtask.attempts.is_some();
            self.anew.insert(if is_random {
                Change::Random
            } else {
                Change::NotKept
            });
        }
        let (judge, problem) = (self.judge, &*self.entry.problem);
        let run = BuiltCase {
            problem,
            sources: self.sources,
            built: self.build()?,
            case,
        };
        if let Some(rule) = &subtask.growth {
            growth::judge(judge, references, subtask, rule, &run, before.cases)
        } else if let Some(rule) = subtask.attempts {
            attempts::judge(judge, references, subtask, rule, &run, before)
        } else {
            let (result, output) = steady::judge(judge, references, subtask, &run)?;
            let run = output.and_then(|output| kept(subtask, &result, output));
            if let Some(run) = run {
                self.keep(run);
            }
            Ok(result)
        }
    }

    /// The program; built if it is not.
    fn build(&mut self) -> Result<&Built, Fault> {
        let (judge, sources, entry) = (self.judge, self.sources, self.entry);
        let outputs = self.outputs.as_ref();
        let built = self.built.get_or_insert_with(|| {
            let language = outputs.map(Outputs::language).ok_or_else(String::new)?;
            let time = entry.problem.limits.compile_time;
            match build(judge, language, sources, time, Urgency::Needed)
                .map_err(|fault| fault.chain())?
            {
                Build::Done(built) => Ok(built),
                // The same compiler has built the same sources.
                Build::Failed { message, .. } => Err(format!(
                    "the program was built in an earlier run, and now: {}",
                    message.en
                )),
            }
        });
        built
            .as_deref()
            .map_err(|text| Fault::Earlier(text.clone()))
    }

    fn keep(&mut self, run: KeptRun) {
        let bytes = run.answer.as_ref().map_or(0, Vec::len) + run.stderr.len();
        if self.bytes + bytes <= KEPT {
            self.bytes += bytes;
            self.kept.push(run);
        }
    }
}

/// A run that its result was made of.
fn kept(subtask: &Subtask, result: &CaseResult, output: Output) -> Option<KeptRun> {
    let Output {
        answer,
        stderr,
        left,
    } = output;
    Some(KeptRun {
        subtask: subtask.name.clone(),
        case: result.name.clone(),
        outcome: result.outcome.clone()?,
        limits: result.limits?,
        yardstick: result.yardstick,
        answer,
        stderr,
        left,
    })
}

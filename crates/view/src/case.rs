//! A case: why it has its verdict, and how much of that is told.

use std::collections::HashSet;

use grader_model::{
    Attempts, BoardFigure, Breach, Bytes, CaseName, CaseResult, Confirmation, CpuTime, Evidence,
    Excerpt, Figure, LimitOrigin, Outcome, Share, Text, Verdict,
};

/// Failing cases of a subtask that are explained in full; the others get a line each.
const MAX_EXPLAINED: usize = 3;

/// One case.
#[derive(Clone, Debug)]
pub struct CaseView<'a> {
    case: &'a CaseResult,
    /// Its name.
    pub name: &'a CaseName,
    /// Its verdict.
    pub verdict: Verdict,
    /// How much is told of it.
    pub detail: Detail,
    /// Whether it belongs in a list of what is worth reading: it failed, or passed with a remark.
    pub is_told: bool,
    /// Why it has its verdict: its message, the checker's first reason, or the name of the verdict.
    pub reason: &'a Text,
    /// Its message, if it has one.
    pub message: Option<&'a Text>,
    /// Outcome of the run; `None` if it was not run.
    pub outcome: Option<&'a Outcome>,
    /// Whether its time is near the limit.
    pub is_near_limit: bool,
    /// The attempts of a program that draws random numbers.
    pub attempts: Option<&'a Attempts>,
    /// Derivation of its time limit, if that decided.
    pub limit_origin: Option<&'a LimitOrigin>,
    /// The runs alone that decided; never without runs.
    pub confirmation: Option<&'a Confirmation>,
    /// The checker's evidence, if it is told in full; so is all below.
    pub evidence: Vec<EvidenceView<'a>>,
    /// Advice that no case before it gave.
    pub hints: Vec<&'a Text>,
    /// Beginning of standard error.
    pub stderr: Option<&'a Excerpt>,
    /// The program's input.
    pub input: Option<&'a Excerpt>,
    /// A shell command that reproduces the run.
    pub command: Option<&'a str>,
}

/// How much is told of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Its verdict: nothing else is known.
    Verdict,
    /// Its reason, beside the verdict.
    Line,
    /// Everything.
    Full,
}

/// What a run used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// CPU time.
    pub cpu: CpuTime,
    /// The CPU time limit, if the run came near it: reasons of failures name limits already.
    pub limit: Option<CpuTime>,
    /// Peak memory, if the run did not come near its CPU time limit.
    pub memory: Option<Bytes>,
    /// Whether it came too near the limit to decide.
    pub is_undecided: bool,
    /// The earned share of the points, unless it is all or nothing.
    pub share: Option<Share>,
}

/// Why the verdict of a case may change if it is graded again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unsettled<'a> {
    /// Luck may have decided.
    Luck(&'a Attempts),
    /// The runs alone disagree.
    Disagreement(&'a Confirmation),
    /// It was near the limit and not run again; CPU time and limit.
    NotRunAgain(Option<(CpuTime, CpuTime)>),
}

/// A piece of evidence.
#[derive(Clone, Debug)]
pub struct EvidenceView<'a> {
    /// Its sentence.
    pub message: &'a Text,
    /// Whether the reason of the case is another sentence.
    pub is_new: bool,
    /// The expected text, unless the sentence quotes it.
    pub expected: Option<&'a Excerpt>,
    /// The found text, unless the sentence quotes it.
    pub found: Option<&'a Excerpt>,
    /// A drawing.
    pub figure: Option<&'a Figure>,
    /// The board of the drawing.
    pub board: Option<&'a BoardFigure>,
}

/// Whether a verdict says that something is wrong with a run.
pub const fn is_failing(verdict: Verdict) -> bool {
    !matches!(
        verdict,
        Verdict::Accepted | Verdict::Skipped | Verdict::CompileError
    )
}

/// Decides how much is told of each case of one problem: the first few failures of a subtask in full, each hint once.
#[derive(Debug, Default)]
pub struct Explainer {
    /// Number of failing cases of this subtask that were explained.
    explained: usize,
    hinted: HashSet<Text>,
}

impl Explainer {
    /// Begins another subtask of the same problem.
    pub fn begin_subtask(&mut self) {
        self.explained = 0;
    }

    /// The hints that were not given before.
    pub fn hints<'a>(&mut self, hints: &'a [Text]) -> Vec<&'a Text> {
        let new = hints
            .iter()
            .filter(|hint| self.hinted.insert((*hint).clone()));
        new.collect()
    }

    /// The next case of the subtask.
    pub fn case<'a>(&mut self, case: &'a CaseResult) -> CaseView<'a> {
        let has_passed = case.verdict == Verdict::Accepted;
        let detail = if case.message.is_none() && case.outcome.is_none() {
            Detail::Verdict
        } else if !has_passed && self.explained == MAX_EXPLAINED {
            Detail::Line
        } else {
            Detail::Full
        };
        let first = case.evidence.first().map(|evidence| &evidence.message);
        let message = case.message.as_deref();
        let breach = case.outcome.as_ref().and_then(|outcome| outcome.breach);
        let is_over = case.verdict == Verdict::TimeLimit && breach != Some(Breach::Wall);
        let has_timing = is_over || case.near_limit;
        let mut view = CaseView {
            case,
            name: &case.name,
            verdict: case.verdict,
            detail,
            is_told: is_failing(case.verdict) || (has_passed && is_notable(case)),
            reason: message.or(first).unwrap_or_else(|| case.verdict.name()),
            message,
            outcome: case.outcome.as_ref(),
            is_near_limit: case.near_limit,
            attempts: case.attempts.as_ref(),
            limit_origin: case.limit_origin.as_deref().filter(|_| has_timing),
            confirmation: runs_alone(case).filter(|_| has_timing),
            evidence: Vec::new(),
            hints: Vec::new(),
            stderr: None,
            input: None,
            command: None,
        };
        if detail == Detail::Full && !has_passed {
            self.explained += usize::from(is_failing(case.verdict));
            let evidence = case.evidence.iter();
            view.evidence = evidence.map(|it| evidence_view(it, view.reason)).collect();
            view.hints = self.hints(&case.hints);
            view.stderr = case.stderr.as_deref().filter(|stderr| !stderr.is_empty());
            view.input = case.input.as_deref();
            view.command = case.command.as_deref();
        }
        view
    }
}

impl<'a> CaseView<'a> {
    /// What the run used; `None` if it was not run.
    pub fn measured(&self) -> Option<Measured> {
        self.outcome.map(|outcome| measured(self.case, outcome))
    }

    /// Why its verdict may change if it is graded again.
    pub fn unsettled(&self) -> Option<Unsettled<'a>> {
        unsettled(self.case)
    }

    /// The CPU time limit of the run.
    pub fn limit(&self) -> Option<CpuTime> {
        self.case.limits.map(|limits| limits.cpu)
    }

    /// CPU time of the reference.
    pub const fn reference_time(&self) -> Option<CpuTime> {
        self.case.reference_time
    }

    /// Whether it is explained, in a line at least: of a hidden case a student knows only the verdict.
    pub fn is_explained(&self) -> bool {
        self.is_told && self.detail != Detail::Verdict
    }

    /// Whether everything is told of it.
    pub fn is_full(&self) -> bool {
        self.detail == Detail::Full
    }

    /// Whether its reason is worth a line of its own: that it is accepted goes without saying.
    pub fn says_why(&self) -> bool {
        self.verdict != Verdict::Accepted || self.message.is_some()
    }
}

fn evidence_view<'a>(evidence: &'a Evidence, reason: &Text) -> EvidenceView<'a> {
    let message = &evidence.message;
    let is_unquoted = |excerpt: &&Excerpt| {
        let quoted = format!("`{excerpt}`");
        !(message.en.contains(&quoted) && message.zh.contains(&quoted))
    };
    EvidenceView {
        message,
        is_new: message != reason,
        expected: evidence.expected.as_ref().filter(is_unquoted),
        found: evidence.found.as_ref().filter(is_unquoted),
        figure: evidence.figure.as_ref(),
        board: evidence.board.as_ref(),
    }
}

/// Whether a case that passed needs a remark: it was near a limit, failed some attempts, or earned only a part.
fn is_notable(case: &CaseResult) -> bool {
    let failed_once = |attempts: &Attempts| attempts.accepted < attempts.made;
    case.near_limit || case.attempts.as_ref().is_some_and(failed_once) || partial(case).is_some()
}

/// The part of its points that a case earned. `None` if that is all or nothing.
fn partial(case: &CaseResult) -> Option<Share> {
    case.share
        .filter(|share| *share > Share::NOTHING && *share < Share::WHOLE)
}

fn measured(case: &CaseResult, outcome: &Outcome) -> Measured {
    let limit = case.limits.map(|limits| limits.cpu);
    Measured {
        cpu: outcome.cpu,
        limit: limit.filter(|_| case.near_limit),
        memory: outcome.memory.filter(|_| !case.near_limit),
        is_undecided: case.confirmation.is_some() && !is_settled(case),
        share: partial(case),
    }
}

/// Whether running the program again alone settled a result near a limit.
fn is_settled(case: &CaseResult) -> bool {
    case.confirmation.as_ref().is_some_and(|it| it.resolved)
}

fn runs_alone(case: &CaseResult) -> Option<&Confirmation> {
    case.confirmation
        .as_deref()
        .filter(|it| !it.runs.is_empty())
}

/// Why the verdict of a case is not certain; `None` if it is.
pub fn unsettled(case: &CaseResult) -> Option<Unsettled<'_>> {
    if let Some(attempts) = case.attempts.as_ref().filter(|it| it.is_doubtful()) {
        return Some(Unsettled::Luck(attempts));
    }
    if !case.near_limit || is_settled(case) {
        return None;
    }
    let used = case.outcome.as_ref().zip(case.limits);
    let used = used.map(|(outcome, limits)| (outcome.cpu, limits.cpu));
    Some(runs_alone(case).map_or(Unsettled::NotRunAgain(used), Unsettled::Disagreement))
}

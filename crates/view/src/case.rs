//! A case: why it has its verdict, and how much of that is told.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::mem;

use grader_model::{
    Attempts, BoardFigure, Breach, Bytes, CaseName, CaseResult, Confirmation, CpuTime, Evidence,
    Excerpt, Figure, LimitOrigin, Outcome, Share, Text, Verdict,
};

/// Reasons of a subtask that are explained in full; the other cases get a line.
const MAX_EXPLAINED: usize = 3;

/// One case. A class of thousands has some of each student: what only a few cases have is boxed.
#[derive(Clone, Debug)]
pub struct CaseView<'a> {
    case: &'a CaseResult,
    /// How much is told of it.
    pub detail: Detail,
    /// Whether it belongs in a list of what is worth reading: it failed, or passed with a remark.
    pub is_told: bool,
    /// `None` if it is empty.
    explanation: Option<Box<Explanation<'a>>>,
}

/// What explains a failure that is told in full.
#[derive(Clone, Debug)]
struct Explanation<'a> {
    evidence: Vec<EvidenceView<'a>>,
    hints: Vec<&'a Text>,
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

/// Decides how much is told of each case of one problem: each reason once in full, the first few of a subtask only, and each
/// hint once.
#[derive(Debug, Default)]
pub struct Explainer {
    /// Number of failing cases of this subtask that were explained.
    explained: usize,
    /// The mistakes of the problem that were explained.
    mistakes: HashSet<u64>,
    /// The kinds of sentences of this subtask that say all there is.
    kinds: HashSet<String>,
    hinted: HashSet<Text>,
    /// The same without what they quote.
    advice: HashSet<String>,
}

impl Explainer {
    /// Begins another subtask of the same problem.
    pub fn begin_subtask(&mut self) {
        self.explained = 0;
        self.kinds.clear();
    }

    /// Begins the case that stands beside all subtasks. Its input is new, so it is explained whatever it shows.
    pub(crate) fn begin_counterexample(&mut self) {
        let hinted = mem::take(&mut self.hinted);
        *self = Self {
            hinted,
            ..Self::default()
        };
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
        let mut view = CaseView {
            case,
            detail: Detail::Full,
            is_told: is_failing(case.verdict) || (has_passed && is_notable(case)),
            explanation: None,
        };
        if case.message.is_none() && case.outcome.is_none() {
            view.detail = Detail::Verdict;
        } else if is_failing(case.verdict) && !self.is_new(&view) {
            view.detail = Detail::Line;
        }
        if view.in_full().is_some() {
            let evidence = case.evidence.iter();
            let evidence: Vec<_> = evidence
                .map(|it| evidence_view(it, view.reason()))
                .collect();
            let hints = self.hints(&case.hints);
            if !(evidence.is_empty() && hints.is_empty()) {
                view.explanation = Some(Box::new(Explanation { evidence, hints }));
            }
        }
        view
    }

    /// Whether a failing case shows something that no case before it has shown, and there is room for it.
    fn is_new(&mut self, case: &CaseView<'_>) -> bool {
        let hints = case.case.hints.iter();
        let advice =
            hints.filter(|it| !self.hinted.contains(*it) && self.advice.insert(unquoted(it)));
        let advises = advice.count() > 0;
        if self.explained == MAX_EXPLAINED {
            return advises;
        }
        let kind = kind(case);
        let is_known = kind.as_ref().is_some_and(|it| self.kinds.contains(it))
            || mistake(case.case).is_some_and(|it| !self.mistakes.insert(it));
        self.kinds.extend(kind);
        let is_new = advises || !is_known;
        self.explained += usize::from(is_new);
        is_new
    }
}

/// What is told of a failing case, without what its run used: equal if two cases show the same mistake. `None` if what it used,
/// or what it earned, is its own.
fn mistake(case: &CaseResult) -> Option<u64> {
    if is_notable(case) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (case.verdict, reason(case)).hash(&mut hasher);
    for it in &case.evidence {
        (&it.message, &it.expected, &it.found).hash(&mut hasher);
        // A board is of the size of its case.
        let figure = it.figure.iter().filter(|_| it.board.is_none());
        let spans = figure.flat_map(|it| &it.lines).flat_map(|it| &it.spans);
        spans.for_each(|it| it.text.hash(&mut hasher));
    }
    // Of a program that ended by itself, this is the reason.
    if case.verdict == Verdict::RuntimeError {
        case.stderr.hash(&mut hasher);
    }
    Some(hasher.finish())
}

/// The verdict and the sentence. `None` if there is more to see than a sentence.
fn kind(case: &CaseView<'_>) -> Option<String> {
    let result = case.case;
    let is_sentence = |it: &Evidence| {
        let it = evidence_view(it, case.reason());
        it.figure.is_none() && it.expected.is_none() && it.found.is_none()
    };
    if is_notable(result) || !result.evidence.iter().all(is_sentence) {
        return None;
    }
    let sentence = if result.verdict == Verdict::RuntimeError && case.has_stderr() {
        // An exception and its line, or else only standard error tells what happened.
        let reason = &case.reason().en;
        reason.contains('`').then(|| reason.clone())?
    } else {
        unquoted(case.reason())
    };
    Some(format!("{} {sentence}", result.verdict.code()))
}

/// A sentence without its numbers and what it quotes.
fn unquoted(text: &Text) -> String {
    let words = text.en.split(['`', '\'', '"']).step_by(2);
    let words = words.flat_map(|it| it.split(|c: char| c.is_ascii_digit() || c == '.'));
    let words: Vec<&str> = words.filter(|it| !it.is_empty()).collect();
    words.join("#")
}

/// Why a case has its verdict: its message, the checker's first reason, or the name of the verdict.
fn reason(case: &CaseResult) -> &Text {
    let first = case.evidence.first().map(|it| &it.message);
    let reason = case.message.as_deref().or(first);
    reason.unwrap_or_else(|| case.verdict.name())
}

/// Whether a case was judged, so that its verdict can be compared with another.
pub(crate) const fn is_judged(case: &CaseResult) -> bool {
    !case.skipped && !matches!(case.verdict, Verdict::Skipped | Verdict::JudgeError)
}

impl<'a> CaseView<'a> {
    /// Its name.
    pub const fn name(&self) -> &'a CaseName {
        &self.case.name
    }

    /// Its verdict.
    pub const fn verdict(&self) -> Verdict {
        self.case.verdict
    }

    /// Whether it passed.
    pub fn has_passed(&self) -> bool {
        self.verdict() == Verdict::Accepted
    }

    /// Whether something is wrong with its run.
    pub const fn is_failing(&self) -> bool {
        is_failing(self.verdict())
    }

    /// Why it has its verdict: its message, the checker's first reason, or the name of the verdict.
    pub fn reason(&self) -> &'a Text {
        reason(self.case)
    }

    /// Whether this case, told before the other one, tells of it too: it shows the same mistake or, without details, has the
    /// same reason.
    pub(crate) fn tells_of(&self, other: &Self) -> bool {
        if self.verdict() != other.verdict() || !is_failing(self.verdict()) {
            return false;
        }
        match (self.detail, other.detail) {
            (Detail::Verdict, Detail::Verdict) => true,
            (Detail::Line, Detail::Line) => self.reason() == other.reason(),
            (Detail::Full, Detail::Line) => {
                let own = mistake(self.case);
                own.is_some() && own == mistake(other.case)
            }
            _ => false,
        }
    }

    /// Its message, if it has one.
    pub fn message(&self) -> Option<&'a Text> {
        self.case.message.as_deref()
    }

    /// Outcome of the run; `None` if it was not run.
    pub const fn outcome(&self) -> Option<&'a Outcome> {
        self.case.outcome.as_ref()
    }

    /// Whether its time is near the limit.
    pub const fn is_near_limit(&self) -> bool {
        self.case.near_limit
    }

    /// The attempts of a program that draws random numbers.
    pub const fn attempts(&self) -> Option<&'a Attempts> {
        self.case.attempts.as_ref()
    }

    /// Derivation of its time limit, if that decided.
    pub fn limit_origin(&self) -> Option<&'a LimitOrigin> {
        let origin = self.case.limit_origin.as_deref();
        origin.filter(|_| self.has_timing())
    }

    /// The runs alone that decided; never without runs.
    pub fn confirmation(&self) -> Option<&'a Confirmation> {
        runs_alone(self.case).filter(|_| self.has_timing())
    }

    /// Whether its time decided, or nearly did.
    fn has_timing(&self) -> bool {
        let breach = self.outcome().and_then(|outcome| outcome.breach);
        let is_over = self.verdict() == Verdict::TimeLimit && breach != Some(Breach::Wall);
        is_over || self.is_near_limit()
    }

    /// The checker's evidence, if it failed and is told in full; so is all below.
    pub fn evidence(&self) -> &[EvidenceView<'a>] {
        self.explanation.as_ref().map_or(&[], |it| &it.evidence)
    }

    /// The evidence before the first drawing, which stands above the hints, and the rest.
    pub fn evidence_around_hints(&self) -> [&[EvidenceView<'a>]; 2] {
        let all = self.evidence();
        let drawn = all.iter().position(|it| it.figure.is_some());
        all.split_at(drawn.unwrap_or(all.len())).into()
    }

    /// Advice that no case before it gave.
    pub fn hints(&self) -> &[&'a Text] {
        self.explanation.as_ref().map_or(&[], |it| &it.hints)
    }

    fn has_stderr(&self) -> bool {
        let stderr = self.case.stderr.as_deref();
        stderr.is_some_and(|stderr| !stderr.is_empty())
    }

    /// Beginning of standard error.
    pub fn stderr(&self) -> Option<&'a Excerpt> {
        let stderr = self.in_full()?.stderr.as_deref();
        stderr.filter(|stderr| !stderr.is_empty())
    }

    /// The program's input.
    pub fn input(&self) -> Option<&'a Excerpt> {
        self.in_full()?.input.as_deref()
    }

    /// A shell command that reproduces the run.
    pub fn command(&self) -> Option<&'a str> {
        self.in_full()?.command.as_deref()
    }

    /// The case, if it failed and is told in full.
    fn in_full(&self) -> Option<&'a CaseResult> {
        (self.is_full() && !self.has_passed()).then_some(self.case)
    }

    /// What the run used; `None` if it was not run, or if it failed and that has nothing to do with it.
    pub fn measured(&self) -> Option<Measured> {
        let is_telling = match self.verdict() {
            Verdict::WrongAnswer
            | Verdict::PresentationError
            | Verdict::RuntimeError
            | Verdict::OutputLimit => self.is_near_limit(),
            _ => true,
        };
        let outcome = self.outcome().filter(|_| is_telling);
        outcome.map(|outcome| measured(self.case, outcome))
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
        !self.has_passed() || self.message().is_some()
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
        // A crash is named before what the checker says.
        is_new: !reason.en.ends_with(&message.en),
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

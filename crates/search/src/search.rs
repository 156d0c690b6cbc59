//! Search for the smallest input on which a program fails.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use grader_judge::{ProblemFault, Tried, Withheld};
use grader_model::{CaseName, CaseResult, Lang, Text, Verdict};
use grader_problem::{Case, CaseRef, Library, Problem, SearchSpace, load_inputs, load_search};
use grader_view::FoundInput;

use crate::SearchError;
use crate::faults::{innocent, problem_fault};
use crate::inputs::{Input, Inputs, between};
use crate::keep::Kept;
use crate::shown::{ROUNDED, grouped, named, rounded};
use crate::shrink;
use crate::tries::Tries;

/// Inputs that are judged together at first. The number doubles with each batch.
const FIRST_BATCH: usize = 4;
/// The largest batch of most programs.
const USUAL_BATCH: usize = 64;
/// The largest batch of quick programs. Cores wait between batches, so larger ones waste less time.
const MAX_BATCH: usize = 1024;
/// Batches grow beyond the usual size while one takes less than this.
const QUICK_BATCH: Duration = Duration::from_millis(500);
/// Inputs on which others fail that are tried at a time.
const MAX_KNOWN: usize = 16;
/// Smaller texts that are judged together.
const SHRINK_BATCH: usize = 16;
/// Values of a variable that are tried at a time.
const SECTIONS: u128 = 8;
/// How often a failure must repeat before it counts.
const REPETITIONS: usize = 2;
/// How long after the end of the search that may take.
const OVERTIME: Duration = Duration::from_secs(2);

/// Where the inputs of a problem come from.
///
/// # Errors
/// If there are none, or the file has mistakes.
pub fn space(problem: &Problem, library: &dyn Library) -> Result<SearchSpace, SearchError> {
    let id = &problem.id;
    let refused = |message| SearchError::Refused(Text::plain(message));
    if CaseRef::all(problem).any(|at| at.case.checker.is_interactive()) {
        let message = format!("`{id}` is interactive: there are no inputs to search");
        return Err(refused(message));
    }
    if let Some(files) = problem.submission.kind.instead() {
        let message = format!("`{id}` takes {files}: there are no programs to search");
        return Err(refused(message));
    }
    if problem.reference.is_none() {
        let message = format!("`{id}` has no reference here to compare with");
        return Err(refused(message));
    }
    let space = load_search(library, &problem.folder)?;
    let message = format!(
        "the cases of `{id}` have no variables from which to make inputs: add a `[search]` to its `problem.toml`"
    );
    space.ok_or_else(|| refused(message))
}

/// Whether a program fails again on an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeated {
    Yes,
    No,
    /// The problem is at fault.
    Fault,
    /// There was not enough time.
    Late,
}

/// An input on which the program fails, and how.
#[derive(Clone)]
pub(crate) struct Found {
    input: Input,
    pub(crate) case: Case,
    /// Whether the input of the case was made smaller.
    is_shrunk: bool,
    result: CaseResult,
}

/// How long a search takes.
#[derive(Clone, Copy, Debug)]
pub struct SearchTime {
    /// When it ends.
    pub until: Instant,
    /// How long an input that was found is made smaller.
    pub patience: Duration,
}

impl SearchTime {
    /// From now on; what is found may be made smaller for as long.
    pub fn of(time: Duration) -> Self {
        Self {
            until: Instant::now() + time,
            patience: time,
        }
    }
}

/// A search for the smallest input on which a program fails.
pub struct Search<'a> {
    inputs: Inputs,
    /// How many inputs are tried next.
    pub batch: usize,
    space: &'a SearchSpace,
    program: &'a dyn Tries,
    library: &'a dyn Library,
    end: Instant,
    /// How long an input that was found is made smaller.
    pub(crate) patience: Duration,
    /// How many inputs were valid and could be judged.
    judged: Cell<usize>,
    /// Why the last input could not be judged.
    fault: RefCell<Option<Text>>,
    /// How many of the inputs that were tried could be judged.
    tried: usize,
    /// What must not be found: what is found may be shown, whatever is hidden.
    withheld: Withheld,
    /// What is wrong with the problem itself, and on which input.
    problem_fault: RefCell<Option<(ProblemFault, String)>>,
    /// An input on which the program failed. There was not enough time to repeat that.
    pub unconfirmed: Option<String>,
    /// What the program is compared with.
    pub reference: Text,
    /// On these, other programs fail; they are tried next.
    pub(crate) known: Vec<Found>,
    /// The smallest input on which the program failed again and again.
    pub(crate) found: Option<Found>,
}

impl<'a> Search<'a> {
    /// A search by this program for inputs in this order, until `end`. What is found is made smaller for so long.
    pub fn new(
        space: &'a SearchSpace,
        seed: u64,
        program: &'a dyn Tries,
        library: &'a dyn Library,
        time: SearchTime,
    ) -> Self {
        Self {
            inputs: Inputs::new(space.counts().collect(), seed)
                .with_telling(&space.notable().collect::<Vec<_>>()),
            batch: FIRST_BATCH,
            space,
            program,
            library,
            end: time.until,
            patience: time.patience,
            judged: Cell::new(0),
            fault: RefCell::new(None),
            tried: 0,
            withheld: Withheld::Hidden,
            problem_fault: RefCell::new(None),
            unconfirmed: None,
            reference: Text::new("the reference", "参考程序"),
            known: Vec::new(),
            found: None,
        }
    }

    /// A search that is to find some input soon, made smaller for so long as there is patience.
    pub(crate) fn hasty(mut self, seed: u64) -> Self {
        let places: Vec<_> = self.space.notable().collect();
        self.inputs = Inputs::new(self.space.counts().collect(), seed).spread(&places);
        self
    }

    /// Never finds the input of a case, be it hidden or not.
    #[must_use]
    pub fn without_cases(mut self) -> Self {
        self.withheld = Withheld::All;
        self
    }

    /// Tries some more inputs. Returns whether there is more to try: nothing is found yet, not all inputs were tried, and there
    /// is time left. What was found before a request to stop remains found.
    pub fn step(&mut self) -> Result<bool, SearchError> {
        match self.next() {
            Err(error) if self.found.is_some() && error.is_stop() => Ok(false),
            ended => ended,
        }
    }

    fn next(&mut self) -> Result<bool, SearchError> {
        if !self.has_time() {
            return Ok(false);
        }
        // The others wait, so that a slow program has other inputs in its first turn, too.
        let known = self.known.drain(..self.known.len().min(MAX_KNOWN));
        let (shrunk, mut known): (Vec<_>, Vec<_>) = known.partition(|it| it.is_shrunk);
        known.retain(|it| self.inputs.skip(it.input.clone()));
        let mut failures = self.known_failures(shrunk)?;
        let before = self.judged.get();
        failures.extend(self.known_failures(known)?);
        self.tried += self.judged.get() - before;
        if self.confirm(failures)? {
            return Ok(false);
        }
        let (began, before) = (Instant::now(), self.judged.get());
        let mut inputs = self.inputs.next(self.batch);
        // The first fault of the problem is named.
        inputs.sort_by_cached_key(|it| (self.space.size(it), it.clone()));
        let failures = self.failures(&inputs)?;
        self.tried += self.judged.get() - before;
        if self.batch < USUAL_BATCH || began.elapsed() < QUICK_BATCH {
            self.batch = (2 * self.batch).min(MAX_BATCH);
        }
        let has_failed = self.confirm(failures)?;
        // What fails from the beginning would fail on.
        let fault = self.problem_fault.get_mut();
        let is_broken = self.tried == 0 && matches!(fault, Some((ProblemFault::Failed(_), _)));
        let has_more = !inputs.is_empty() && self.has_time() && !is_broken;
        Ok(!has_failed && has_more)
    }

    /// Those of these inputs on which the program fails.
    fn known_failures(&self, known: Vec<Found>) -> Result<Vec<Found>, SearchError> {
        if known.is_empty() {
            return Ok(known);
        }
        let cases = known.iter().map(|it| it.case.clone()).collect();
        let failed = self.failed(cases, |at| self.name(&known[at]))?.into_iter();
        let failed = failed.map(|(at, _, result)| Found {
            result,
            ..known[at].clone()
        });
        Ok(failed.collect())
    }

    /// Whether the program fails again on one of these inputs. Makes the first one smaller.
    fn confirm(&mut self, failures: Vec<Found>) -> Result<bool, SearchError> {
        for (index, mut found) in failures.into_iter().enumerate() {
            let name = self.name(&found);
            if index > 0 && !self.has_time() {
                self.unconfirmed.get_or_insert(name);
                break;
            }
            // Said if somebody stops what follows.
            let earlier = self.unconfirmed.replace(name);
            let repeated = self.repeats(&mut found)?;
            if repeated == Repeated::Late {
                break;
            }
            self.unconfirmed = earlier;
            match repeated {
                Repeated::Yes => {
                    self.make_smaller(&found)?;
                    break;
                }
                Repeated::Fault => self.tried = self.tried.saturating_sub(1),
                Repeated::No | Repeated::Late => {}
            }
        }
        Ok(self.found.is_some())
    }

    /// Makes an input smaller on which the program fails again and again.
    fn make_smaller(&mut self, found: &Found) -> Result<(), SearchError> {
        let end = self.end;
        self.end = end.min(Instant::now() + self.patience);
        // Shown if somebody stops what follows.
        self.found = Some(found.clone());
        let until = self.end;
        if !found.case.validators.is_empty() {
            // The other half is for its text.
            let now = Instant::now();
            self.end = now + until.saturating_duration_since(now) / 2;
        }
        // What was taken from a text is not in its variables.
        let mut narrow = found.clone();
        if !found.is_shrunk {
            narrow = self.least(self.narrowed(narrow)?)?;
        }
        self.end = until;
        if narrow.input != found.input && self.repeats(&mut narrow)? == Repeated::Yes {
            self.found = Some(narrow);
        }
        self.shrink()?;
        self.end = end;
        Ok(())
    }

    /// Moves each variable towards its least value as long as the program fails, until none moves any more.
    fn narrowed(&self, mut found: Found) -> Result<Found, SearchError> {
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

    /// The smallest input that is listed on which the program fails.
    fn least(&self, found: Found) -> Result<Found, SearchError> {
        let smaller = self.inputs.smaller(&found.input);
        for some in smaller.chunks(USUAL_BATCH).take_while(|_| self.has_time()) {
            if let Some(less) = self.fails(some)? {
                return Ok(less);
            }
        }
        Ok(found)
    }

    /// Whether no input could be tried before the time was over.
    pub fn is_untried(&self) -> bool {
        self.tried == 0 && !self.has_time()
    }

    fn has_time(&self) -> bool {
        Instant::now() < self.end
    }

    /// The smallest of these inputs on which the program fails.
    fn fails(&self, inputs: &[Input]) -> Result<Option<Found>, SearchError> {
        Ok(self.failures(inputs)?.into_iter().next())
    }

    /// Those of these inputs on which the program fails, the smallest first.
    fn failures(&self, inputs: &[Input]) -> Result<Vec<Found>, SearchError> {
        let problem = self.program.problem();
        let cases = load_inputs(self.library, problem, inputs)?;
        let describe = |index: usize| self.space.describe(&inputs[index]);
        let failed = self.failed(cases, describe)?.into_iter();
        let failed = failed.map(|(index, case, result)| Found {
            input: inputs[index].clone(),
            case,
            is_shrunk: false,
            result,
        });
        let mut failed: Vec<_> = failed.collect();
        failed.sort_by_cached_key(|it| (self.space.size(&it.input), it.input.clone()));
        Ok(failed)
    }

    /// Those of these cases in which the program fails, with their places in the list. What is not judged before the end of the
    /// search does not count.
    fn failed(
        &self,
        cases: Vec<Case>,
        describe: impl Fn(usize) -> String,
    ) -> Result<Vec<(usize, Case, CaseResult)>, SearchError> {
        let tried = self.program.judge(&cases, self.end)?;
        let mut failed = Vec::new();
        for (index, (case, tried)) in cases.into_iter().zip(tried).enumerate() {
            let has_failed = tried.failure().is_some();
            match tried {
                Tried::Judged(result) if result.why_open().is_some() => {
                    // A large input may be too much for the reference.
                    *self.fault.borrow_mut() = result.message.map(|it| *it);
                }
                Tried::Judged(result) => {
                    if has_failed && self.program.is_withheld(&case, self.withheld)? {
                        continue;
                    }
                    self.judged.set(self.judged.get() + 1);
                    if has_failed {
                        failed.push((index, case, *result));
                    }
                }
                Tried::Fault(fault) => self.blame_problem(fault, &case, || describe(index))?,
                Tried::Invalid | Tried::Late => {}
            }
        }
        Ok(failed)
    }

    /// Keeps the first fault of the problem itself.
    fn blame_problem(
        &self,
        fault: ProblemFault,
        case: &Case,
        describe: impl Fn() -> String,
    ) -> Result<(), SearchError> {
        let is_known = self.problem_fault.borrow().is_some();
        if !is_known && !self.program.is_withheld(case, self.withheld)? {
            self.problem_fault.replace(Some((fault, describe())));
        }
        Ok(())
    }

    /// Whether the program fails again and again.
    fn repeats(&self, found: &mut Found) -> Result<Repeated, SearchError> {
        // The judge ran the program again already if its time was near the limit.
        if found.result.verdict == Verdict::TimeLimit {
            return Ok(Repeated::Yes);
        }
        let end = self.end.max(Instant::now() + OVERTIME);
        // The reference may have run several times in one sandbox.
        let tried = self.program.repeat(&found.case, REPETITIONS, end)?;
        if let Some(failure) = tried.failure() {
            found.result = failure.clone();
            return Ok(Repeated::Yes);
        }
        Ok(match tried {
            Tried::Late => Repeated::Late,
            Tried::Fault(fault) => {
                self.blame_problem(fault, &found.case, || self.name(found))?;
                Repeated::Fault
            }
            Tried::Judged(_) | Tried::Invalid => Repeated::No,
        })
    }

    /// Takes lines, words and values from the input as long as the program fails. Only a validator tells which inputs are
    /// valid, so without one nothing is taken.
    fn shrink(&mut self) -> Result<(), SearchError> {
        let Some(found) = self
            .found
            .as_ref()
            .filter(|it| !it.case.validators.is_empty())
        else {
            return Ok(());
        };
        let (from, base) = (found.input.clone(), found.case.clone());
        let Ok(mut text) = String::from_utf8(self.program.input(&base)?.to_vec()) else {
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
            let before = text.clone();
            let mut smaller = shrink::smaller(&before)
                .filter(|it| shrink::size(it) < shrink::size(&before) && tried.insert(it.clone()));
            let mut less = None;
            while less.is_none() && self.has_time() {
                let texts: Vec<_> = smaller.by_ref().take(SHRINK_BATCH).collect();
                if texts.is_empty() {
                    break;
                }
                let failed =
                    self.failed(texts.iter().map(case).collect(), |at| named(&texts[at]))?;
                let smallest = failed
                    .into_iter()
                    .min_by_key(|(at, ..)| shrink::size(&texts[*at]));
                less = smallest.map(|(at, case, result)| {
                    text.clone_from(&texts[at]);
                    Found {
                        input: from.clone(),
                        case,
                        is_shrunk: true,
                        result,
                    }
                });
            }
            let Some(mut less) = less else {
                return Ok(());
            };
            if self.repeats(&mut less)? != Repeated::Yes {
                return Ok(());
            }
            self.found = Some(less);
        }
    }

    /// Whether an input was found.
    pub const fn has_found(&self) -> bool {
        self.found.is_some()
    }

    /// Whether anything is known about the program.
    pub(crate) fn has_result(&self) -> bool {
        self.tried > 0 || self.unconfirmed.is_some()
    }

    /// How many inputs were tried.
    pub fn count(&self) -> usize {
        self.tried
    }

    /// The same as people read it: `29 of about 2 × 10⁷ inputs`.
    ///
    /// # Errors
    /// If none could be judged: the reason.
    pub fn tried(&self, lang: Lang) -> Result<String, Text> {
        let (tried, total) = (self.tried, self.inputs.total());
        if tried == 0 {
            let none = || {
                if self.has_time() {
                    Text::new("no valid input was tried", "没有试到有效的输入")
                } else {
                    Text::new(
                        "no valid input was judged before the time was over: try a longer `--time`",
                        "时间用完之前没有评测完任何有效的输入：请延长 `--time`",
                    )
                }
            };
            let fault = self
                .problem_fault()
                .map(innocent)
                .or_else(|| self.fault.take());
            return Err(fault.unwrap_or_else(none));
        }
        let count = grouped(tried as u128);
        Ok(if tried as u128 == total {
            lang.pick(
                format!("all {count} inputs"),
                format!("全部 {count} 个输入"),
            )
        } else {
            let (about, zh) = if total < ROUNDED {
                ("", "")
            } else {
                ("about ", "约 ")
            };
            let total = rounded(total);
            lang.pick(
                format!("{count} of {about}{total} inputs"),
                format!("{zh}{total} 个输入中的 {count} 个"),
            )
        })
    }

    /// Why an input says nothing about the program: a fault of the problem itself.
    pub fn problem_fault(&self) -> Option<Text> {
        let fault = self.problem_fault.borrow();
        let (fault, input) = fault.as_ref()?;
        Some(problem_fault(fault, input, &self.reference))
    }

    /// What a case with the found input has.
    pub fn kept(&self) -> Option<Kept> {
        let found = self.found.as_ref()?;
        let text = String::from_utf8_lossy(&found.case.input);
        Some(Kept {
            variables: found.case.variables.clone(),
            input: found.is_shrunk.then(|| text.into_owned()),
        })
    }

    /// How the program fails on the input that was found. The case is named by its variables, or if its input was made smaller,
    /// by that.
    pub fn result(&self) -> Option<CaseResult> {
        let found = self.found.as_ref()?;
        Some(CaseResult {
            name: CaseName::new(self.name(found)),
            ..found.result.clone()
        })
    }

    /// All of it, for staff.
    pub fn found_input(&self) -> Option<FoundInput> {
        let (case, Kept { variables, input }) = self.result().zip(self.kept())?;
        Some(FoundInput {
            case,
            variables,
            input,
        })
    }

    pub(crate) fn name(&self, found: &Found) -> String {
        if found.is_shrunk {
            named(&String::from_utf8_lossy(&found.case.input))
        } else {
            self.space.describe(&found.input)
        }
    }

    /// From which input the one that was found was made, if it was made smaller.
    pub fn made_from(&self) -> Option<String> {
        let found = self.found.as_ref()?;
        found.is_shrunk.then(|| self.space.describe(&found.input))
    }
}

#[cfg(test)]
pub(crate) mod tests;

//! Search for the smallest input on which a program fails.

mod inputs;
pub(crate) mod keep;
mod shrink;
pub(crate) mod why;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use grader_judge::{Compared, Fault, ProblemFault, Tried, Withheld};
use grader_model::{CaseName, CaseResult, Excerpt, Text, Verdict};
use grader_problem::{Case, CaseRef, Problem, SearchSpace, load_inputs, load_search};
use grader_report::terminal as draw;

use self::inputs::{Input, Inputs, between};
use self::keep::Kept;
use crate::assignment::{Location, drawn};
use crate::exit::Failure;
use crate::terminal::Terminal;

/// Inputs that are judged together at first. The number doubles with each batch.
const FIRST_BATCH: usize = 4;
/// The largest batch of most programs.
const USUAL_BATCH: usize = 64;
/// The largest batch of quick programs. Cores wait between batches, so larger ones waste less time.
const MAX_BATCH: usize = 1024;
/// Batches grow beyond the usual size while one takes less than this.
const QUICK_BATCH: Duration = Duration::from_millis(500);
/// Smaller texts that are judged together.
const SHRINK_BATCH: usize = 16;
/// Values of a variable that are tried at a time.
const SECTIONS: u128 = 8;
/// So many inputs or more are counted by a power of ten.
const ROUNDED: u128 = 1_000_000;
/// Bytes of an input that name it.
const MAX_NAME_BYTES: usize = 40;
/// How often a failure must repeat before it counts.
const REPETITIONS: usize = 2;
/// How long after the end of the search that may take.
const OVERTIME: Duration = Duration::from_secs(2);

/// How long a search takes, in seconds, unless `--time` says it.
pub(crate) const DEFAULT_SECONDS: u64 = 10;

/// A search that explains why a program fails.
#[derive(Debug, clap::Args)]
pub(crate) struct WhyArgs {
    /// For a failing program, search for an input on which it fails, outside the cases.
    ///
    /// Students may see it, with the right answer: it is in no case. Programs that merely exceed a time limit are skipped.
    #[arg(long, conflicts_with = "case", hide_short_help = true)]
    why: bool,
    /// With `--why`: seconds to search for each program.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS, requires = "why", value_parser = seconds, hide_short_help = true)]
    time: u64,
}

impl WhyArgs {
    /// How long to search, if at all.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.why.then(|| Duration::from_secs(self.time))
    }
}

/// Reads how long a search may take: `60` or `60s`.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse();
    let allowed = number.ok().filter(|it| (1..=86_400).contains(it));
    allowed.ok_or_else(|| "expected a number of seconds, 1 to 86400".to_owned())
}

/// Where the inputs of a problem come from.
pub(crate) fn space(
    problem: &Problem,
    location: &Location,
    terminal: &Terminal,
) -> anyhow::Result<SearchSpace> {
    let id = &problem.id;
    if CaseRef::all(problem).any(|at| at.case.checker.is_interactive()) {
        let message = format!("`{id}` is interactive: there are no inputs to search");
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

/// The same; if there are none, says why.
pub(crate) fn space_or_note(
    problem: &Problem,
    location: &Location,
    terminal: &Terminal,
) -> Option<SearchSpace> {
    let note = |error: &anyhow::Error| {
        terminal.note(format!("not searched: {error}"), format!("未搜索：{error}"));
    };
    space(problem, location, terminal).inspect_err(note).ok()
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
    case: Case,
    /// Whether the input of the case was made smaller.
    is_shrunk: bool,
    result: CaseResult,
}

pub(crate) struct Search<'a> {
    inputs: Inputs,
    /// How many inputs are tried next.
    pub(crate) batch: usize,
    space: &'a SearchSpace,
    compared: &'a Compared<'a>,
    location: &'a Location,
    terminal: &'a Terminal,
    end: Instant,
    /// How long an input that was found is made smaller.
    patience: Duration,
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
    pub(crate) unconfirmed: Option<String>,
    /// What the program is compared with.
    pub(crate) reference: Text,
    /// The smallest input on which the program failed again and again.
    pub(crate) found: Option<Found>,
}

impl<'a> Search<'a> {
    /// A search by this program for inputs in this order, until `end`. What is found is made smaller for so long.
    pub(crate) fn new(
        space: &'a SearchSpace,
        seed: u64,
        compared: &'a Compared<'a>,
        location: &'a Location,
        terminal: &'a Terminal,
        (end, patience): (Instant, Duration),
    ) -> Self {
        Self {
            inputs: Inputs::new(space.counts().collect(), seed),
            batch: FIRST_BATCH,
            space,
            compared,
            location,
            terminal,
            end,
            patience,
            judged: Cell::new(0),
            fault: RefCell::new(None),
            tried: 0,
            withheld: Withheld::Hidden,
            problem_fault: RefCell::new(None),
            unconfirmed: None,
            reference: Text::new("the reference", "参考程序"),
            found: None,
        }
    }

    /// Never finds the input of a case, be it hidden or not.
    pub(crate) fn without_cases(mut self) -> Self {
        self.withheld = Withheld::All;
        self
    }

    /// Tries some more inputs. Returns whether there is more to try: nothing is found yet, not all inputs were tried, and there
    /// is time left. What was found before a request to stop remains found.
    pub(crate) fn step(&mut self) -> anyhow::Result<bool> {
        match self.next() {
            Err(error) if self.found.is_some() && is_stop(&error) => Ok(false),
            ended => ended,
        }
    }

    fn next(&mut self) -> anyhow::Result<bool> {
        if !self.has_time() {
            return Ok(false);
        }
        let (began, before) = (Instant::now(), self.judged.get());
        let inputs = self.inputs.next(self.batch);
        let failures = self.failures(&inputs)?;
        self.tried += self.judged.get() - before;
        if self.batch < USUAL_BATCH || began.elapsed() < QUICK_BATCH {
            self.batch = (2 * self.batch).min(MAX_BATCH);
        }
        for (index, mut found) in failures.into_iter().enumerate() {
            let name = self.space.describe(&found.input);
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
                Repeated::Fault => self.tried -= 1,
                Repeated::No | Repeated::Late => {}
            }
        }
        // What fails from the beginning would fail on.
        let fault = self.problem_fault.get_mut();
        let is_broken = self.tried == 0 && matches!(fault, Some((ProblemFault::Failed(_), _)));
        let has_more = !inputs.is_empty() && self.has_time() && !is_broken;
        Ok(self.found.is_none() && has_more)
    }

    /// Makes an input smaller on which the program fails again and again.
    fn make_smaller(&mut self, found: &Found) -> anyhow::Result<()> {
        let end = self.end;
        self.end = end.min(Instant::now() + self.patience);
        // Shown if somebody stops what follows.
        self.found = Some(found.clone());
        let until = self.end;
        if found.case.validator.is_some() {
            // The other half is for its text.
            let now = Instant::now();
            self.end = now + until.saturating_duration_since(now) / 2;
        }
        let mut narrow = self.narrowed(found.clone())?;
        self.end = until;
        if narrow.input != found.input && self.repeats(&mut narrow)? == Repeated::Yes {
            self.found = Some(narrow);
        }
        self.shrink()?;
        self.end = end;
        Ok(())
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

    /// Whether no input could be tried before the time was over.
    pub(crate) fn is_untried(&self) -> bool {
        self.tried == 0 && !self.has_time()
    }

    fn has_time(&self) -> bool {
        Instant::now() < self.end
    }

    /// The smallest of these inputs on which the program fails.
    fn fails(&self, inputs: &[Input]) -> anyhow::Result<Option<Found>> {
        Ok(self.failures(inputs)?.into_iter().next())
    }

    /// Those of these inputs on which the program fails, the smallest first.
    fn failures(&self, inputs: &[Input]) -> anyhow::Result<Vec<Found>> {
        let library = self.location.library.as_ref();
        let (folder, languages) = (
            &self.compared.problem().folder,
            &self.compared.problem().languages,
        );
        let cases = load_inputs(library, folder, languages, inputs);
        let cases = cases.map_err(|mistakes| drawn(&mistakes, self.terminal))?;
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
    ) -> anyhow::Result<Vec<(usize, Case, CaseResult)>> {
        let tried = self.compared.judge(&cases, self.end)?;
        let mut failed = Vec::new();
        for (index, (case, tried)) in cases.into_iter().zip(tried).enumerate() {
            let has_failed = tried.failure().is_some();
            match tried {
                Tried::Judged(result) if result.why_open().is_some() => {
                    // A large input may be too much for the reference.
                    *self.fault.borrow_mut() = result.message.map(|it| *it);
                }
                Tried::Judged(result) => {
                    if has_failed && self.compared.is_withheld(&case, self.withheld)? {
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
    ) -> anyhow::Result<()> {
        let is_known = self.problem_fault.borrow().is_some();
        if !is_known && !self.compared.is_withheld(case, self.withheld)? {
            self.problem_fault.replace(Some((fault, describe())));
        }
        Ok(())
    }

    /// Whether the program fails again and again.
    fn repeats(&self, found: &mut Found) -> anyhow::Result<Repeated> {
        // The judge ran the program again already if its time was near the limit.
        if found.result.verdict == Verdict::TimeLimit {
            return Ok(Repeated::Yes);
        }
        let end = self.end.max(Instant::now() + OVERTIME);
        // The reference may have run several times in one sandbox.
        let tried = self.compared.repeat(&found.case, REPETITIONS, end)?;
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
    fn shrink(&mut self) -> anyhow::Result<()> {
        let Some(found) = self.found.as_ref().filter(|it| it.case.validator.is_some()) else {
            return Ok(());
        };
        let (from, base) = (found.input.clone(), found.case.clone());
        let Ok(mut text) = String::from_utf8(self.compared.input(&base)?.to_vec()) else {
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

    /// How many inputs were tried.
    pub(crate) fn count(&self) -> usize {
        self.tried
    }

    /// The same as people read it: `29 of about 2 × 10⁷ inputs`.
    ///
    /// # Errors
    /// If none could be judged: the reason.
    pub(crate) fn tried(&self) -> Result<String, Failure> {
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
            return Err(Failure::mistake(fault.unwrap_or_else(none)));
        }
        let count = grouped(tried as u128);
        Ok(if tried as u128 == total {
            self.terminal.lang.pick(
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
            self.terminal.lang.pick(
                format!("{count} of {about}{total} inputs"),
                format!("{zh}{total} 个输入中的 {count} 个"),
            )
        })
    }

    /// Why an input says nothing about the program: a fault of the problem itself.
    pub(crate) fn problem_fault(&self) -> Option<Text> {
        let fault = self.problem_fault.borrow();
        let (fault, input) = fault.as_ref()?;
        let Text { en, zh } = &self.reference;
        Some(match fault {
            ProblemFault::Rejected => Text::new(
                format!("the checker rejects {en}'s answer on {input}"),
                format!("检查程序不接受{zh}在 {input} 上的答案"),
            ),
            ProblemFault::Unsteady => Text::new(
                format!("the checker rejects {en}'s answer on {input} when it runs again"),
                format!("{zh}在 {input} 上再次运行后，检查程序不接受它的答案"),
            ),
            ProblemFault::Generator => Text::new(
                format!("the generator prints another input for {input} when it runs again"),
                format!("生成程序对 {input} 再次运行时给出了不同的输入"),
            ),
            ProblemFault::Failed(why) => Text::new(
                format!("on {input}, {}", why.en),
                format!("在 {input} 上：{}", why.zh),
            ),
        })
    }

    /// What a case with the found input has.
    pub(crate) fn kept(&self) -> Option<Kept> {
        let found = self.found.as_ref()?;
        let text = String::from_utf8_lossy(&found.case.input);
        Some(Kept {
            variables: found.case.variables.clone(),
            input: found.is_shrunk.then(|| text.into_owned()),
        })
    }

    /// How the program fails on the input that was found. The case is named by its variables, or if its input was made smaller,
    /// by that.
    pub(crate) fn result(&self) -> Option<CaseResult> {
        let found = self.found.as_ref()?;
        Some(CaseResult {
            name: CaseName::new(self.name(found)),
            ..found.result.clone()
        })
    }

    fn name(&self, found: &Found) -> String {
        if found.is_shrunk {
            named(&String::from_utf8_lossy(&found.case.input))
        } else {
            self.space.describe(&found.input)
        }
    }

    /// The same as people read it, and from which input it was made, if it was made smaller.
    pub(crate) fn shown(&self) -> Option<(String, Option<String>)> {
        let found = self.found.as_ref()?;
        let made = found.is_shrunk.then(|| self.space.describe(&found.input));
        Some((draw::case(&self.result()?, &self.terminal.style()), made))
    }
}

/// A fault of a problem, for the author of a program.
pub(crate) fn innocent(Text { en, zh }: Text) -> Text {
    Text::new(
        format!("{en}: not a mistake of this program"),
        format!("{zh}：这不是被测程序的错误"),
    )
}

/// The name of an input that was made smaller.
fn named(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Excerpt::first(words.as_bytes(), MAX_NAME_BYTES).to_string()
}

/// Whether somebody asked to stop.
pub(crate) fn is_stop(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Fault::Stopped))
}

/// `18,300`.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `18,300`, or `2 × 10⁹` if it is large.
#[expect(clippy::cast_precision_loss, reason = "one digit is shown")]
fn rounded(number: u128) -> String {
    if number < ROUNDED {
        return grouped(number);
    }
    let text = format!("{:.0e}", number as f64);
    let (first, exponent) = text.split_once('e').unwrap_or_default();
    let digits = exponent.chars().filter_map(|it| it.to_digit(10));
    let power: String = digits
        .filter_map(|it| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(it as usize))
        .collect();
    match first {
        "1" => format!("10{power}"),
        _ => format!("{first} × 10{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_powers_of_ten() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (18_300, "18,300"),
            (999_999, "999,999"),
            (1_000_000, "10⁶"),
            (1_499_999, "10⁶"),
            (1_500_000, "2 × 10⁶"),
            (9_500_000, "10⁷"),
            (20_000_000, "2 × 10⁷"),
            (1_234_567_890_123, "10¹²"),
            (u128::MAX, "3 × 10³⁸"),
        ] {
            assert_eq!(rounded(number), expected);
        }
    }
}

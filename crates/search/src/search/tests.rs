use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use grader_judge::Fault;
use grader_language::Languages;
use grader_problem::{MemoryLibrary, load_problem};

use super::*;
use crate::Kept;

/// Numbers `a` and `b`, or a text that a validator checks.
pub(crate) fn library(search: &str) -> MemoryLibrary {
    let mut library = MemoryLibrary::default();
    let text = format!(
        "format = 1\nid = \"sum\"\ntitle = \"Sum\"\n[submission]\nfiles = [\"sum.*\"]\n[reference]\npath = \"sum.py\"\n\
         [limits]\ntime = \"1 s\"\n[checker.tokens]\n{search}\n\
         [[subtask]]\nname = \"all\"\npoints = 1\n[[subtask.case]]\nname = \"one\"\nstdin = \"1 2\"\n"
    );
    library.insert("sum/problem.toml", text);
    for program in ["sum.py", "gen.py", "valid.py"] {
        library.insert(format!("sum/{program}"), "print()\n");
    }
    library
}

/// Two numbers as words of the command line.
pub(crate) const NUMBERS: &str =
    "[search]\narguments = [\"{a}\", \"{b}\"]\ncases = { a = \"0..=20\", b = \"1..=20\" }\n";

/// A judge to whom these programs are a function of their input: the words of the command line, or standard input.
pub(crate) struct Fake<'a> {
    pub(crate) problem: Arc<Problem>,
    pub(crate) does: &'a dyn Fn(&str) -> Result<Tried, Fault>,
    /// Inputs of hidden cases.
    pub(crate) hidden: &'a [&'a str],
    /// What was tried.
    pub(crate) seen: RefCell<Vec<String>>,
}

fn text(case: &Case) -> String {
    match &*case.input {
        [] => case.arguments.join(" "),
        input => String::from_utf8_lossy(input).into_owned(),
    }
}

impl Tries for Fake<'_> {
    fn problem(&self) -> &Problem {
        &self.problem
    }

    fn judge(&self, cases: &[Case], _: Instant) -> Result<Vec<Tried>, Fault> {
        let texts = cases.iter().map(text);
        texts
            .map(|text| {
                let tried = (self.does)(&text);
                self.seen.borrow_mut().push(text);
                tried
            })
            .collect()
    }

    fn repeat(&self, case: &Case, _: usize, end: Instant) -> Result<Tried, Fault> {
        let tried = self.judge(std::slice::from_ref(case), end)?.pop();
        Ok(tried.unwrap_or(Tried::Late))
    }

    fn is_withheld(&self, case: &Case, _: Withheld) -> Result<bool, Fault> {
        Ok(self.hidden.contains(&&*text(case)))
    }

    fn input(&self, case: &Case) -> Result<Arc<[u8]>, Fault> {
        Ok(text(case).into_bytes().into())
    }
}

pub(crate) fn judged(verdict: Verdict) -> Tried {
    Tried::Judged(Box::new(CaseResult {
        verdict,
        ..CaseResult::default()
    }))
}

pub(crate) fn fails_if(is_wrong: bool) -> Tried {
    judged(if is_wrong {
        Verdict::WrongAnswer
    } else {
        Verdict::Accepted
    })
}

fn numbers(text: &str) -> Vec<u32> {
    let words = text.split_whitespace();
    words.map(|it| it.parse().unwrap_or(0)).collect()
}

/// What a search finds that has all the time it needs: how the input is called, what a case with it has, and how many were tried.
fn found(
    section: &str,
    hidden: &[&str],
    does: &dyn Fn(&str) -> Tried,
) -> (Option<String>, Option<Kept>, Result<String, Text>) {
    let library = library(section);
    let problem = load_problem(&library, "sum", &[], &Languages::built_in()).unwrap();
    let space = space(&problem, &library).unwrap();
    let fake = Fake {
        problem: Arc::new(problem),
        does: &|text| Ok(does(text)),
        hidden,
        seen: RefCell::default(),
    };
    let time = SearchTime::of(Duration::from_secs(3600));
    let mut search = Search::new(&space, 1, &fake, &library, time);
    while search.step().unwrap() {}
    let name = search.result().map(|it| it.name.to_string());
    (name, search.kept(), search.tried(Lang::En))
}

fn kept(variables: &[(&str, &str)], input: Option<&str>) -> Kept {
    let variables = variables.iter();
    let variables = variables.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Kept {
        variables: variables.collect(),
        input: input.map(str::to_owned),
    }
}

#[test]
fn some_inputs_on_which_others_fail_are_tried_at_a_time_and_each_counts_once() {
    let library = library(NUMBERS);
    let problem = load_problem(&library, "sum", &[], &Languages::built_in()).unwrap();
    let problem = Arc::new(problem);
    let space = space(&problem, &library).unwrap();
    let fake = |does| Fake {
        problem: Arc::clone(&problem),
        does,
        hidden: &[],
        seen: RefCell::default(),
    };
    let (wrong, right) = (
        fake(&|_| Ok(fails_if(true))),
        fake(&|_| Ok(fails_if(false))),
    );
    let time = || SearchTime::of(Duration::from_secs(3600));
    let others = Search::new(&space, 1, &wrong, &library, time());
    let inputs: Vec<_> = (0..20).map(|at| vec![at, at]).collect();
    let known = others.failures(&inputs).unwrap();
    let names: Vec<_> = wrong.seen.take();
    let mut search = Search::new(&space, 1, &right, &library, time()).hasty(1);
    search.known = known;
    assert!(search.step().unwrap());
    let seen = right.seen.borrow().clone();
    assert_eq!(seen[..MAX_KNOWN], names[..MAX_KNOWN]);
    assert_eq!((search.known.len(), search.count()), (4, seen.len()));
    assert_eq!(seen.len(), MAX_KNOWN + FIRST_BATCH);
    while search.step().unwrap() {}
    assert_eq!(search.tried(Lang::En).unwrap(), "all 420 inputs");
}

#[test]
fn the_smallest_numbers_on_which_a_program_fails_are_found() {
    let (name, case, _) = found(NUMBERS, &[], &|text| {
        let [a, b] = numbers(text)[..] else {
            unreachable!("{text}")
        };
        fails_if(a >= 7 && b >= 3)
    });
    assert_eq!(name.as_deref(), Some("a = 7, b = 3"));
    assert_eq!(case, Some(kept(&[("a", "7"), ("b", "3")], None)));
}

#[test]
fn a_right_program_is_tried_on_every_input_once() {
    let seen = RefCell::new(Vec::new());
    let (name, case, tried) = found(NUMBERS, &[], &|text| {
        seen.borrow_mut().push(text.to_owned());
        judged(Verdict::Accepted)
    });
    assert_eq!(
        (name, case, tried),
        (None, None, Ok("all 420 inputs".to_owned()))
    );
    let mut seen = seen.into_inner();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 420);
}

#[test]
fn a_hidden_input_is_never_found_and_neither_is_a_failure_that_does_not_repeat() {
    let is_wrong = |text: &str| fails_if(text == "0 1" || text == "2 5");
    let (name, ..) = found(NUMBERS, &["0 1"], &is_wrong);
    assert_eq!(name.as_deref(), Some("a = 2, b = 5"));
    let count = RefCell::new(0);
    let (name, _, tried) = found(NUMBERS, &[], &|text| {
        let mut count = count.borrow_mut();
        *count += usize::from(text == "3 4");
        fails_if(text == "3 4" && *count == 1)
    });
    assert_eq!((name, tried), (None, Ok("all 420 inputs".to_owned())));
}

#[test]
fn a_problem_that_is_at_fault_is_named_and_no_program() {
    let library = library(NUMBERS);
    let problem = load_problem(&library, "sum", &[], &Languages::built_in()).unwrap();
    let space = space(&problem, &library).unwrap();
    let fake = Fake {
        problem: Arc::new(problem),
        does: &|text| {
            Ok(match text {
                "1 1" => Tried::Fault(ProblemFault::Rejected),
                _ => judged(Verdict::Accepted),
            })
        },
        hidden: &[],
        seen: RefCell::default(),
    };
    let time = SearchTime::of(Duration::from_secs(3600));
    let mut search = Search::new(&space, 1, &fake, &library, time);
    while search.step().unwrap() {}
    let fault = search.problem_fault().map(|it| it.en);
    let sentence = "the checker rejects the reference's answer on a = 1, b = 1";
    assert_eq!(
        (search.has_found(), fault.as_deref()),
        (false, Some(sentence))
    );
    assert_eq!(search.tried(Lang::En), Ok("419 of 420 inputs".to_owned()));
}

#[test]
fn the_text_of_an_input_shrinks_as_long_as_it_is_valid_and_the_program_fails() {
    let section = "[validator]\nsource = \"valid.py\"\n[search]\nstdin = \"{n} 9 4 9\\n\"\ncases = { n = \"1..=9\" }\n";
    let (name, case, _) = found(section, &[], &|text| {
        if numbers(text).is_empty() {
            return Tried::Invalid;
        }
        fails_if(numbers(text).contains(&4))
    });
    assert_eq!(name.as_deref(), Some("4"));
    assert_eq!(case.and_then(|it| it.input).as_deref(), Some("4\n"));
}

#[test]
fn a_problem_without_variables_has_no_inputs() {
    let refused = |section: &str| {
        let library = library(section);
        let problem = load_problem(&library, "sum", &[], &Languages::built_in()).unwrap();
        space(&problem, &library).map(drop).unwrap_err().to_string()
    };
    assert_eq!(
        refused(""),
        "the cases of `sum` have no variables from which to make inputs: add a `[search]` to its `problem.toml`"
    );
}

#[test]
fn telling_inputs_come_early() {
    let shown = |cases: &str, is_hasty: bool, count: usize| {
        let section = format!("[search]\nstdin = \"x\"\ncases = {{ {cases} }}\n");
        let library = library(&section);
        let problem = load_problem(&library, "sum", &[], &Languages::built_in()).unwrap();
        let space = space(&problem, &library).unwrap();
        let places: Vec<_> = space.notable().collect();
        let inputs = Inputs::new(space.counts().collect(), 1);
        let mut inputs = if is_hasty {
            inputs.spread(&places)
        } else {
            inputs.with_telling(&places)
        };
        let inputs = inputs.next(count);
        let values = inputs
            .iter()
            .map(|it| space.describe(it).replace("a = ", ""));
        values.collect::<Vec<_>>().join("; ")
    };
    // Few inputs are all tried, the smallest first, if there is time.
    assert_eq!(shown("a = \"1..=200\"", false, 5), "1; 2; 3; 4; 5");
    let every_second = |text: String| {
        let all: Vec<_> = text.split("; ").step_by(2).map(str::to_owned).collect();
        all.join("; ")
    };
    assert_eq!(
        every_second(shown("a = \"1..=200\"", true, 20)),
        "1; 200; 199; 10; 9; 11; 100; 99; 101; 8"
    );
    assert_eq!(
        every_second(shown("a = \"-2000000000..=2000000000\"", false, 30)),
        "0; 2000000000; -2000000000; 1; -1; 1999999999; -1999999999; 10; -10; 9; -9; 11; -11; 100; -100"
    );
    assert_eq!(
        every_second(shown("a = \"1..=999\", seed = \"1..=900\"", false, 18)),
        "1, seed = 1; 999, seed = 2; 999, seed = 1; 1, seed = 2; 998, seed = 3; 998, seed = 1; 1, seed = 3; 2, seed = 1; 10, seed = 2"
    );
}

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

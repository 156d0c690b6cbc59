//! The accepted programs of a class on inputs outside the cases.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::time::{Duration, Instant};

use grader_intake::Submission;
use grader_judge::Judge;
use grader_model::{
    CaseResult, ProblemId, SimilarGroup, SourceFile, Standing, StudentId, StudentResult, WhyOpen,
};
use grader_problem::{Entry, Library, SearchSpace};
use grader_view::{AuditOutcome, AuditedProblem, AuditedProgram, FoundInput, is_right};

use crate::search::Found;
use crate::{Search, SearchError, SearchTime, Tries};

/// Inputs of a turn: so many answers of the reference are made together.
const BATCH: usize = 16;
/// How long an input is made smaller at most: the other programs wait.
const PATIENCE: Duration = Duration::from_secs(2);
/// So many inputs on which other programs fail are tried first.
const MAX_KILLERS: usize = 64;
/// So many programs for each worker are built together.
const BUILDS_PER_WORKER: usize = 2;

/// A problem, and where its inputs come from.
pub struct SearchedProblem<'a> {
    /// The problem.
    pub entry: &'a Entry,
    /// Where its inputs come from.
    pub space: SearchSpace,
    /// Whether it is still as the class was graded by. If not, an earlier audit may have been right with another reference.
    pub is_as_graded: bool,
}

/// An accepted program.
pub struct AcceptedProgram<'a> {
    /// What is known about it before the search.
    known: AuditedProgram,
    of: &'a SearchedProblem<'a>,
    /// The problem, with the values of the student.
    entry: Entry,
    submission: Submission,
    /// Whether an earlier one has the same tokens.
    is_twin: bool,
}

impl AcceptedProgram<'_> {
    /// Its files.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn sources(&self) -> io::Result<Cow<'_, [SourceFile]>> {
        self.submission.sources()
    }
}

/// The accepted programs of a class for these problems, each once; those with the tokens of another are tried
/// late. `sources` finds the files of a student for a problem. What an earlier audit found with the same version of the problem is known,
/// without the values of the variables.
///
/// # Errors
/// The first one of `sources`.
pub fn accepted<'a, E>(
    students: &[StudentResult],
    similar: &[SimilarGroup],
    problems: &'a [SearchedProblem<'a>],
    sources: impl Fn(&StudentResult, &ProblemId) -> Result<Vec<SourceFile>, E>,
) -> Result<Vec<AcceptedProgram<'a>>, E> {
    let mut programs: Vec<AcceptedProgram<'a>> = Vec::new();
    for of in problems {
        let id = &of.entry.problem.id;
        let (mut known, mut seen) = (BTreeMap::new(), BTreeSet::new());
        let groups = similar.iter().enumerate();
        let groups = groups.filter(|(_, it)| it.problem == *id);
        let groups: BTreeMap<&StudentId, usize> = groups
            .flat_map(|(at, it)| it.students.iter().map(move |student| (student, at)))
            .collect();
        for student in students {
            let found = student.problem(id);
            let accepted = found.filter(|it| {
                let standing = it.standing();
                let is_by_hand = matches!(standing, Standing::Open(WhyOpen::ByHand(_)));
                is_right(it) && (is_by_hand || matches!(standing, Standing::Scored(_)))
            });
            let Some((result, name)) = accepted.and_then(|it| Some((it, it.submission.as_ref()?)))
            else {
                continue;
            };
            let owner = student.team.as_deref().unwrap_or(student.id.as_str());
            let name_and_owner = (name, of.entry.problem.needs_student().then_some(owner));
            if let Some(at) = known.get(&name_and_owner) {
                let same: &mut AcceptedProgram<'_> = &mut programs[*at];
                same.known.students.push(student.id.clone());
                continue;
            }
            let sources = sources(student, id)?;
            if sources.is_empty() {
                continue;
            }
            known.insert(name_and_owner, programs.len());
            let group = groups.get(&student.id);
            let found = result.counterexample.as_ref();
            let found = found
                .filter(|_| of.is_as_graded && !of.entry.problem.needs_student())
                .map(|case| FoundInput {
                    case: CaseResult::clone(case),
                    variables: BTreeMap::new(),
                    input: None,
                });
            programs.push(AcceptedProgram {
                known: AuditedProgram {
                    problem: id.clone(),
                    students: vec![student.id.clone()],
                    files: result.files.clone(),
                    submission: name.clone(),
                    outcome: if found.is_some() {
                        AuditOutcome::Wrong
                    } else {
                        AuditOutcome::NotFinished
                    },
                    inputs: None,
                    found,
                    unconfirmed: None,
                },
                of,
                entry: of.entry.for_student(owner),
                is_twin: group.is_some_and(|group| !seen.insert(*group)),
                submission: Submission::in_memory(sources, result.files.clone(), result.language),
            });
        }
    }
    Ok(programs)
}

/// What earlier audits of a class did for a problem.
#[derive(Clone, Debug, Default)]
pub struct EarlierAudits {
    /// How many there were: each tries other inputs, if they are drawn at random.
    pub count: u64,
    /// Names of the submissions that were tried: others come first.
    pub tried: BTreeSet<String>,
}

/// How a class is searched.
#[derive(Clone, Copy)]
pub struct ClassPlan<'a> {
    /// For the order of the inputs, if they are drawn at random. `None` for another in each audit.
    pub seed: Option<u64>,
    /// How long it takes, builds included.
    pub time: Duration,
    /// Whether programs that an earlier audit found are tried again, before the others.
    pub again: bool,
    /// What earlier audits did for each problem.
    pub earlier: &'a BTreeMap<ProblemId, EarlierAudits>,
    /// The files of the problems.
    pub library: &'a dyn Library,
}

impl ClassPlan<'_> {
    /// Whether an earlier audit tried a program.
    fn was_tried(&self, program: &AcceptedProgram<'_>) -> bool {
        let earlier = self.earlier.get(&program.known.problem);
        earlier.is_some_and(|it| it.tried.contains(&program.known.submission))
    }

    /// The seed of this audit for a problem.
    fn seed(&self, problem: &ProblemId) -> u64 {
        let count = self.earlier.get(problem).map_or(0, |it| it.count);
        self.seed.unwrap_or(count.wrapping_add(1))
    }
}

/// Builds the programs at these places; those that do not build are `None`.
type Builder<'a, T> = &'a dyn Fn(&[usize]) -> Result<Vec<Option<T>>, SearchError>;

/// Called with a program as soon as it is found wrong, and with all programs.
type Show<'a> = &'a mut dyn FnMut(&AuditedProgram, &[AuditedProgram]) -> io::Result<()>;

/// A search for accepted programs that are wrong.
pub struct ClassAudit<'a> {
    programs: &'a [AcceptedProgram<'a>],
    /// What is known about each of the programs.
    pub found: Vec<AuditedProgram>,
    /// What is wrong with problems themselves, in the order of their names.
    pub faults: Vec<AuditedProblem>,
    /// The places of programs of which more time would have told more.
    pub late: BTreeSet<usize>,
}

impl<'a> ClassAudit<'a> {
    /// Nothing is searched yet.
    pub fn new(programs: &'a [AcceptedProgram<'a>]) -> Self {
        Self {
            programs,
            found: programs.iter().map(|it| it.known.clone()).collect(),
            faults: Vec::new(),
            late: BTreeSet::new(),
        }
    }

    /// Lets the programs take turns until none has anything left to try or the time is over. A program is built before its first
    /// turn. The first turns are one of each problem, then the next one of each; only then does a program have a second one.
    ///
    /// # Errors
    /// Our own failure, one of `show`, or a request to stop. What was found before remains found.
    pub fn run(
        &mut self,
        judge: &Judge,
        plan: ClassPlan<'_>,
        show: Show<'_>,
    ) -> Result<(), SearchError> {
        let programs = self.programs;
        let build = |some: &[usize]| {
            let some = some.iter().map(|at| &programs[*at]);
            let some: Vec<_> = some.map(|it| (&it.entry, &it.submission)).collect();
            Ok(judge.compare_all(&some)?)
        };
        let together = judge.workers() * BUILDS_PER_WORKER;
        self.take_turns(&build, together, plan, show)
    }

    /// The same with programs from this builder, so many at a time.
    fn take_turns<T: Tries>(
        &mut self,
        builder: Builder<'_, T>,
        together: usize,
        plan: ClassPlan<'_>,
        show: Show<'_>,
    ) -> Result<(), SearchError> {
        let until = Instant::now() + plan.time;
        let programs = self.programs;
        let built: Vec<OnceCell<T>> = programs.iter().map(|_| OnceCell::new()).collect();
        let mut killers: BTreeMap<&ProblemId, Vec<Found>> = BTreeMap::new();
        let (mut waiting, mut ready) = (self.first_turns(plan), VecDeque::new());
        self.show_known(plan, &mut *show)?;
        let mut left: BTreeMap<usize, Search<'_>> = BTreeMap::new();
        let mut shares = Shares::of(programs.iter().map(|it| &it.known.problem));
        let mut ended = Ok(());
        while Instant::now() < until {
            if ready.is_empty() && !waiting.is_empty() {
                let some: Vec<_> = waiting.iter().copied().take(together).collect();
                let made = match builder(&some) {
                    Ok(made) => made,
                    Err(error) => {
                        ended = Err(error);
                        break;
                    }
                };
                waiting.drain(..some.len());
                for (at, made) in some.iter().zip(made) {
                    match made {
                        Some(made) => ready.push_back((*at, built[*at].get_or_init(|| made))),
                        None => self.found[*at].outcome = AuditOutcome::NotTried,
                    }
                }
                continue;
            }
            let has_killers = |at: &usize| left.get(at).is_some_and(|it| !it.known.is_empty());
            let eager = left.keys().copied().filter(has_killers);
            let next = shares.least(eager).or(shares.least(left.keys().copied()));
            let (at, mut search) = if let Some((at, built)) = ready.pop_front() {
                let program = &programs[at];
                let time = SearchTime {
                    until,
                    patience: PATIENCE,
                };
                let space = &program.of.space;
                let seed = plan.seed(&program.known.problem);
                let search = Search::new(space, seed, built, plan.library, time);
                let mut search = search.hasty(seed);
                search.batch = BATCH;
                search.known = killers
                    .get(&program.known.problem)
                    .cloned()
                    .unwrap_or_default();
                (at, search)
            } else if let Some(next) = next.and_then(|at| left.remove_entry(&at)) {
                next
            } else {
                break;
            };
            let others = waiting.len() + ready.len() + left.len();
            search.patience = patience(until, others);
            let began = Instant::now();
            let stepped = search.step();
            shares.add(at, began.elapsed());
            match stepped {
                Ok(false) => self.end_of(at, &search, &mut *show)?,
                Ok(true) => {
                    left.insert(at, search);
                    continue;
                }
                Err(error) => {
                    left.insert(at, search);
                    ended = Err(error);
                    break;
                }
            }
            // The inputs of a student's own task say nothing about others.
            let is_for_all = !programs[at].of.entry.problem.needs_student();
            if let Some(found) = search.found.take().filter(|_| is_for_all) {
                let problem = &programs[at].known.problem;
                let of_problem = killers.entry(problem).or_default();
                let is_new = |it: &Found| it.case.name != found.case.name;
                if of_problem.iter().all(is_new) && of_problem.len() < MAX_KILLERS {
                    of_problem.push(found.clone());
                    let others = left.iter_mut();
                    for (_, other) in
                        others.filter(|(at, _)| programs[**at].known.problem == *problem)
                    {
                        other.known.push(found.clone());
                    }
                }
            }
        }
        let others = waiting.into_iter().chain(ready.into_iter().map(|it| it.0));
        self.end_of_rest(left, others, ended.is_err(), show)?;
        ended
    }

    /// The order of the first turns: one program of each problem, then the next of each. Those that an earlier audit tried come later,
    /// and before them those with the tokens of an earlier one.
    fn first_turns(&self, plan: ClassPlan<'_>) -> VecDeque<usize> {
        let mut ranks: BTreeMap<_, usize> = BTreeMap::new();
        let programs = self.programs.iter().enumerate();
        let programs = programs.filter(|(_, it)| plan.again || it.known.found.is_none());
        let order = programs.map(|(at, it)| {
            let class = (it.known.found.is_none(), plan.was_tried(it), it.is_twin);
            let rank = ranks.entry((class, &it.known.problem)).or_default();
            *rank += 1;
            (class, *rank, at)
        });
        let mut order: Vec<_> = order.collect();
        order.sort_unstable();
        order.into_iter().map(|(.., at)| at).collect()
    }

    /// Shows what an earlier audit found, unless it is tried again.
    fn show_known(&self, plan: ClassPlan<'_>, show: Show<'_>) -> Result<(), SearchError> {
        let known = self
            .found
            .iter()
            .filter(|it| !plan.again && it.found.is_some());
        for program in known {
            show(program, &self.found)?;
        }
        Ok(())
    }

    /// Keeps what is known of programs that are left, and of those without a turn: the time is over, or the audit is stopped.
    fn end_of_rest(
        &mut self,
        left: BTreeMap<usize, Search<'_>>,
        others: impl Iterator<Item = usize>,
        is_stopped: bool,
        show: Show<'_>,
    ) -> Result<(), SearchError> {
        for (at, search) in left {
            if !is_stopped || search.has_result() || self.found[at].found.is_some() {
                self.end_of(at, &search, &mut *show)?;
            }
        }
        for at in others {
            if !is_stopped {
                self.late.insert(at);
            }
            if self.found[at].found.is_some() {
                show(&self.found[at], &self.found)?;
            } else if !is_stopped {
                self.found[at].outcome = AuditOutcome::NotTried;
            }
        }
        Ok(())
    }

    /// Keeps what the search of a program found, and shows it if the program is wrong.
    fn end_of(
        &mut self,
        at: usize,
        search: &Search<'_>,
        show: Show<'_>,
    ) -> Result<(), SearchError> {
        let program = &mut self.found[at];
        if let Some(message) = search.problem_fault() {
            let problem = program.problem.clone();
            let place = self.faults.binary_search_by(|it| it.problem.cmp(&problem));
            // The first is kept.
            if let Err(at) = place {
                self.faults.insert(at, AuditedProblem { problem, message });
            }
        }
        // What an earlier audit found stays: a search need not find it again.
        program.found = search.found_input().or(program.found.take());
        program.outcome = if program.found.is_some() {
            AuditOutcome::Wrong
        } else if search.unconfirmed.is_some() {
            self.late.insert(at);
            program.unconfirmed.clone_from(&search.unconfirmed);
            AuditOutcome::InDoubt
        } else if search.count() == 0 {
            if search.is_untried() {
                self.late.insert(at);
            }
            AuditOutcome::NotTried
        } else {
            program.inputs = Some(search.count());
            AuditOutcome::Right
        };
        if program.found.is_some() {
            show(&self.found[at], &self.found)?;
        }
        Ok(())
    }
}

/// How long an input is made smaller while so many others wait.
fn patience(until: Instant, others: usize) -> Duration {
    let left = until.saturating_duration_since(Instant::now());
    PATIENCE.min(left / u32::try_from(others + 1).unwrap_or(u32::MAX))
}

/// Who had how much time.
struct Shares<'a> {
    programs: Vec<Share<'a>>,
    problems: BTreeMap<&'a ProblemId, Duration>,
}

/// The time that a program had.
struct Share<'a> {
    problem: &'a ProblemId,
    time: Duration,
}

impl<'a> Shares<'a> {
    /// Nobody had any; these are the problems of the programs.
    fn of(problems: impl Iterator<Item = &'a ProblemId>) -> Self {
        let time = Duration::ZERO;
        Self {
            programs: problems.map(|problem| Share { problem, time }).collect(),
            problems: BTreeMap::new(),
        }
    }

    /// Which of these programs is the next: always the one that had the least time so far, of the problem that had the least. Quick
    /// programs are tried on more inputs, and slow ones keep nobody waiting.
    fn least(&self, waiting: impl Iterator<Item = usize>) -> Option<usize> {
        waiting.min_by_key(|at| {
            let Share { problem, time } = &self.programs[*at];
            (
                self.problems.get(problem).copied().unwrap_or_default(),
                *time,
            )
        })
    }

    fn add(&mut self, at: usize, time: Duration) {
        let program = &mut self.programs[at];
        program.time += time;
        *self.problems.entry(program.problem).or_default() += time;
    }
}

#[cfg(test)]
mod tests;

//! The accepted programs of a class on inputs outside the cases.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use grader_intake::Submission;
use grader_judge::Judge;
use grader_model::{ProblemId, SourceFile, Standing, StudentResult, WhyOpen};
use grader_problem::{Entry, Library, SearchSpace};
use grader_view::{AuditOutcome, AuditedProblem, AuditedProgram, is_right};

use crate::{Search, SearchError, SearchTime, Tries};

/// Inputs of a turn: so many answers of the reference are made together.
const BATCH: usize = 16;
/// How long an input is made smaller: the other programs wait.
const PATIENCE: Duration = Duration::from_secs(2);

/// A problem, and where its inputs come from.
pub struct SearchedProblem<'a> {
    /// The problem.
    pub entry: &'a Entry,
    /// Where its inputs come from.
    pub space: SearchSpace,
}

/// An accepted program.
pub struct AcceptedProgram<'a> {
    /// What is known about it before the search.
    known: AuditedProgram,
    of: &'a SearchedProblem<'a>,
    submission: Submission,
}

/// The accepted programs of a class for these problems, each once. `sources` finds the files of a student for a problem.
///
/// # Errors
/// The first one of `sources`.
pub fn accepted<'a, E>(
    students: &[StudentResult],
    problems: &'a [SearchedProblem<'a>],
    sources: impl Fn(&StudentResult, &ProblemId) -> Result<Vec<SourceFile>, E>,
) -> Result<Vec<AcceptedProgram<'a>>, E> {
    let mut programs: Vec<AcceptedProgram<'a>> = Vec::new();
    for of in problems {
        let id = &of.entry.problem.id;
        let mut known = BTreeMap::new();
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
            if let Some(at) = known.get(name) {
                let same: &mut AcceptedProgram<'_> = &mut programs[*at];
                same.known.students.push(student.id.clone());
                continue;
            }
            let sources = sources(student, id)?;
            if sources.is_empty() {
                continue;
            }
            known.insert(name, programs.len());
            programs.push(AcceptedProgram {
                known: AuditedProgram {
                    problem: id.clone(),
                    students: vec![student.id.clone()],
                    files: result.files.clone(),
                    submission: name.clone(),
                    outcome: AuditOutcome::NotFinished,
                    inputs: None,
                    found: None,
                    unconfirmed: None,
                },
                of,
                submission: Submission::in_memory(sources, result.files.clone(), result.language),
            });
        }
    }
    Ok(programs)
}

/// How a class is searched.
#[derive(Clone, Copy)]
pub struct ClassPlan<'a> {
    /// For the order of the inputs, if they are drawn at random.
    pub seed: u64,
    /// How long all programs are searched; builds do not count.
    pub time: Duration,
    /// The files of the problems.
    pub library: &'a dyn Library,
}

/// Called with a program as soon as it is found wrong, and with all programs.
type Show<'a> = &'a mut dyn FnMut(&AuditedProgram, &[AuditedProgram]) -> io::Result<()>;

/// A search for accepted programs that are wrong.
pub struct ClassAudit<'a> {
    programs: &'a [AcceptedProgram<'a>],
    /// What is known about each of the programs.
    pub found: Vec<AuditedProgram>,
    /// What is wrong with problems themselves, in the order of their names.
    pub faults: Vec<AuditedProblem>,
    /// Whether more time would have told more.
    pub is_late: bool,
}

impl<'a> ClassAudit<'a> {
    /// Nothing is searched yet.
    pub fn new(programs: &'a [AcceptedProgram<'a>]) -> Self {
        Self {
            programs,
            found: programs.iter().map(|it| it.known.clone()).collect(),
            faults: Vec::new(),
            is_late: false,
        }
    }

    /// Builds the programs, and lets them take turns until none has anything left to try or the time is over.
    ///
    /// # Errors
    /// Our own failure, one of `show`, or a request to stop. What was found before remains found.
    pub fn run(
        &mut self,
        judge: &Judge,
        plan: ClassPlan<'_>,
        show: Show<'_>,
    ) -> Result<(), SearchError> {
        let programs = self.programs.iter();
        let programs: Vec<_> = programs.map(|it| (it.of.entry, &it.submission)).collect();
        self.take_turns(&judge.compare_all(&programs)?, plan, show)
    }

    /// The same for programs that are built; those that do not build are `None`.
    fn take_turns<T: Tries>(
        &mut self,
        built: &[Option<T>],
        plan: ClassPlan<'_>,
        show: Show<'_>,
    ) -> Result<(), SearchError> {
        // Builds may take long, and until now no input was tried.
        let time = SearchTime {
            until: Instant::now() + plan.time,
            patience: PATIENCE,
        };
        let programs = self.programs;
        let mut left = BTreeMap::new();
        for (at, (program, built)) in programs.iter().zip(built).enumerate() {
            let Some(built) = built else {
                self.found[at].outcome = AuditOutcome::NotTried;
                continue;
            };
            let mut search = Search::new(&program.of.space, plan.seed, built, plan.library, time);
            search.batch = BATCH;
            left.insert(at, search);
        }
        let mut shares = Shares::of(programs.iter().map(|it| &it.known.problem));
        while let Some(at) = shares.least(left.keys().copied()) {
            let Some(search) = left.get_mut(&at) else {
                break;
            };
            let began = Instant::now();
            let has_more = search.step()?;
            shares.add(at, began.elapsed());
            if !has_more {
                self.end_of(at, search, &mut *show)?;
                left.remove(&at);
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
        program.found = search.found_input();
        program.outcome = if program.found.is_some() {
            AuditOutcome::Wrong
        } else if search.unconfirmed.is_some() {
            self.is_late = true;
            program.unconfirmed.clone_from(&search.unconfirmed);
            AuditOutcome::InDoubt
        } else if search.count() == 0 {
            self.is_late |= search.is_untried();
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

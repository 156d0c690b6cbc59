//! Who may see what. This is the only place that decides it.

use std::{fmt, io, slice};

use grader_model::{
    CaseName, CaseResult, FaultCause, GrowthVerdict, Host, Isolation, LimitOrigin, ProblemResult,
    Results, Status, StudentResult, SubtaskResult, Text, Verdict,
};

/// Who reads a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The student that it is about.
    Student,
    /// Those who grade.
    Staff,
}

/// The results as their readers may see them.
#[derive(Debug)]
pub enum Visible<'a> {
    /// Staff sees everything.
    Staff(&'a Results),
    /// A student sees the own results.
    Student(Own),
}

impl<'a> Visible<'a> {
    /// The results as this audience may see them.
    ///
    /// # Errors
    /// If a student would see the results of nobody or of several.
    pub fn of(results: &'a Results, audience: Audience) -> Result<Self, NotOne> {
        match audience {
            Audience::Staff => Ok(Self::Staff(results)),
            Audience::Student => Own::only(results).map(Self::Student),
        }
    }

    /// The results themselves, for formats that write them as they are.
    pub const fn results(&self) -> &Results {
        match self {
            Self::Staff(results) => results,
            Self::Student(own) => &own.0,
        }
    }
}

/// The results of one student, as this student may see them:
///
/// | field | student |
/// |---|---|
/// | `assignment`, `class`, `interrupted` | yes, but: |
/// | `version` of its problems | no: a guess at what is hidden could be tried against the hash |
/// | `shards`, `host.cpu`, `host.kernel`, `isolation.layers`, `isolation.missing` | no |
/// | `host.cores`, `host.toolchains`, `isolation.level` | yes |
/// | a student's points, bonus, unused files | yes: their own |
/// | a problem's points, verdict, message, hints, language, files, build, time of submission, adjustments, remarks of tools | yes |
/// | the flags of its build | no: they are not the student's |
/// | messages of the compiler about included files | no: they quote hidden tests |
/// | what the fault of a problem comes from, `fault` | yes: a word |
/// | the message of a judge error, of a problem or a case | no: it quotes our files and hidden cases; only that it is one |
/// | its counterexample | as a case that is not hidden, if the program was not accepted |
/// | a problem's `flags` | no |
/// | `run`, a problem's `origin` | no: when and how the class was graded |
/// | a student's `person`, `notes`, `comments` | yes: their own |
/// | a student's `objection` | yes: their own, once it has an answer |
/// | a student's `remarks` | no: they may name other students |
/// | `similar` | no: it names other students |
/// | `reference_times` | no: they include hidden cases |
/// | the rubric of a subtask that is graded by hand, what was given | yes |
/// | a subtask's name, points, verdict, until when it is hidden | yes |
/// | message and growth of a subtask that is not hidden | yes, but not why a check failed |
/// | growth of a hidden subtask | no: a program could signal the input by its exponent |
/// | its message | no: it quotes the growth; only that the time grows too fast, if nothing else explains the verdict |
/// | files beside the students' folders | no: they may be anybody's |
/// | evidence that is for staff only | no: a checker may quote the answer in it |
/// | a case of a subtask that is not hidden | all else of it, but not where its limit came from if that names a hidden case |
/// | verdict of a case of a hidden subtask | yes |
/// | its name | no: `#1`, `#2`, … in order |
/// | its message, evidence, hints, standard error, input, command | no: they are or quote the hidden input |
/// | its outcome, limits and where they came from, reference time, near-limit mark, runs alone | no: a program could signal the input by them |
/// | its attempts, share, whether it was skipped | no: a program could signal the input by how often it fails or how long it takes |
#[derive(Debug)]
pub struct Own(Box<Results>);

impl Own {
    /// What this student of a class may see.
    pub fn of(results: &Results, student: &StudentResult) -> Self {
        Self(Box::new(student_view(results, slice::from_ref(student))))
    }

    /// What the only student of these results may see.
    ///
    /// # Errors
    /// If there is none or several.
    pub fn only(results: &Results) -> Result<Self, NotOne> {
        match results.students.as_slice() {
            [student] => Ok(Self::of(results, student)),
            students => Err(NotOne(students.len())),
        }
    }

    /// The same for a person who judged the own work: see [`problem_judged_here`].
    ///
    /// # Errors
    /// If there is no student or there are several.
    pub fn judged_here(results: &Results) -> Result<Self, NotOne> {
        let mut own = Self::only(results)?;
        for (student, judged) in own.0.students.iter_mut().zip(&results.students) {
            let judged = judged.problems.iter();
            student.problems = judged.map(problem_judged_here).collect();
        }
        Ok(own)
    }

    pub(crate) const fn results(&self) -> &Results {
        &self.0
    }
}

/// The number of students in a report that must be about exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotOne(pub usize);

impl fmt::Display for NotOne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this format is about exactly one student, found {}",
            self.0
        )
    }
}

impl std::error::Error for NotOne {}

impl From<NotOne> for io::Error {
    fn from(error: NotOne) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}

/// These students of a class, as students may see them.
fn student_view(results: &Results, students: &[StudentResult]) -> Results {
    let mut assignment = results.assignment.clone();
    for problem in &mut assignment.problems {
        problem.version.clear();
    }
    Results {
        format: results.format,
        run: None,
        class: results.class.clone(),
        assignment,
        host: Host {
            cpu: String::new(),
            kernel: String::new(),
            cores: results.host.cores,
            toolchains: results.host.toolchains.clone(),
        },
        shards: Vec::new(),
        isolation: Isolation {
            level: results.isolation.level,
            layers: Vec::new(),
            missing: Vec::new(),
        },
        students: students.iter().map(reduced).collect(),
        unused: Vec::new(),
        similar: Vec::new(),
        reference_times: Vec::new(),
        interrupted: results.interrupted,
    }
}

fn reduced(student: &StudentResult) -> StudentResult {
    let mut student = student.clone();
    student.remarks.clear();
    student.objection = student.objection.filter(|it| it.answer.is_some());
    student.problems = student.problems.iter().map(reduced_problem).collect();
    student
}

/// A problem as the student who judged it may see it: messages about all of it stay, and those about checks, because they may be
/// about the machine, which that person can put right.
pub fn problem_judged_here(judged: &ProblemResult) -> ProblemResult {
    let mut problem = reduced_problem(judged);
    problem.message.clone_from(&judged.message);
    let subtasks = problem.subtasks.iter_mut().zip(&judged.subtasks);
    for (subtask, judged) in subtasks.filter(|(it, _)| it.check.is_some()) {
        subtask.message.clone_from(&judged.message);
    }
    problem
}

/// A problem as the student who submitted it may see it.
pub fn reduced_problem(problem: &ProblemResult) -> ProblemResult {
    let mut problem = problem.clone();
    problem.flags.clear();
    problem.origin = None;
    problem.behaviour = None;
    problem.former_behaviours.clear();
    let counterexample = problem.counterexample.take();
    let counterexample = counterexample.filter(|_| problem.verdict != Verdict::Accepted);
    problem.counterexample = counterexample.map(|it| Box::new(reduced_case(&it, false, 0)));
    if let Some(build) = &mut problem.build {
        let flags = build.toolchain.find(" -");
        build
            .toolchain
            .truncate(flags.unwrap_or(build.toolchain.len()));
        if let Some(own) = build.for_student.take() {
            build.messages = own.messages;
        }
    }
    let unjudged = why_unjudged(&problem);
    if problem.verdict == Verdict::JudgeError && problem.message.is_some() {
        problem.message = Some(unjudged.clone());
    }
    for subtask in &mut problem.subtasks {
        if subtask.hidden {
            subtask.message = unexplained_growth(subtask);
            subtask.growth = None;
        }
        if subtask.check.is_some() && subtask.verdict == Verdict::JudgeError {
            subtask.message = Some(unjudged.clone());
        }
        let hidden = subtask.hidden;
        for (index, case) in subtask.cases_mut().iter_mut().enumerate() {
            *case = reduced_case(case, hidden, index);
            if case.verdict == Verdict::JudgeError && !hidden {
                case.message = Some(Box::new(unjudged.clone()));
            }
        }
    }
    problem
}

/// The case at `index` of its subtask as a student may see it: of a hidden one the verdict, of others all but what is for
/// staff only and what tells of a hidden case that the limit follows.
pub fn reduced_case(case: &CaseResult, hidden: bool, index: usize) -> CaseResult {
    if hidden {
        let name = CaseName::new(format!("#{}", index + 1));
        return CaseResult {
            message: None,
            ..CaseResult::unrun(name, case.verdict, Text::default())
        };
    }
    let mut case = case.clone();
    case.evidence.retain(|evidence| !evidence.staff_only);
    let origin = case.limit_origin.as_deref();
    if origin.is_some_and(LimitOrigin::tells_of_a_hidden_case) {
        case.limit_origin = None;
        if let Some(confirmation) = &mut case.confirmation {
            confirmation.reference_times.clear();
        }
    }
    case
}

/// What a student learns of a problem that could not be judged. Points may have been entered by hand since.
fn why_unjudged(problem: &ProblemResult) -> Text {
    let is_unread = problem.status == Status::Fault(FaultCause::Unreadable);
    match (is_unread, problem.standing().is_open()) {
        (true, true) => Text::new(
            "a person has to look at what was submitted; not scored yet",
            "提交的内容需要人工查看；尚未评分",
        ),
        (true, false) => Text::new("graded by a person", "由人工评分"),
        (false, true) => Text::new(
            "grading failed: not your program's fault, and not scored yet",
            "评测故障：不是你的程序的错；尚未评分",
        ),
        (false, false) => Text::new(
            "grading failed: not your program's fault",
            "评测故障：不是你的程序的错",
        ),
    }
}

/// That the time grows too fast, where nothing else could have failed the subtask: its verdict tells as much.
fn unexplained_growth(subtask: &SubtaskResult) -> Option<Text> {
    let growth = subtask.growth.as_ref()?;
    let passed = |case: &CaseResult| matches!(case.verdict, Verdict::Accepted | Verdict::Skipped);
    let only_reason = growth.verdict == GrowthVerdict::TooFast
        && subtask.verdict != Verdict::Accepted
        && subtask.cases.iter().all(passed);
    only_reason.then(|| Text::new("its time grows too fast", "运行时间增长过快"))
}

#[cfg(test)]
mod tests;

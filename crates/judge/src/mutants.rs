//! Submitted tests, which have to find wrong programs.
//!
//! Only tests count that a right program passes. Inputs are read by the author's programs alone: the validator, the reference and the
//! wrong program. Unit tests are the student's code: they are built and run with the right files and with the wrong ones, and, if one
//! fails, once more with the right ones. So a test finds nothing by failing later than at first, and seldom by failing at random.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_intake::Submission;
use grader_model::{
    CaseName, CaseResult, Excerpt, SourceFile, SubtaskName, SubtaskResult, Text, Verdict, text,
};
use grader_problem::{AuthorProgram, Case, CaseRef, Entry, Mutant, Problem, Subtask};

use crate::Fault;
use crate::author_programs::AuthorBuild;
use crate::check::accepts;
use crate::decide::submitted_tests::SubmittedTests;
use crate::decide::tested::TestedRun;
use crate::job::Job;
use crate::judging::{Ahead, Judging};
use crate::prepared::Prepared;

impl Judging<'_> {
    /// Judges a case by whether a submitted test finds its wrong program.
    pub(crate) fn mutant(
        &self,
        at: CaseRef<'_>,
        mutant: &Mutant,
        earlier: &[SubtaskResult],
        cases: &[CaseResult],
        ahead: &mut Ahead,
    ) -> Result<CaseResult, Fault> {
        match mutant {
            Mutant::Program(call) => self.wrong_program(at, &call.program, ahead),
            Mutant::Files(files) => self.wrong_files(at, files, earlier, cases, ahead),
        }
    }

    /// Runs a wrong program on the submitted inputs.
    fn wrong_program(
        &self,
        at: CaseRef<'_>,
        program: &AuthorProgram,
        ahead: &mut Ahead,
    ) -> Result<CaseResult, Fault> {
        let built = self.lab.get(&AuthorBuild(program))?;
        let entry = self.own_tests(at, &mut ahead.submitted)?;
        let (sources, shown) = (program.sources.clone(), vec![program.path.clone()]);
        let submission = Submission::in_memory(sources, shown, Some(built.language.id));
        let prepared = Prepared::reference(&entry.problem, &program.sources);
        let judging = Judging {
            sample: None,
            job: &Job::single(self.job.student, entry, &submission),
            lab: self.lab,
            prepared: &prepared,
            texts: &prepared.texts(),
            built: &built,
        };
        let mut fault = None;
        for test in CaseRef::all(&entry.problem) {
            let result = judging.searched(test)?;
            match result.verdict {
                Verdict::Accepted => {}
                Verdict::JudgeError => fault = result.message,
                _ => return Ok(found(at, test.case.name.as_str())),
            }
        }
        match fault {
            Some(why) => Err(Fault::AuthorsPart(why)),
            None => Ok(not_found(at)),
        }
    }

    /// The submitted tests that count for a case.
    fn own_tests<'b>(
        &self,
        at: CaseRef<'_>,
        tests: &'b mut SubmittedTests,
    ) -> Result<&'b Entry, Fault> {
        let is_same = |case: &Case| {
            case.has_run_of(at.case)
                && case.checker == at.case.checker
                && case.validators == at.case.validators
        };
        let place = tests.known.iter().take_while(|it| !is_same(&it.0)).count();
        if place < tests.known.len() {
            return Ok(&tests.known[place].1);
        }
        let (mut inputs, mut answers) = (Vec::new(), BTreeMap::new());
        for file in self.prepared.files {
            match file.path.rsplit_once('.') {
                Some((stem, extension)) if extension.eq_ignore_ascii_case("in") => {
                    inputs.push((stem, file));
                }
                Some((stem, _)) => drop(answers.insert(stem, file)),
                None => {}
            }
        }
        let cases = inputs.iter().map(|(_, file)| Case {
            name: CaseName::new(Excerpt::new(file.path.as_bytes()).to_string()),
            input: file.bytes.clone(),
            mutant: None,
            hint: None,
            ..at.case.clone()
        });
        let mut entry = self.with_subtask(cases.collect());
        let mut counting = Vec::new();
        for (test, (stem, _)) in CaseRef::all(&entry.problem).zip(&inputs) {
            let why = self.objection(test, answers.get(stem).copied())?;
            match why {
                Some(why) => tests.remark(why),
                None => counting.push(test.case.clone()),
            }
        }
        entry = self.with_subtask(counting);
        tests.known.push((at.case.clone(), entry));
        Ok(&tests.known[place].1)
    }

    /// The problem with these cases only.
    fn with_subtask(&self, cases: Vec<Case>) -> Entry {
        let tests = Subtask {
            name: SubtaskName::new("/tests"),
            cases,
            ..Subtask::default()
        };
        Entry {
            problem: Arc::new(Problem {
                subtasks: vec![tests],
                ..Problem::clone(&self.job.entry.problem)
            }),
            ..self.job.entry.clone()
        }
    }

    /// Why a test does not count, if it does not.
    fn objection(
        &self,
        test: CaseRef<'_>,
        given: Option<&SourceFile>,
    ) -> Result<Option<Text>, Fault> {
        let name = &test.case.name;
        if let Some(why) = self.lab.validator_mistake(test)? {
            return Ok(Some(text!(
                "`{name}` does not count: {why}",
                "`{name}` 不算数：输入不符合题目要求（{why}）"
            )));
        }
        if !self.lab.is_accepted(test)? {
            let why = format!("the checker rejects the reference's own answer to `{name}`");
            return Err(Fault::Other(why));
        }
        let answer = self.lab.answer(test)?;
        let is_right = match given {
            Some(given) => accepts(self.lab, test, answer.as_deref(), &given.bytes)?,
            None => true,
        };
        Ok((!is_right).then(|| {
            text!(
                "`{name}` does not count: the answer that is submitted with it is wrong",
                "`{name}` 不算数：一同提交的答案不正确"
            )
        }))
    }

    /// Runs the submitted unit tests with wrong files in place of included ones.
    fn wrong_files(
        &self,
        at: CaseRef<'_>,
        files: &[SourceFile],
        earlier: &[SubtaskResult],
        cases: &[CaseResult],
        ahead: &mut Ahead,
    ) -> Result<CaseResult, Fault> {
        let right = self.tested(at, earlier, cases, ahead)?;
        let Some(mut passed) = right.names(true) else {
            let mut result = right.result.clone();
            result.name.clone_from(&at.case.name);
            return Ok(result);
        };
        for test in right.names(false).unwrap_or_default() {
            let name = Excerpt::new(test.as_bytes());
            ahead.submitted.remark(text!(
                "`{name}` does not count: it fails with a right program",
                "`{name}` 不算数：它在正确的程序上也不通过"
            ));
        }
        let mut problem = Problem::clone(at.problem);
        for file in &mut problem.submission.include {
            if let Some(wrong) = files.iter().find(|it| it.path == file.path) {
                file.clone_from(wrong);
            }
        }
        let entry = Entry {
            problem: Arc::new(problem),
            ..self.job.entry.clone()
        };
        let job = Job::single(self.job.student, &entry, self.job.submission);
        let prepared = Prepared::new(&entry.problem, self.prepared.files);
        let texts = prepared.texts();
        let built = job.build(self.lab, &prepared, &texts);
        let built = built.ok_or(Fault::Stopped)?.map_err(|_| {
            let name = &at.case.name;
            Fault::Other(format!("the wrong program of case `{name}` does not build"))
        })?;
        let judging = Judging {
            sample: None,
            job: &job,
            prepared: &prepared,
            texts: &texts,
            built: &built,
            ..*self
        };
        let wrong = judging.run_tests(at)?;
        if wrong.result.verdict == Verdict::JudgeError {
            return Ok(wrong.result);
        }
        let wrong = wrong.names(true).unwrap_or_default();
        passed.retain(|it| !wrong.contains(it));
        if !passed.is_empty() {
            let again = self.run_tests(at)?.names(true).unwrap_or_default();
            passed.retain(|it| again.contains(it));
        }
        Ok(passed.first().map_or_else(
            || not_found(at),
            |it| found(at, &Excerpt::new(it.as_bytes()).to_string()),
        ))
    }

    /// A run of the harness of its own.
    fn run_tests(&self, at: CaseRef<'_>) -> Result<TestedRun, Fault> {
        let mut ahead = Ahead::default();
        self.tested(at, &[], &[], &mut ahead)?;
        ahead.tested.pop().ok_or(Fault::Stopped)
    }
}

fn found(at: CaseRef<'_>, test: &str) -> CaseResult {
    let message = text!("found by `{test}`", "被 `{test}` 找出");
    CaseResult::unrun(at.case.name.clone(), Verdict::Accepted, message)
}

fn not_found(at: CaseRef<'_>) -> CaseResult {
    let message = Text::new("no test finds it", "没有测试能找出它");
    CaseResult::unrun(at.case.name.clone(), Verdict::WrongAnswer, message)
}

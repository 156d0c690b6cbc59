//! Submitted tests, which have to find wrong programs.
//!
//! A test counts only if the right program passes it. Inputs are read by the author's programs alone: the validator, the reference and
//! the wrong program. Unit tests are the student's code: they are built and run with the right files and with the wrong ones. If one fails
//! there, both runs are repeated: it must fail again, and with the right files all but one must pass that passed at first. So nobody finds
//! anything with tests that fail at random or after a while.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use grader_intake::{Submission, test_name};
use grader_language::SourceText;
use grader_model::{
    CaseName, CaseResult, Excerpt, LanguageId, SourceFile, Status, SubtaskName, SubtaskResult,
    Text, Verdict, text,
};
use grader_problem::{AuthorProgram, Case, CaseRef, Entry, Mutant, Problem, Subtask};

use crate::Fault;
use crate::author_programs::AuthorBuild;
use crate::check::accepts;
use crate::constants::MAX_REMARKS;
use crate::decide::submitted_tests::SubmittedTests;
use crate::decide::tested::TestedRun;
use crate::job::Job;
use crate::judging::{Ahead, Judging};
use crate::keys::reference_sources;
use crate::prepared::Prepared;

/// How long the reference may wait for a processor on a test, beside four times the limit.
const SLOW_WALL: Duration = Duration::from_secs(10);
/// Among more tests, none is named.
const MAX_NAMED_TESTS: usize = 100;

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
        let place = self.own_tests(at, &mut ahead.submitted)?;
        let entry = match &ahead.submitted.known[place].1 {
            Ok(entry) => entry,
            Err(why) => return Err(Fault::AuthorsPart(Box::new(why.clone()))),
        };
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
                _ => return Ok(found(at, &Text::plain(format!("`{}`", test.case.name)))),
            }
        }
        match fault {
            Some(why) => Err(Fault::AuthorsPart(why)),
            None => Ok(not_found(at)),
        }
    }

    /// The place of the submitted tests that count for a case.
    fn own_tests(&self, at: CaseRef<'_>, tests: &mut SubmittedTests) -> Result<usize, Fault> {
        let is_same = |case: &Case| {
            case.has_run_of(at.case)
                && case.checker == at.case.checker
                && case.validators == at.case.validators
        };
        let place = tests.known.iter().take_while(|it| !is_same(&it.0)).count();
        if place == tests.known.len() {
            let counting = match self.counting(at, tests) {
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                counting => counting.map_err(|fault| fault.text()),
            };
            let counting = counting.map(|it| self.with_subtask(it));
            tests.known.push((at.case.clone(), counting));
        }
        Ok(place)
    }

    /// The submitted tests that count for a case, as cases.
    fn counting(&self, at: CaseRef<'_>, tests: &mut SubmittedTests) -> Result<Vec<Case>, Fault> {
        let (mut inputs, mut answers) = (Vec::new(), BTreeMap::new());
        for text in self.texts {
            match test_name(&text.file.path) {
                Some((stem, true)) => inputs.push((stem, text)),
                Some((stem, false)) => drop(answers.insert(stem, text)),
                None => {}
            }
        }
        let mut counting = Vec::new();
        for (stem, text) in inputs {
            let case = |input| Case {
                name: CaseName::new(Excerpt::new(text.file.path.as_bytes()).to_string()),
                input,
                mutant: None,
                hint: None,
                ..at.case.clone()
            };
            let mut entry = self.with_subtask(vec![case(text.file.bytes.clone())]);
            let mut why = self.rejection(&entry)?;
            if why.is_some() {
                let tidied = self.with_subtask(vec![case(tidied(text).into())]);
                if self.rejection(&tidied)?.is_none() {
                    (entry, why) = (tidied, None);
                }
            }
            if why.is_none() {
                why = self.wrong_answer(&entry, answers.get(stem).copied())?;
            }
            match why {
                Some(why) => tests.remark(why),
                None => counting.extend(CaseRef::all(&entry.problem).map(|it| it.case.clone())),
            }
        }
        Ok(counting)
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

    /// Why the validator rejects the test of this entry, if it does.
    fn rejection(&self, entry: &Entry) -> Result<Option<Text>, Fault> {
        for test in CaseRef::all(&entry.problem) {
            if let Some(why) = self.lab.validator_mistake(test)? {
                let name = &test.case.name;
                return Ok(Some(text!(
                    "`{name}` does not count: {why}",
                    "`{name}` 不计入：输入不符合题目要求（{why}）"
                )));
            }
        }
        Ok(None)
    }

    /// That the answer to the test of this entry is wrong, if one is given and it is.
    fn wrong_answer(
        &self,
        entry: &Entry,
        given: Option<&SourceText<'_>>,
    ) -> Result<Option<Text>, Fault> {
        for test in CaseRef::all(&entry.problem) {
            let name = &test.case.name;
            if self.is_slow(test)? {
                return Ok(Some(text!(
                    "`{name}` does not count: the right program takes too long on it",
                    "`{name}` 不计入：正确的程序在这个输入上用时过长"
                )));
            }
            if !self.lab.is_accepted(test)? {
                let why = format!("the checker rejects the reference's own answer to `{name}`");
                return Err(Fault::Other(why));
            }
            let answer = self.lab.answer(test)?;
            let is_right = |given: &[u8]| accepts(self.lab, test, answer.as_deref(), given);
            if let Some(given) = given
                && !is_right(&given.file.bytes)?
                && !is_right(&tidied(given))?
            {
                return Ok(Some(text!(
                    "`{name}` does not count: the answer that is submitted with it is wrong",
                    "`{name}` 不计入：一同提交的答案不正确"
                )));
            }
        }
        Ok(None)
    }

    /// Whether the reference takes so long on a test that a wrong program could fail for no other reason.
    fn is_slow(&self, test: CaseRef<'_>) -> Result<bool, Fault> {
        let problem = test.problem;
        let sources = reference_sources(problem).next().unwrap_or_default();
        let language = problem.languages.recognise(&SourceText::all(sources));
        let language = language.map_or(LanguageId::Rust, |it| it.id);
        let limit = problem.limits.resolve(None, language, None).cpu.0;
        let end = Instant::now() + SLOW_WALL + limit * 4;
        match self.lab.until(end).measured(test) {
            Err(Fault::Stopped) if !self.lab.judge.stop().is_requested() => Ok(true),
            run => Ok(run?.took.0 > limit / 4),
        }
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
        let Some(passed) = right.names(true) else {
            let mut result = right.result.clone();
            result.name.clone_from(&at.case.name);
            result.stderr.take_if(|_| right.is_shown);
            right.is_shown = true;
            return Ok(result);
        };
        let failed = right.names(false).unwrap_or_default();
        for test in failed.into_iter().take(MAX_REMARKS) {
            let name = self.shown(&test, &passed);
            ahead.submitted.remark(text!(
                "{name} does not count: it does not pass with the right program",
                "{name} 不计入：它在正确的程序上也没有通过",
                name
            ));
        }
        if passed.is_empty() {
            return Ok(not_found(at));
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
        let built = match job
            .build(self.lab, &prepared, &texts)
            .ok_or(Fault::Stopped)?
        {
            Ok(built) => built,
            // Its own files build with the right ones.
            Err(it) if it.result.status == Status::Judged && it.error.is_none() => {
                return Ok(found(at, &Text::new("the compiler", "编译器")));
            }
            Err(_) => {
                let name = &at.case.name;
                let why = format!("the wrong program of case `{name}` does not build");
                return Err(Fault::Other(why));
            }
        };
        let judging = Judging {
            sample: None,
            job: &job,
            prepared: &prepared,
            texts: &texts,
            built: &built,
            ..*self
        };
        // Without a report, all of them failed. Whoever fails at random fails no test twice, or one that must pass.
        let (mut failing, mut has_report) = (passed.clone(), false);
        for _ in 0..2 {
            if !failing.is_empty()
                && let Some(failed) = judging.run_tests(at)?.names(false)
            {
                has_report = true;
                failing.retain(|it| failed.contains(it));
            }
        }
        if failing.is_empty() {
            return Ok(not_found(at));
        }
        let right = self.run_tests(at)?.names(true).unwrap_or_default();
        let mut unsteady = passed.iter().filter(|it| !right.contains(*it));
        if let Some(test) = unsteady.next() {
            let name = self.shown(test, &passed);
            if unsteady.next().is_some() {
                ahead.submitted.remark(text!(
                    "no test counts: {name} and others do not always pass with the right program",
                    "所有测试都不计入：{name} 等测试在正确的程序上时而不通过",
                    name
                ));
                return Ok(not_found(at));
            }
            failing.remove(test);
            ahead.submitted.remark(text!(
                "{name} does not count: it does not always pass with the right program",
                "{name} 不计入：它在正确的程序上时而不通过",
                name
            ));
        }
        let Some(first) = failing.first() else {
            return Ok(not_found(at));
        };
        let by = if has_report {
            self.shown(first, &passed)
        } else {
            Text::new("tests that do not end well", "未能正常结束的测试")
        };
        Ok(found(at, &by))
    }

    /// A run of the harness of its own.
    fn run_tests(&self, at: CaseRef<'_>) -> Result<TestedRun, Fault> {
        let mut ahead = Ahead::default();
        self.tested(at, &[], &[], &mut ahead)?;
        let run = ahead.tested.pop().ok_or(Fault::Stopped)?;
        match run.result.verdict {
            Verdict::JudgeError => Err(Fault::AuthorsPart(run.result.message.unwrap_or_default())),
            _ => Ok(run),
        }
    }

    /// The name of a test if it stands in what was submitted: one that is made at run time, or chosen among many, could tell what the
    /// tests have read.
    fn shown(&self, test: &str, tests: &BTreeSet<String>) -> Text {
        let name = test.rsplit('.').next().unwrap_or(test);
        let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_submitted = || self.texts.iter().any(|it| it.text.contains(name));
        if is_plain && tests.len() <= MAX_NAMED_TESTS && is_submitted() {
            return Text::plain(format!("`{name}`"));
        }
        Text::new("a test", "某个测试")
    }
}

/// A text as another editor would write it: in UTF-8, with line feeds, and without blanks at the ends of lines and of the text.
fn tidied(text: &SourceText<'_>) -> Vec<u8> {
    let lines: Vec<&str> = text.text.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    format!("{}\n", text.trim_end()).into_bytes()
}

fn found(at: CaseRef<'_>, by: &Text) -> CaseResult {
    let message = text!("found by {by}", "由{by}找出", by);
    CaseResult::unrun(at.case.name.clone(), Verdict::Accepted, message)
}

fn not_found(at: CaseRef<'_>) -> CaseResult {
    let message = Text::new("no test finds it", "没有测试能找出它");
    CaseResult::unrun(at.case.name.clone(), Verdict::WrongAnswer, message)
}

//! Whether a problem's own files work on this machine.
//!
//! Included files, a harness in the submission's process and the author's flags are built and run together with each
//! submission. If they fail here, all submissions fail, and nobody may lose points by that. So a program that is known to be
//! right is tried with them first, once per problem and language. If there is none, results that fail in them wait until
//! another submission shows that they work.

use std::sync::Arc;

use grader_language::{Language, SourceText, first_error_line};
use grader_model::{
    CaseResult, Excerpt, LanguageId, ProblemId, ProblemResult, Text, Verdict, text,
};
use grader_problem::{Checks, Entry, Problem, Sample, SourceRule};

use crate::constants::{MAX_TRIED_PROGRAMS, MAX_WORDS_BYTES};
use crate::fault::Fault;
use crate::included::of_language;
use crate::keys::reference_sources;
use crate::lab::{Key, Lab, Task};

/// What an author gave for a problem in a language.
pub(crate) type PartId = (ProblemId, LanguageId);

/// What is known of what the author gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trial {
    /// It works, or there is nothing of the kind.
    Works,
    /// There is no program that is known to be right.
    Unknown,
}

/// Whether what the author gave for a problem in a language works here.
pub(crate) struct PartTrial<'a, J> {
    pub(crate) entry: &'a Entry,
    pub(crate) language: &'a Arc<Language>,
    /// Judges a program that is right.
    pub(crate) judged: J,
}

impl<J> PartTrial<'_, J> {
    /// Whether there is anything to try.
    pub(crate) fn has_part(&self) -> bool {
        let problem = &self.entry.problem;
        problem.submission.languages.contains(&self.language.id)
            && has_authors_part(problem, self.language)
            && self.language.find().is_ok()
    }
}

impl<J> Task for PartTrial<'_, J>
where
    J: Fn(Lab<'_>, &Entry, &Sample) -> Result<ProblemResult, Fault>,
{
    type Out = Trial;

    fn key(&self) -> Key {
        let language = format!("{:?}", self.language.id);
        let version = self.entry.problem.version.as_bytes();
        Key::of("author's part", [version, language.as_bytes()])
    }

    /// # Errors
    /// [`Fault::AuthorsPart`] if it does not work; [`Fault::Stopped`].
    fn run(&self, lab: Lab<'_>) -> Result<Trial, Fault> {
        let (problem, language) = (&self.entry.problem, self.language);
        let mut known = known_programs(problem, language.id);
        known.truncate(MAX_TRIED_PROGRAMS);
        let entry = tried(self.entry);
        let mut first = None;
        for program in &known {
            let result = (self.judged)(lab, &entry, &program.sample)?;
            match why(&result, program.is_limited, problem) {
                None => return Ok(Trial::Works),
                Some(why) => first = first.or(Some((program.sample.path.clone(), why))),
            }
        }
        match first {
            None => Ok(Trial::Unknown),
            Some((program, why)) => Err(Fault::AuthorsPart(Box::new(does_not_work(
                language, &program, &why,
            )))),
        }
    }
}

/// Whether files or commands of the author are built or run together with a submission in this language.
fn has_authors_part(problem: &Problem, language: &Language) -> bool {
    let included = SourceText::all(&problem.submission.include);
    language.has_own_commands() || of_language(language, &problem.languages, &included).count() > 0
}

/// A program that is known to be right.
struct KnownProgram {
    sample: Sample,
    /// Whether the limits hold for it: a reference may be slow.
    is_limited: bool,
}

/// The accepted samples in a language, then the reference and what is timed with it. Samples are first, because `verify` shows
/// that they keep to the limits.
fn known_programs(problem: &Problem, language: LanguageId) -> Vec<KnownProgram> {
    let references = reference_sources(problem);
    let references = references.map(|sources| KnownProgram {
        sample: Sample {
            path: sources
                .first()
                .map_or_else(String::new, |it| it.path.clone()),
            sources: sources.to_vec(),
            ..Sample::right()
        },
        is_limited: false,
    });
    let samples = problem.known_right.iter().map(|sample| KnownProgram {
        sample: Sample {
            path: format!("submissions/{}", sample.path),
            ..sample.clone()
        },
        is_limited: true,
    });
    let is_of_language = |it: &KnownProgram| {
        let texts = SourceText::all(&it.sample.sources);
        let found = problem.languages.recognise(&texts);
        found.is_some_and(|it| it.id == language)
    };
    samples.chain(references).filter(is_of_language).collect()
}

/// The problem as it is tried: a rule of the author about sources says nothing about what works here, nor does growth.
fn tried(entry: &Entry) -> Entry {
    let mut problem = Problem::clone(&entry.problem);
    problem
        .subtasks
        .retain(|it| it.manual.is_none() && it.check.is_none());
    for subtask in &mut problem.subtasks {
        subtask.by_time.clear();
        subtask.growth = None;
        subtask.attempts = None;
    }
    problem.source = SourceRule::default();
    problem.checks = Checks {
        undefined_behaviour: false,
        ..Checks::default()
    };
    Entry {
        problem: Arc::new(problem),
        ..entry.clone()
    }
}

/// How a right program fails here; `None` if it does not, or if the fault is another one, which every job meets by itself.
fn why(result: &ProblemResult, is_limited: bool, problem: &Problem) -> Option<Text> {
    if result.verdict == Verdict::JudgeError {
        return None;
    }
    if result.verdict == Verdict::CompileError {
        let build = result.build.as_ref().and_then(|it| it.messages.as_ref());
        let text = build.map_or("", |it| it.text.as_str());
        let words = Some(first_error_line(text)).filter(|it| !it.is_empty());
        return Some(with_words("does not compile", "无法编译", words.as_deref()));
    }
    let by_chance = |subtask: usize| {
        let rule = problem.subtasks.get(subtask);
        rule.is_some_and(|it| it.attempts.is_some() || it.growth.is_some())
    };
    let subtasks = result.subtasks.iter().enumerate();
    let cases =
        subtasks.flat_map(|(at, subtask)| subtask.cases.iter().map(move |it| (at, subtask, it)));
    let fails = |at: usize, case: &CaseResult| match case.verdict {
        Verdict::Accepted | Verdict::Skipped | Verdict::JudgeError => false,
        Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => {
            is_limited && !by_chance(at)
        }
        Verdict::RuntimeError | Verdict::CompileError => true,
        Verdict::WrongAnswer | Verdict::PresentationError | Verdict::PartiallyCorrect => {
            !by_chance(at)
        }
    };
    let mut failed = cases.filter(|(at, _, case)| fails(*at, case));
    let (_, subtask, case) = failed.next()?;
    let message = case.message.as_deref();
    let stderr = case
        .stderr
        .as_ref()
        .and_then(|it| it.text.trim_end().lines().last());
    let words = stderr
        .map(str::to_owned)
        .or_else(|| message.map(|it| it.en.clone()));
    let verdict = case.verdict;
    let place = format!("{}/{}", subtask.name, case.name);
    Some(with_words(
        &format!("gets {verdict} in case `{place}`"),
        &format!("在测试点 `{place}` 得到 {verdict}"),
        words.as_deref(),
    ))
}

fn with_words(en: &str, zh: &str, words: Option<&str>) -> Text {
    let Some(words) = words else {
        return Text::new(en, zh);
    };
    let words = Excerpt::first(words.trim().as_bytes(), MAX_WORDS_BYTES);
    text!("{en}: {words}", "{zh}：{words}")
}

fn does_not_work(language: &Language, program: &str, why: &Text) -> Text {
    let name = &language.definition.name;
    let program = Excerpt::first(program.as_bytes(), MAX_WORDS_BYTES);
    text!(
        "the problem's own part does not work here in {name}: `{program}`, which is right, {why}",
        "题目自带的部分在本机上无法用于 {name}：应当通过的 `{program}` {why}",
        why
    )
}

//! Searches a judged C or C++ program for undefined behaviour: to explain a failure to the student, and to tell staff
//! that a verdict depends on it.
//!
//! After judging, the program is built three times without optimisation. Two builds have sanitizers: local variables and
//! allocated memory begin with zeros in one, with a pattern in the other. In the third, `fill.h` fills the stack with
//! zeros, ones or different small numbers, whatever its environment says. They run on a case. Something is said only if
//! it was observed:
//!
//! * a sanitizer reports it;
//! * two of them print different outputs, and an output changes if one suspect of the compiler gets a value: a variable,
//!   or the end of a function without `return`;
//! * without optimisation, the program gets another verdict, and a suspect changes the output of the submitted program.
//!
//! If a case fails whose input the student may see, warnings of the compiler that hold for every run count too.

mod on;
mod search;

use std::cell::RefCell;

use grader_language::{FailedRun, Finding, SourceText, Warning, Weight};
use grader_model::{
    CaseResult, End, Flag, Outcome, ProblemResult, SubtaskResult, Text, Verdict, escaped, text,
};
use grader_problem::CaseRef;

use crate::Fault;
use crate::decide::flags::{flag, plain};
use crate::decide::hints::add_hints;
use crate::decide::undefined::{Telling, ranked, telling};
use crate::included::with_included;
use crate::judging::Judging;

use on::On;
use search::{Search, Variant};

/// What was found.
#[derive(Default)]
struct Found {
    findings: Vec<Finding>,
    /// The place of the case among all cases of the problem.
    index: usize,
    /// Whether another build gets another verdict.
    is_decisive: bool,
}

impl Judging<'_> {
    /// Adds what is known about undefined behaviour to the result: hints on a case for students, a flag for staff.
    ///
    /// # Errors
    /// [`Fault::Stopped`], or our own failure, which leaves the result as it is.
    pub(crate) fn explain_undefined(&self, result: &mut ProblemResult) -> Result<(), Fault> {
        let (problem, language) = (&self.job.entry.problem, &self.built.language);
        let is_wanted =
            self.lab.judge.settings.explains_undefined && problem.checks.undefined_behaviour;
        let builds = language.definition.undefined_behaviour.as_ref();
        let Some(builds) = builds.filter(|_| is_wanted) else {
            return Ok(());
        };
        let (cases, is_public) = telling(problem, result);
        if cases.is_empty() {
            return Ok(());
        }
        let included = SourceText::all(&problem.submission.include);
        let sources = with_included(language, &problem.languages, self.texts, &included);
        let search = Search::new(self, builds, sources);
        let known = search.warnings.iter().filter_map(Warning::finding);
        let known: Vec<Finding> = known.filter(|_| is_public).collect();
        let found = search.find(&cases, !known.is_empty())?;
        let only_causes = result.verdict == Verdict::Accepted && !found.is_decisive;
        let findings = ranked([known, found.findings].concat(), only_causes);
        if is_public {
            self.explain_case(found.index, &findings, &search, result);
        }
        if found.is_decisive || !(is_public || findings.is_empty()) {
            let flag = search.flag(&findings, found.is_decisive);
            result.flags.push(flag);
        }
        Ok(())
    }

    /// Adds findings to the hints on a case, before that of the author. They replace the usual causes of a crash.
    fn explain_case(
        &self,
        index: usize,
        findings: &[Finding],
        search: &Search<'_>,
        result: &mut ProblemResult,
    ) {
        let cases = result.subtasks.iter_mut();
        let cases = cases.flat_map(SubtaskResult::cases_mut);
        let mut cases: Vec<_> = CaseRef::all(&self.job.entry.problem).zip(cases).collect();
        let Some((at, case)) = cases.get_mut(index) else {
            return;
        };
        let sentences = findings.iter().map(|it| {
            let is_beside = it.weight == Weight::Beside && !shows_next_byte(case);
            let sentence = search.sentence(it);
            if is_beside {
                sentence.beside()
            } else {
                sentence
            }
        });
        let sentences: Vec<Text> = sentences.collect();
        let has_cause = sentences.iter().any(|it| !it.is_beside());
        add_hints(case, at.case.hint.as_ref(), sentences);
        let end = case.outcome.as_ref().map(|it| it.end);
        let is_alike = |case: &CaseResult| case.outcome.as_ref().map(|it| it.end) == end;
        let alike = cases.iter_mut().filter(|(_, it)| has_cause && is_alike(it));
        for (_, case) in alike {
            let usual = case.outcome.as_ref().map_or_else(Vec::new, |outcome| {
                self.built.language.explain_run(&FailedRun {
                    stderr: b"",
                    end: outcome.end,
                    has_authors_main: true,
                    is_one_file: true,
                    reads_arguments: false,
                })
            });
            case.hints.retain(|it| !usual.contains(it));
        }
    }
}

/// Whether the byte behind allocated memory may be what a case shows: the program crashed, or printed more than it should.
fn shows_next_byte(case: &CaseResult) -> bool {
    let has_crashed = |it: &Outcome| matches!(it.end, End::Signalled(_));
    case.outcome.as_ref().is_some_and(has_crashed)
        || case.evidence.iter().any(|it| {
            let pair = it.expected.as_ref().zip(it.found.as_ref());
            pair.is_some_and(|(expected, found)| found.text.starts_with(&expected.text))
        })
}

impl Search<'_> {
    /// Searches on these cases; if the warnings explain the failure, only for what sanitizers report.
    fn find(&self, cases: &[Telling<'_>], is_explained: bool) -> Result<Found, Fault> {
        let mut found = Found {
            index: cases.first().map_or(0, |it| it.index),
            ..Found::default()
        };
        for Telling {
            index,
            at,
            limits,
            is_right,
        } in cases
        {
            let case = &*self.judging.lab.with_input(*at)?;
            let on = On {
                search: self,
                at: CaseRef { case, ..*at },
                limits: *limits,
                first: RefCell::default(),
            };
            let mut findings = on.reports(&Variant::ZERO)?;
            if findings.iter().any(|it| it.is_null) {
                on.check_null(&mut findings)?;
            }
            let has_cause = findings.iter().any(|it| it.weight == Weight::Cause);
            let is_plain = at.problem.run.report.is_none();
            if !has_cause && !is_explained && is_plain {
                on.add_dependencies(&mut findings)?;
            }
            let is_decisive = on.is_decided(*is_right)?;
            if is_decisive && findings.is_empty() && is_plain {
                findings = on.causes(&Variant::OWN)?;
            }
            let has_beside_only = findings.iter().all(|it| it.weight == Weight::Beside);
            if is_decisive || !findings.is_empty() {
                found = Found {
                    findings,
                    index: *index,
                    is_decisive,
                };
            }
            if is_decisive || !has_beside_only {
                break;
            }
        }
        Ok(found)
    }

    /// A finding with its place: `line 22: …`.
    fn sentence(&self, Finding { place, text, .. }: &Finding) -> Text {
        let line = place.line;
        let file = match self.names.as_slice() {
            [_] => Text::default(),
            names => {
                let name = escaped(names[place.file].as_bytes());
                text!("`{name}`, ", "`{name}` ")
            }
        };
        text!(
            "{file}line {line}: {text}",
            "{file}第 {line} 行：{text}",
            file,
            text
        )
    }

    fn flag(&self, findings: &[Finding], is_decisive: bool) -> Flag {
        let what = if is_decisive {
            Text::new(
                "the verdict depends on the compiler's optimisation",
                "判定结果取决于编译器的优化",
            )
        } else {
            Text::new("undefined behaviour", "存在未定义行为")
        };
        let message = match findings.first().map(|it| self.sentence(it)) {
            Some(first) => text!("{what}; {first}", "{what}；{first}", what, first),
            None => what,
        };
        let evidence = findings.iter().map(|it| plain(self.sentence(it)));
        flag("undefined-behaviour", message, evidence.collect())
    }
}

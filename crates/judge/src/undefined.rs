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

use grader_language::{Finding, SourceText, Warning, Weight};
use grader_model::{Flag, ProblemResult, Text, Verdict, escaped, text};
use grader_problem::CaseRef;

use crate::Fault;
use crate::decide::flags::{flag, plain};
use crate::decide::undefined::{Telling, ranked, telling};
use crate::included::with_included;
use crate::judging::Judging;

use on::On;
use search::{Search, Variant};

/// What was found.
#[derive(Default)]
struct Found {
    findings: Vec<Finding>,
    /// Whether another build gets another verdict.
    is_decisive: bool,
}

impl Judging<'_> {
    /// Adds what is known about undefined behaviour to the result: hints for students, a flag for staff.
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
            let hints = findings.iter().map(|it| search.sentence(it));
            result.hints.extend(hints);
        }
        if found.is_decisive || !(is_public || findings.is_empty()) {
            let flag = search.flag(&findings, found.is_decisive);
            result.flags.push(flag);
        }
        Ok(())
    }
}

impl Search<'_> {
    /// Searches on these cases; if the warnings explain the failure, only for what sanitizers report.
    fn find(&self, cases: &[Telling<'_>], is_explained: bool) -> Result<Found, Fault> {
        for Telling {
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
            if is_decisive || !findings.is_empty() {
                return Ok(Found {
                    findings,
                    is_decisive,
                });
            }
        }
        Ok(Found::default())
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

//! Searches a judged C or C++ program for undefined behaviour: to explain a failure to the student, and to tell staff
//! that a verdict depends on it.
//!
//! After judging, the program is built twice, with sanitizers and without optimisation: local variables and allocated
//! memory begin with zeros in one, with a pattern in the other. Both run on a case. Something is said only if it was
//! observed:
//!
//! * a sanitizer reports it;
//! * the two print different outputs, and the pattern's output changes if one suspect of the compiler gets a value: a
//!   variable, or the end of a function without `return`.
//!
//! If a case fails whose input the student may see, warnings of the compiler that hold for every run count too.

use std::cell::Cell;
use std::time::Duration;

use grader_language::{
    DiagnosticBuilds, Edit, Finding, Plan, ProgramSources, SourceText, Suspect, Warning, Weight,
    reports, warnings,
};
use grader_model::{
    Breach, Bytes, CpuTime, End, Flag, LanguageId, Limits, ProblemResult, Text, Verdict, WallTime,
    escaped, text,
};
use grader_problem::CaseRef;
use grader_sandbox::SystemFolders;

use crate::Fault;
use crate::build::{Built, build_with};
use crate::check::accepts;
use crate::constants::{
    MAX_SANITIZED_CPU, MAX_SANITIZED_WALL, MAX_SUSPECTS, SANITIZER_MEMORY_BYTES, SANITIZER_START,
};
use crate::decide::flags::{flag, plain};
use crate::decide::undefined::{Telling, ranked, telling};
use crate::included::with_included;
use crate::judging::Judging;
use crate::run::run;

/// What variables, allocated memory and functions without `return` begin with.
struct Fill {
    /// `{fill}` in the flags.
    name: &'static str,
    /// `{byte}` in the environment, and what the functions return.
    value: &'static str,
}

const ZERO: Fill = Fill {
    name: "zero",
    value: "0",
};
const PATTERN: Fill = Fill {
    name: "pattern",
    value: "1",
};

/// A build of the program, with what its memory begins with if that is given.
#[derive(Clone, Copy)]
struct Started<'a> {
    built: &'a Built,
    fill: Option<&'a Fill>,
}

impl<'a> Started<'a> {
    /// A build with sanitizers.
    const fn with(built: &'a Built, fill: &'a Fill) -> Self {
        let fill = Some(fill);
        Self { built, fill }
    }
}

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

/// What a program did: its answer, and its exit status. All crashes are alike.
#[derive(PartialEq)]
struct Seen {
    answer: Option<Vec<u8>>,
    status: Option<i32>,
}

/// The search in one submission.
struct Search<'a> {
    judging: &'a Judging<'a>,
    builds: &'a DiagnosticBuilds,
    sources: ProgramSources<'a>,
    /// The names of the student's files.
    names: Vec<String>,
    /// The compiler's warnings about them.
    warnings: Vec<Warning>,
    left: Cell<Duration>,
    wall_left: Cell<Duration>,
}

impl<'a> Search<'a> {
    fn new(
        judging: &'a Judging<'a>,
        builds: &'a DiagnosticBuilds,
        sources: ProgramSources<'a>,
    ) -> Self {
        let own = sources.own.iter();
        let names: Vec<String> = own.map(|it| it.submitted.to_owned()).collect();
        let messages = judging.built.report.messages.as_ref();
        Self {
            warnings: warnings(messages.map_or("", |it| &it.text), &names),
            names,
            left: Cell::new(MAX_SANITIZED_CPU),
            wall_left: Cell::new(MAX_SANITIZED_WALL),
            judging,
            builds,
            sources,
        }
    }

    /// Searches on these cases; if the warnings explain the failure, only for what sanitizers report.
    fn find(&self, cases: &[Telling<'_>], is_explained: bool) -> Result<Found, Fault> {
        let Some(zero) = self.build(&ZERO, None)? else {
            return Ok(Found::default());
        };
        let mut pattern = None;
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
            };
            let mut findings = on.reports(Started::with(&zero, &ZERO))?;
            if findings.iter().any(|it| it.is_null) {
                if pattern.is_none() {
                    pattern = self.build(&PATTERN, None)?;
                }
                on.check_null(pattern.as_deref(), &mut findings)?;
            }
            let has_cause = findings.iter().any(|it| it.weight == Weight::Cause);
            if !has_cause && !is_explained && at.problem.run.report.is_none() {
                if pattern.is_none() {
                    pattern = self.build(&PATTERN, None)?;
                }
                if let Some(pattern) = &pattern {
                    on.add_dependencies(&zero, pattern, &mut findings)?;
                }
            }
            let is_decisive = on.is_decided_by(&zero, *is_right)?;
            if is_decisive || !findings.is_empty() {
                return Ok(Found {
                    findings,
                    is_decisive,
                });
            }
        }
        Ok(Found::default())
    }

    /// Builds the program with sanitizers, and with this edit.
    fn build(&self, fill: &Fill, edit: Option<&Edit>) -> Result<Option<Box<Built>>, Fault> {
        let flags = self.builds.sanitize.iter();
        let flags: Vec<String> = flags.map(|it| it.replace("{fill}", fill.name)).collect();
        // In C++, the sanitizer reports them.
        let is_c = self.judging.built.language.id == LanguageId::C;
        let suspects = self.warnings.iter().filter_map(Warning::suspect);
        let returns = suspects.filter_map(|it| it.edit);
        let returns = returns.filter(|it| is_c && it.variable.is_none() && Some(it) != edit);
        let returns: Vec<Edit> = returns.collect();
        self.build_with(&flags, |plan| {
            for it in &returns {
                self.apply(it, fill, plan);
            }
            if let Some(edit) = edit {
                self.apply(edit, &ZERO, plan);
            }
        })
    }

    /// Changes a file of the student's in a plan.
    fn apply(&self, edit: &Edit, fill: &Fill, plan: &mut Plan) {
        let index = self.sources.included.len() + edit.place.file;
        if let Some((_, source)) = plan.files.get_mut(index) {
            edit.apply(source, fill.value);
        }
    }

    /// Builds the program with more flags, and a changed plan. `None` if the compiler refuses.
    fn build_with(
        &self,
        flags: &[String],
        change: impl FnOnce(&mut Plan),
    ) -> Result<Option<Box<Built>>, Fault> {
        let own = self.judging.built;
        let mut toolchain = own.toolchain.clone();
        toolchain.flags.extend_from_slice(flags);
        let time = self.judging.job.entry.problem.limits.compile_time;
        let (lab, sources) = (self.judging.lab, &self.sources);
        let built = build_with(lab, &own.language, toolchain, sources, time, change)?;
        Ok(built.ok())
    }

    /// What may have no value, as the compiler's warnings say: those of the analyser first, which name the first use.
    fn suspects(&self) -> Result<Vec<Suspect>, Fault> {
        let analysed = match self.builds.analyse.as_slice() {
            [] => None,
            flags => self.build_with(flags, |_| ())?,
        };
        let messages = analysed.and_then(|it| it.report.messages);
        let mut all = messages.map_or_else(Vec::new, |it| warnings(&it.text, &self.names));
        all.extend(self.warnings.iter().cloned());
        let (mut suspects, mut edits) = (Vec::new(), Vec::new());
        for it in all.iter().filter_map(Warning::suspect) {
            if !edits.contains(&it.edit) {
                edits.push(it.edit.clone());
                suspects.push(it);
            }
        }
        suspects.truncate(MAX_SUSPECTS);
        Ok(suspects)
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

/// The search on one case.
struct On<'a> {
    search: &'a Search<'a>,
    at: CaseRef<'a>,
    limits: Limits,
}

impl On<'_> {
    /// What sanitizers report.
    fn reports(&self, started: Started<'_>) -> Result<Vec<Finding>, Fault> {
        let Search {
            names, warnings, ..
        } = self.search;
        let ran = self.run(started)?;
        let stderr = ran.map(|(_, stderr)| stderr).unwrap_or_default();
        Ok(reports(&stderr, names, warnings))
    }

    /// A pointer without a value is null in the build with zeros. What is not null in the other build, too, is only known to
    /// be invalid.
    fn check_null(
        &self,
        pattern: Option<&Built>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Fault> {
        let others = match pattern {
            Some(pattern) => self.reports(Started::with(pattern, &PATTERN))?,
            None => Vec::new(),
        };
        let is_null = |it: &Finding| {
            others
                .iter()
                .any(|other| other.is_null && other.place == it.place)
        };
        let checked = std::mem::take(findings).into_iter();
        findings.extend(checked.filter_map(|it| {
            if it.is_null && !is_null(&it) {
                Finding::invalid_pointer(it.place)
            } else {
                Some(it)
            }
        }));
        Ok(())
    }

    /// Adds what the output depends on, as variables without a value; also a variable that is first used where the
    /// program crashes.
    fn add_dependencies(
        &self,
        zero: &Built,
        pattern: &Built,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Fault> {
        let search = self.search;
        let with_pattern = Started::with(pattern, &PATTERN);
        let differs = self.differ(Started::with(zero, &ZERO), with_pattern)?;
        let is_crash = |it: &Finding| it.weight == Weight::Consequence;
        if !differs && !findings.iter().any(is_crash) {
            return Ok(());
        }
        let mut found = Vec::new();
        for Suspect { finding, edit } in search.suspects()? {
            let is_here = |it: &Finding| is_crash(it) && it.place == finding.place;
            let is_cause = findings.iter().any(is_here)
                || differs
                    && match edit {
                        None => self.differ(Started::with(pattern, &ZERO), with_pattern)?,
                        Some(edit) => match search.build(&PATTERN, Some(&edit))? {
                            Some(given) => {
                                self.differ(Started::with(&given, &PATTERN), with_pattern)?
                            }
                            None => false,
                        },
                    };
            found.extend(Some(finding).filter(|_| is_cause));
        }
        if differs && found.is_empty() {
            found = self.reports(with_pattern)?;
        }
        findings.extend(found);
        Ok(())
    }

    /// Whether the program with zeros gets another verdict than the submission, which `is_right` or not.
    fn is_decided_by(&self, zero: &Built, is_right: bool) -> Result<bool, Fault> {
        let judging = self.search.judging;
        let zero = Started::with(zero, &ZERO);
        let seen = self.run(zero)?.map(|(seen, _)| seen);
        let seen = seen.filter(|it| it.status == Some(0));
        let Some(answer) = seen.and_then(|it| it.answer) else {
            return Ok(false);
        };
        let right = judging.lab.answer(self.at)?;
        let own = Started {
            built: judging.built,
            fill: None,
        };
        let accepts = accepts(judging.lab, self.at, right.as_deref(), &answer)?;
        Ok(accepts != is_right && self.differ(own, zero)?)
    }

    /// Whether two programs do different things, each the same every time.
    fn differ(&self, one: Started<'_>, other: Started<'_>) -> Result<bool, Fault> {
        let mut seen = Vec::new();
        for started in [one, other, one, other] {
            let Some((now, _)) = self.run(started)? else {
                return Ok(false);
            };
            seen.push(now);
        }
        Ok(seen[0] != seen[1] && seen[..2] == seen[2..])
    }

    /// Runs a program; with a fill, one with sanitizers. Returns its standard error, too. `None` if it was stopped, or
    /// has no time left.
    fn run(&self, Started { built, fill }: Started<'_>) -> Result<Option<(Seen, String)>, Fault> {
        let Search {
            judging,
            builds,
            left,
            wall_left,
            ..
        } = self.search;
        judging.lab.judge.check_stop()?;
        if left.get().is_zero() || wall_left.get().is_zero() {
            return Ok(None);
        }
        let memory = Bytes(self.limits.memory.0 * 2 + SANITIZER_MEMORY_BYTES);
        let mut program = built.program(memory);
        if let Some(fill) = fill {
            // The sanitizers' libraries; they map far more memory than they use.
            program.system = SystemFolders::Whole;
            program.reserves_memory = true;
            let variables = builds.environment.iter();
            let variables =
                variables.map(|(name, it)| (name.into(), it.replace("{byte}", fill.value).into()));
            program.command.environment.extend(variables);
        }
        let limits = Limits {
            cpu: CpuTime(left.get()),
            wall: WallTime(
                wall_left
                    .get()
                    .min(self.limits.wall.0 * 3 + SANITIZER_START),
            ),
            memory,
            ..self.limits
        };
        let rule = &judging.job.entry.problem.run;
        let run = run(judging.lab, &program, rule, self.at.case, limits, None)?.run;
        left.set(left.get().saturating_sub(run.outcome.cpu.0));
        wall_left.set(match run.outcome.breach {
            // It would wait in the next run, too.
            Some(Breach::Wall) => Duration::ZERO,
            _ => wall_left.get().saturating_sub(run.outcome.wall.0),
        });
        let status = match run.outcome.end {
            End::Exited(status) => Some(status),
            End::Signalled(_) => None,
        };
        let seen = Seen {
            answer: run.answer.filter(|_| status.is_some()),
            status,
        };
        let stderr = built.names.without_folder(&run.stderr);
        let stderr = built.names.as_submitted(&stderr);
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        Ok(run.outcome.breach.is_none().then_some((seen, stderr)))
    }
}

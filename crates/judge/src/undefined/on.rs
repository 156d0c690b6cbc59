//! The search for undefined behaviour on one case.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use grader_language::{Finding, Suspect, Weight, reports};
use grader_model::{Breach, Bytes, CpuTime, End, Limits, Text, WallTime};
use grader_problem::CaseRef;
use grader_sandbox::SystemFolders;

use super::search::{Kind, Search, Variant};
use crate::Fault;
use crate::check::accepts;
use crate::constants::{SANITIZER_MEMORY_BYTES, SANITIZER_START};
use crate::run::run;

/// What a program did: its answer, and its exit status. All crashes are alike.
#[derive(PartialEq)]
pub(super) struct Seen {
    answer: Option<Vec<u8>>,
    status: Option<i32>,
}

/// The search on one case.
pub(super) struct On<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) at: CaseRef<'a>,
    pub(super) limits: Limits,
    /// The first run of each variant.
    pub(super) first: RefCell<Vec<(Variant, Ran)>>,
}

/// What a program did, and its standard error. `None` if it was not built, was stopped, or had no time left.
type Ran = Option<Rc<(Seen, String)>>;

impl On<'_> {
    /// What sanitizers report.
    pub(super) fn reports(&self, variant: &Variant) -> Result<Vec<Finding>, Fault> {
        let Search {
            names, warnings, ..
        } = self.search;
        let ran = self.first(variant)?;
        let stderr = ran.as_ref().map_or("", |it| &it.1);
        Ok(reports(stderr, names, warnings))
    }

    /// A pointer without a value is null in the build with zeros. What is not null in the other build, too, is only known to
    /// be invalid.
    pub(super) fn check_null(&self, findings: &mut Vec<Finding>) -> Result<(), Fault> {
        let others = self.reports(&Variant::PATTERN)?;
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
    pub(super) fn add_dependencies(&self, findings: &mut Vec<Finding>) -> Result<(), Fault> {
        let is_crash = |it: &Finding| it.weight == Weight::Consequence;
        let crashes: Vec<_> = findings.iter().filter(|it| is_crash(it)).collect();
        let mut found = Vec::new();
        if !crashes.is_empty() {
            let suspects = self.search.suspects()?.into_iter().map(|it| it.finding);
            found.extend(suspects.filter(|it| crashes.iter().any(|crash| crash.place == it.place)));
        }
        let [zeros, ones, mixed] = Variant::FILLED;
        for (one, other) in [
            (&Variant::ZERO, &Variant::PATTERN),
            (&zeros, &ones),
            (&zeros, &mixed),
        ] {
            if found.is_empty() && self.differ(one, other)? {
                found = self.causes(other)?;
                if found.is_empty() {
                    found = self.reports(other)?;
                    found.retain(|it| findings.iter().all(|known| known.place != it.place));
                    // It has no value; that the end of a string is missing says more.
                    for it in found.iter_mut().filter(|it| !it.text.en.contains(r"'\0'")) {
                        it.text = Text::new(
                            "something without a value is used here: it was never set, or nothing was read into it",
                            "这里用到了没有值的东西：从未赋值，或者没有读到数据",
                        );
                    }
                }
            }
        }
        findings.extend(found);
        Ok(())
    }

    /// The suspects without which a program does something else.
    pub(super) fn causes(&self, variant: &Variant) -> Result<Vec<Finding>, Fault> {
        let mut found = Vec::new();
        for Suspect { finding, edit } in self.search.suspects()? {
            let other = match (edit, variant.kind) {
                (Some(edit), _) => Variant {
                    edit: Some(edit),
                    ..variant.clone()
                },
                // Allocated memory.
                (None, Kind::Sanitized(..)) => Variant {
                    fill: Variant::ZERO.fill,
                    ..variant.clone()
                },
                (None, _) => continue,
            };
            if self.differ(&other, variant)? {
                found.push(finding);
            }
        }
        Ok(found)
    }

    /// Whether the program with zeros gets another verdict than the submission, which `is_right` or not.
    pub(super) fn is_decided(&self, is_right: bool) -> Result<bool, Fault> {
        let lab = self.search.judging.lab;
        let ran = self.first(&Variant::ZERO)?;
        let seen = ran.as_ref().map(|it| &it.0);
        let seen = seen.filter(|it| it.status == Some(0));
        let Some(answer) = seen.and_then(|it| it.answer.as_ref()) else {
            return Ok(false);
        };
        let right = lab.answer(self.at)?;
        let accepts = accepts(lab, self.at, right.as_deref(), answer)?;
        Ok(accepts != is_right && self.differ(&Variant::OWN, &Variant::ZERO)?)
    }

    /// Whether two programs do different things, each the same every time.
    fn differ(&self, one: &Variant, other: &Variant) -> Result<bool, Fault> {
        let Some(first) = self.first(one)? else {
            return Ok(false);
        };
        let Some(second) = self.first(other)? else {
            return Ok(false);
        };
        let is_same = |ran: Ran, before: &(Seen, String)| ran.is_some_and(|it| it.0 == before.0);
        Ok(first.0 != second.0
            && is_same(self.run(one)?, &first)
            && is_same(self.run(other)?, &second))
    }

    /// The first run of a variant.
    fn first(&self, variant: &Variant) -> Result<Ran, Fault> {
        let known = |(it, _): &&(Variant, Ran)| it == variant;
        if let Some((_, ran)) = self.first.borrow().iter().find(known) {
            return Ok(ran.clone());
        }
        let ran = self.run(variant)?;
        self.first.borrow_mut().push((variant.clone(), ran.clone()));
        Ok(ran)
    }

    /// Runs a program.
    fn run(&self, variant: &Variant) -> Result<Ran, Fault> {
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
        let built = match variant {
            it if *it == Variant::OWN => None,
            it => match self.search.program(it)? {
                Some(built) => Some(built),
                None => return Ok(None),
            },
        };
        let built = built.as_deref().unwrap_or(judging.built);
        let memory = Bytes(self.limits.memory.0 * 2 + SANITIZER_MEMORY_BYTES);
        let mut program = built.program(memory);
        if variant.kind != Kind::Own {
            // The sanitizers' libraries; they map far more memory than they use.
            program.system = SystemFolders::Whole;
            program.reserves_memory = true;
            let variables = builds.environment.iter();
            let variables = variables
                .map(|(name, it)| (name.into(), it.replace("{byte}", variant.fill).into()));
            program.command.environment.extend(variables);
        }
        let limits = Limits {
            cpu: CpuTime(match variant.kind {
                // Each step costs time: a slow program must not use up that of the other cases.
                Kind::Filled => left.get() / 4,
                _ => left.get(),
            }),
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
        let is_ended = run.outcome.breach.is_none();
        Ok(is_ended.then(|| Rc::new((seen, stderr))))
    }
}

//! Cases, from variables and written out.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use grader_model::CaseName;

use super::checker::{Chosen, ForCase};
use super::file::Files;
use crate::diagnostic::{Code, Log};
use crate::problem::{Answer, Case, CheckerProgram};
use crate::raw::{RawCase, RawRun, RawSubtask, Template, ValueRange, VariableName};
use crate::reader::{At, Entries, Slot};
use crate::suggest::quoted;

/// Most cases of a subtask.
const MOST_CASES: u128 = 10_000;

/// What all cases of a problem share.
pub(crate) struct Shared<'a> {
    pub(crate) run: &'a RawRun,
    /// The problem's checker.
    pub(crate) checker: Option<&'a Chosen>,
    /// Whether the problem has a checker that cannot be used; what others would take from it is not known.
    pub(crate) checker_is_broken: bool,
    pub(crate) has_reference: bool,
}

/// What all cases of a subtask share.
struct InSubtask<'a> {
    shared: &'a Shared<'a>,
    name: &'a str,
    checker: Option<&'a Chosen>,
    /// The checker's program, once a case has asked for it.
    program: OnceCell<Option<Arc<CheckerProgram>>>,
}

/// The cases of a subtask with its own checker, or the problem's; nothing when one of them has a mistake.
pub(crate) fn build(
    raw: &At<RawSubtask>,
    own_checker: Option<&Chosen>,
    shared: &Shared<'_>,
    files: &mut Files<'_>,
    log: &mut Log,
) -> Option<Vec<Case>> {
    let explicit = raw.value.case.get().map_or(&[][..], Vec::as_slice);
    if !count_fits(raw, explicit.len(), log) {
        return None;
    }
    let checker = own_checker
        .map(|own| own.over(shared.checker))
        .or_else(|| shared.checker.cloned())
        .filter(|_| !shared.checker_is_broken);
    let subtask = InSubtask {
        shared,
        name: raw.value.name.get().map_or("?", |name| name.0.as_str()),
        checker: checker.as_ref(),
        program: OnceCell::new(),
    };
    let mut names = BTreeSet::new();
    let mut cases = Vec::new();
    let nothing = RawCase::default();
    if let Some(entries) = raw.value.cases.get().filter(|entries| entries.whole) {
        for (name, variables, span) in product(entries) {
            if names.insert(name.clone()) {
                cases.push(subtask.case(&name, variables, &span, &nothing, files, log));
            } else {
                let message = format!("case {} stands twice", quoted(&name));
                log.report(&span, Code::Duplicate, message);
                cases.push(None);
            }
        }
    } else if !raw.value.cases.is_absent() {
        cases.push(None);
    }
    if matches!(raw.value.case, Slot::Broken) {
        cases.push(None);
    }
    for case in explicit {
        let Some(name) = case.value.name.at() else {
            // The missing name is reported; what else is wrong with the case still shows.
            let variables = explicit_variables(&case.value);
            subtask.case("?", variables, &case.span, &case.value, files, log);
            cases.push(None);
            continue;
        };
        if !names.insert(name.value.0.clone()) {
            let message = format!("case {} stands twice", quoted(&name.value.0));
            log.report(&name.span, Code::Duplicate, message);
        }
        let variables = explicit_variables(&case.value);
        cases.push(subtask.case(
            &name.value.0,
            variables,
            &case.span,
            &case.value,
            files,
            log,
        ));
    }
    cases.into_iter().collect()
}

fn explicit_variables(raw: &RawCase) -> BTreeMap<String, String> {
    raw.variables
        .get()
        .iter()
        .flat_map(|entries| &entries.list)
        .map(|(name, value)| (name.value.0.clone(), value.value.0.clone()))
        .collect()
}

/// Whether there are cases, and not too many; reports when not.
fn count_fits(raw: &At<RawSubtask>, explicit: usize, log: &mut Log) -> bool {
    let subtask = &raw.value;
    let mut count = explicit as u128;
    if let Some(entries) = subtask.cases.at() {
        if entries.value.list.is_empty() && entries.value.whole {
            log.report_with(
                &entries.span,
                Code::Empty,
                "`subtask.cases` has no variables",
                "write `{ n = \"4..=8\" }` for one case for each n".to_owned(),
            );
            return false;
        }
        count += entries
            .value
            .list
            .iter()
            .map(|(_, range)| range.value.count())
            .fold(1, u128::saturating_mul);
        if count > MOST_CASES {
            log.report(
                &entries.span,
                Code::TooManyCases,
                format!("a subtask may have at most {MOST_CASES} cases, found {count}"),
            );
            return false;
        }
    } else if count > MOST_CASES {
        log.report(
            &raw.span,
            Code::TooManyCases,
            format!("a subtask may have at most {MOST_CASES} cases, found {count}"),
        );
        return false;
    }
    let none = match (&subtask.cases, &subtask.case) {
        (Slot::Absent, Slot::Absent) => true,
        (Slot::Absent, Slot::Given(cases)) => cases.value.is_empty(),
        _ => false,
    };
    if none {
        log.report_with(
            &raw.span,
            Code::Empty,
            match subtask.name.get() {
                Some(name) => format!("subtask {} has no cases", quoted(&name.0)),
                None => "the subtask has no cases".to_owned(),
            },
            "add `cases = { n = \"4..=8\" }` or a `[[subtask.case]]`".to_owned(),
        );
    }
    !none
}

/// The product of all variables, the last one changing fastest, with the place of the last one's values.
fn product(
    entries: &Entries<VariableName, ValueRange>,
) -> Vec<(String, BTreeMap<String, String>, Range<usize>)> {
    let mut cases = vec![(String::new(), BTreeMap::new(), 0..0)];
    for (variable, range) in &entries.list {
        let mut longer = Vec::new();
        for (name, variables, _) in &cases {
            for value in range.value.values() {
                let comma = if name.is_empty() { "" } else { "," };
                let mut variables = variables.clone();
                variables.insert(variable.value.0.clone(), value.to_string());
                longer.push((
                    format!("{name}{comma}{}={value}", variable.value.0),
                    variables,
                    range.span.clone(),
                ));
            }
        }
        cases = longer;
    }
    cases
}

impl InSubtask<'_> {
    fn case(
        &self,
        name: &str,
        variables: BTreeMap<String, String>,
        span: &Range<usize>,
        raw: &RawCase,
        files: &mut Files<'_>,
        log: &mut Log,
    ) -> Option<Case> {
        if raw.variables.get().is_some_and(|entries| !entries.whole) {
            // Templates would miss the variables whose mistakes are reported.
            return None;
        }
        let place = format!("case `{name}` of subtask `{}`", self.name);
        let run = self.shared.run;
        let arguments = raw.arguments.or(Some(&run.arguments)).get().map_or_else(
            || Some(Vec::new()),
            |templates| fill_all(templates, &variables, log),
        );
        let input = self.input(raw, &variables, files, log);
        let checker = self.checker.and_then(|chosen| {
            let case = ForCase {
                place: &place,
                variables: &variables,
                program: &self.program,
            };
            chosen.resolve(&case, log)
        });
        let answer = self.answer(&place, span, raw, files, log);
        Some(Case {
            name: CaseName::new(name),
            arguments: arguments?,
            input: input?,
            answer: answer?,
            checker: checker?,
            variables,
        })
    }

    fn input(
        &self,
        raw: &RawCase,
        variables: &BTreeMap<String, String>,
        files: &mut Files<'_>,
        log: &mut Log,
    ) -> Option<Arc<[u8]>> {
        if let (Slot::Given(_), Slot::Given(file)) = (&raw.stdin, &raw.stdin_file) {
            let message = "`stdin` and `stdin-file` exclude each other";
            log.report(&file.span, Code::Conflict, message);
            return None;
        }
        if let Slot::Given(file) = &raw.stdin_file {
            return files.read("stdin-file", file, log);
        }
        match raw.stdin.or(Some(&self.shared.run.stdin)) {
            Slot::Absent => Some(Arc::default()),
            Slot::Broken => None,
            Slot::Given(template) => {
                let text = template.value.fill(variables, log)?;
                Some(text.into_bytes().into())
            }
        }
    }

    fn answer(
        &self,
        place: &str,
        span: &Range<usize>,
        raw: &RawCase,
        files: &mut Files<'_>,
        log: &mut Log,
    ) -> Option<Answer> {
        match (&raw.answer, &raw.answer_file) {
            (Slot::Given(_), Slot::Given(file)) => {
                let message = "`answer` and `answer-file` exclude each other";
                log.report(&file.span, Code::Conflict, message);
                None
            }
            (Slot::Given(text), _) => Some(Answer::Given(text.value.as_bytes().into())),
            (_, Slot::Given(file)) => files.read("answer-file", file, log).map(Answer::Given),
            (Slot::Broken, _) | (_, Slot::Broken) => None,
            (Slot::Absent, Slot::Absent) => match self.checker {
                None => None,
                Some(chosen) if chosen.is_program() && self.shared.has_reference => {
                    Some(Answer::Reference)
                }
                Some(chosen) if !chosen.needs_answer() => Some(Answer::None),
                Some(_) if self.shared.has_reference => Some(Answer::Reference),
                Some(chosen) => {
                    if !log.has(Code::MissingReference) {
                        log.report_with(
                            span,
                            Code::MissingReference,
                            format!(
                                "the checker `{}` needs an answer, but {place} has none and there is no `[reference]`",
                                chosen.name()
                            ),
                            "add a `[reference]`, or `answer` or `answer-file` to the case".to_owned(),
                        );
                    }
                    None
                }
            },
        }
    }
}

fn fill_all(
    templates: &[At<Template>],
    variables: &BTreeMap<String, String>,
    log: &mut Log,
) -> Option<Vec<String>> {
    // All of them are filled before the first failure counts, so that all mistakes show.
    let filled: Vec<Option<String>> = templates
        .iter()
        .map(|template| template.value.fill(variables, log))
        .collect();
    filled.into_iter().collect()
}

//! `[search]`: where `grader stress` finds inputs.

use crate::cases::case;
use crate::context::Context;
use crate::diagnostic::{Loaded, loaded};
use crate::file::{CaseFile, ProblemFile, SubtaskFile};
use crate::library::{Library, below};
use crate::parse::parse;
use crate::problem::{Case, Problem};
use crate::subtasks::has_checker;
use crate::value::{At, Name, Scalar, VariableName};
use crate::variables::Values;

/// Seeds that are tried first.
const SEEDS: u128 = 3;

/// The inputs of a search: all combinations of the values of some variables. An input is a list of places, one for each
/// variable, from 0; smaller places mean smaller inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSpace {
    variables: Vec<(String, Values)>,
}

impl SearchSpace {
    /// How many values each variable has, at least 1.
    pub fn counts(&self) -> impl Iterator<Item = u128> + '_ {
        self.variables.iter().map(|(_, values)| values.count())
    }

    /// Places of each variable on which programs fail first, the most telling first: ends of ranges, values beside powers of ten and
    /// two. Of a `seed`, the first ones.
    pub fn notable(&self) -> impl Iterator<Item = Vec<u128>> + '_ {
        let all = self.variables.iter();
        all.map(|(name, values)| match name.as_str() {
            "seed" => (0..values.count().min(SEEDS)).collect(),
            _ => values.notable(),
        })
    }

    /// An input as people read it: `n = 7, seed = 3`.
    pub fn describe(&self, input: &[u128]) -> String {
        let shown = self.values(input);
        let shown = shown.map(|(name, value)| format!("{name} = {value}"));
        shown.collect::<Vec<_>>().join(", ")
    }

    /// The sum of an input's places, by which inputs are compared. A `seed` chooses among inputs of one size, so it does not
    /// count.
    pub fn size(&self, input: &[u128]) -> u128 {
        let all = self.variables.iter().zip(input);
        let places = all.filter(|((name, _), _)| name != "seed");
        places.fold(0, |sum, (_, place)| sum.saturating_add(*place))
    }

    fn values<'a>(&'a self, input: &'a [u128]) -> impl Iterator<Item = (&'a str, String)> {
        let all = self.variables.iter().zip(input);
        all.filter_map(|((name, values), place)| Some((name.as_str(), values.at(*place)?)))
    }
}

/// Reads where the inputs of a problem come from; `None` if no subtask has variables and there is no `[search]`.
///
/// # Errors
/// The mistakes in the file.
pub fn load_search(library: &dyn Library, folder: &str) -> Loaded<Option<SearchSpace>> {
    let (log, file) = parse::<ProblemFile>(library, &below(folder, "problem.toml"))?;
    loaded(Some(space(&file)), log.mistakes)
}

/// The cases of some inputs of a problem, named by the values of their variables.
///
/// # Errors
/// The mistakes in the file.
pub fn load_inputs(
    library: &dyn Library,
    problem: &Problem,
    inputs: &[Vec<u128>],
) -> Loaded<Vec<Case>> {
    let folder = &problem.folder;
    let (log, file) = parse::<ProblemFile>(library, &below(folder, "problem.toml"))?;
    let mut context = Context::new(library, folder, &problem.languages, log);
    context.own.clone_from(&problem.own);
    let space = space(&file).unwrap_or(SearchSpace {
        variables: Vec::new(),
    });
    let subtask = subtask(&file);
    let mut cases = Vec::new();
    for input in inputs {
        let file_case = case_file(&file, &space, input);
        cases.extend(subtask.map(|it| case(&file, it, &file_case, &mut context)));
    }
    loaded(Some(cases), context.log.mistakes)
}

/// Reports the mistakes in `[search]`.
pub(crate) fn check(file: &ProblemFile, context: &mut Context<'_>) {
    let (Some(search), Some(subtask)) = (&file.search, subtask(file)) else {
        return;
    };
    if search.cases.is_empty() {
        context.report(&search.cases.span, "a search needs at least one variable");
    }
    if file.interactor.is_some() {
        context.report(
            &search.span,
            "`search` and `interactor` cannot be used together",
        );
    }
    let least = vec![0; search.cases.len()];
    if let Some(space) = space(file) {
        let file_case = case_file(file, &space, &least);
        // Its mistakes are reported.
        drop(case(file, subtask, &file_case, context));
    }
}

/// The subtask with the checker and the validator of found inputs.
fn subtask(file: &ProblemFile) -> Option<&At<SubtaskFile>> {
    let mut all = file.subtask.iter();
    all.find(|it| it.has_runs() && has_checker(file, it))
}

fn space(file: &ProblemFile) -> Option<SearchSpace> {
    let of_search = file.search.as_ref().map(|search| {
        let own = search.cases.iter();
        own.map(|(name, values)| (name.value.0.clone(), values.value.clone()))
            .collect()
    });
    let variables = of_search.unwrap_or_else(|| {
        let all = || file.subtask.iter().filter_map(|it| it.cases.as_ref());
        let mut names: Vec<&VariableName> = Vec::new();
        for (name, _) in all().flat_map(|it| &it.value) {
            if !names.contains(&&name.value) {
                names.push(&name.value);
            }
        }
        let widened = |name: &&VariableName| {
            let own = all().flat_map(|it| &it.value);
            let own = own.filter(|(other, _)| other.value == **name);
            (
                name.0.clone(),
                Values::widened(own.map(|(_, values)| &values.value)),
            )
        };
        names.iter().map(widened).collect()
    });
    let variables: Vec<_> = variables;
    (!variables.is_empty()).then_some(SearchSpace { variables })
}

fn case_file(file: &ProblemFile, space: &SearchSpace, input: &[u128]) -> CaseFile {
    let span = file.search.as_ref().map_or(0..0, |it| it.span.clone());
    let name = space
        .values(input)
        .map(|(name, value)| format!("{name}={value}"));
    let name = name.collect::<Vec<_>>().join(",");
    let variables = space.values(input);
    let variables = variables.map(|(name, value)| (VariableName(name.to_owned()), Scalar(value)));
    let search = file.search.as_ref();
    CaseFile {
        name: At {
            value: Name(name),
            span,
        },
        variables: variables.collect(),
        arguments: search.and_then(|it| it.arguments.clone()),
        stdin: search.and_then(|it| it.stdin.clone()),
        generate: search.and_then(|it| it.generate.clone()),
        ..CaseFile::default()
    }
}

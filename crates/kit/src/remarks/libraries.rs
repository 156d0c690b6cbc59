//! What a problem's own parts need and this machine lacks.

use std::collections::BTreeSet;

use grader_language::{Language, SourceText};
use grader_model::{Lang, SourceFile, file_stem};
use grader_problem::{Assignment, CaseRef, Problem};

use super::remark::Remark;

/// Remarks on modules, headers and flags without which nobody's work can be judged here.
pub(super) fn missing(assignment: &Assignment, lang: Lang) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for entry in &assignment.problems {
        let problem = &entry.problem;
        let mut found = BTreeSet::new();
        for language in problem.languages.iter() {
            let is_accepted = problem.submission.languages.contains(&language.id);
            let included = of_language(&problem.submission.include, language);
            if is_accepted && (language.has_own_commands() || !included.is_empty()) {
                found.extend(lacks(problem, language, &included, lang));
            }
        }
        for (language, sources) in programs(problem) {
            found.extend(lacks(problem, language, &sources, lang));
        }
        remarks.extend(found.into_iter().map(|it| Remark {
            text: format!("{}: {it}", problem.id),
            ..Remark::default()
        }));
    }
    remarks
}

/// The sources in a language.
fn of_language(files: &[SourceFile], language: &Language) -> Vec<SourceFile> {
    let files = files.iter().filter(|it| language.is_source(it));
    files.cloned().collect()
}

/// The author's programs, with their languages.
fn programs(problem: &Problem) -> Vec<(&Language, Vec<SourceFile>)> {
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for CaseRef { case, .. } in CaseRef::all(problem) {
        for program in case.programs().map(|call| &call.program) {
            if let Some(language) = program.language.as_deref()
                && !seen.contains(&&program.sources)
            {
                seen.push(&program.sources);
                found.push((language, of_language(&program.sources, language)));
            }
        }
    }
    found
}

fn lacks(
    problem: &Problem,
    language: &Language,
    sources: &[SourceFile],
    lang: Lang,
) -> Vec<String> {
    let is_own = |module: &str| {
        let mut sources = sources.iter();
        problem.submission.may_be_module(module)
            || sources.any(|it| {
                let folder = it.path.split('/').next().unwrap_or_default();
                file_stem(&it.path) == module || folder == module
            })
    };
    let lacking = language.lacks(&SourceText::all(sources), is_own);
    lacking.iter().map(|it| it.get(lang).to_owned()).collect()
}

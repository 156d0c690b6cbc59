//! The author's files that are built with every submission.

use grader_language::{Language, Languages, ProgramSources, SourceText};
use grader_model::{Excerpt, LanguageId, SourceFile, Text, text};
use grader_problem::{Case, CaseRef, Problem};

use crate::constants::MAX_REMARKS;

/// A program's sources with the included files for its language. Those of the student that [give way](Language::give_way) are left
/// out. All else stays.
pub(crate) fn with_included<'a>(
    language: &Language,
    languages: &Languages,
    own: &'a [SourceText<'a>],
    included: &'a [SourceText<'a>],
) -> ProgramSources<'a> {
    let included: Vec<_> = of_language(language, languages, included).collect();
    let mut give_way = language.give_way(own, &included).into_iter();
    let (left_out, own) = own.iter().partition(|_| give_way.next().unwrap_or(false));
    ProgramSources {
        own,
        included,
        left_out,
    }
}

/// The included files that are built with programs in this language.
pub(crate) fn of_language<'a>(
    language: &Language,
    languages: &Languages,
    included: &'a [SourceText<'a>],
) -> impl Iterator<Item = &'a SourceText<'a>> {
    let is_own = |extension: &String| language.definition.extensions.contains(extension);
    let has_own = included.iter().any(|it| is_own(&it.file.extension()));
    included.iter().filter(move |source| {
        let extension = source.file.extension();
        // A C++ compiler accepts C, too.
        let is_c = language.id == LanguageId::Cpp && extension == "c" && !has_own;
        let name = source.file.name();
        let is_foreign = languages.of_file_name(name).is_some()
            || languages.is_header_name(name) && !language.definition.headers.contains(&extension);
        is_own(&extension) || is_c || !is_foreign
    })
}

/// What the student learns of files that were left out, unless they are the author's own, and of other versions of these.
pub(crate) fn remarks(language: &Language, sources: &ProgramSources<'_>) -> Vec<Text> {
    let shown = |text: &str| Excerpt::first(text.as_bytes(), 80);
    let mut remarks = Vec::new();
    for source in &sources.left_out {
        let file = shown(source.submitted);
        let mut included = sources.included.iter();
        if included.any(|it| language.is_copy_of(source, it)) {
            continue;
        }
        remarks.push(if source.file.path == "package.json" {
            text!(
                "`{file}` was left out: it changes how the task's own files are read.",
                "没有使用 `{file}`：它会改变题目自带文件的读取方式。"
            )
        } else {
            text!(
                "`{file}` was left out: the task's own file of that name takes its place.",
                "没有使用 `{file}`：本题有自己的同名文件，以它为准。"
            )
        });
    }
    for source in &sources.own {
        let mut included = sources.included.iter();
        let authors = included.find(|it| language.is_other_version(source, it));
        remarks.extend(authors.map(|authors| {
            let (file, authors) = (shown(source.submitted), shown(&authors.file.path));
            text!("`{file}` is not the task's own `{authors}`: your files use yours, the task's files theirs.", "`{file}` 与题目自带的 `{authors}` 不同：你的文件使用你的，题目的文件使用题目的。")
        }));
    }
    remarks.truncate(MAX_REMARKS);
    remarks
}

/// What the student learns of data files that the program does not find, because the problem has other ones of that name.
pub(crate) fn replaced_data(problem: &Problem, data: &[SourceFile]) -> Option<Text> {
    let rule = &problem.run;
    let is_replaced = |own: &&SourceFile| {
        let mut cases = CaseRef::all(problem).map(|it| it.case);
        let given = |case: &Case| {
            let mut all = rule.files.iter().chain(&case.files);
            all.any(|it| it == *own)
        };
        cases.any(|case| rule.has_file(case, &own.path) && !given(case))
    };
    let names = data.iter().filter(is_replaced).take(MAX_REMARKS);
    let names = names.map(|it| format!("`{}`", Excerpt::first(it.path.as_bytes(), 80)));
    let names: Vec<String> = names.collect();
    let (en, zh) = (names.join(", "), names.join("、"));
    (!names.is_empty()).then(|| {
        text!(
            "Not put where your program runs: {en}. The task has its own files of that name.",
            "运行程序的文件夹里没有放你的 {zh}：本题有自己的同名文件，以它们为准。"
        )
    })
}

//! Where a program starts.

use std::collections::BTreeSet;

use grader_language::Outline;
use grader_model::file_name;

use crate::pattern::Patterns;
use crate::pool::Pool;
use crate::program::Kind;

/// Where a program starts.
pub(crate) enum Start {
    In(usize),
    /// Any of these could be meant.
    Several(Vec<usize>),
    Nowhere,
}

/// Finds the one of these sources in which a program starts, or which the author's program uses.
pub(crate) fn start(
    sources: &[usize],
    problem: usize,
    pool: &Pool<'_>,
    patterns: &Patterns,
) -> Start {
    let language = |at: usize| match pool.files[at].kind {
        Kind::Source(id) => patterns.languages.get(id),
        _ => None,
    };
    let outline = |at: usize| Some(pool.outline(at, language(at)?));
    let uses = |mentions: &BTreeSet<String>, at: usize| match pool.files[at].stem() {
        "__init__" => mentions.contains(file_name(pool.files[at].folder)),
        stem => mentions.contains(stem),
    };
    let is_part = |at: usize, all: &[usize]| {
        let mut others = all.iter().filter(|&&other| other != at);
        others.any(|&other| outline(other).is_some_and(|it| uses(&it.mentions, at)))
    };
    let author = |at: usize| {
        let authors = patterns.authors(problem, language(at)?.id);
        authors.filter(|it| it.has_main)
    };
    if sources.iter().any(|&at| author(at).is_some()) {
        let own = &patterns.problem(problem).submission.include;
        let is_own = |at: usize| own.iter().any(|it| it.path == pool.files[at].name);
        let is_named =
            |at: &usize| !is_own(*at) && author(*at).is_some_and(|it| uses(&it.mentions, *at));
        let is_used = |at: &usize| {
            let pair = author(*at).zip(outline(*at));
            pair.is_some_and(|(author, own)| {
                let mut defines = own
                    .defines
                    .iter()
                    .map(|it| it.rsplit('.').next().unwrap_or(it));
                !author.uses.is_disjoint(&own.offers)
                    || defines.any(|it| author.mentions.contains(it))
            })
        };
        let fitting = |fits: &dyn Fn(&usize) -> bool| -> Vec<usize> {
            sources.iter().copied().filter(|it| fits(it)).collect()
        };
        // What the others use is only a part of it.
        let is_top = |at: &usize| !is_part(*at, sources);
        let choices = [
            fitting(&is_named),
            fitting(&is_used),
            fitting(&is_top),
            sources.to_vec(),
        ];
        let all = choices.into_iter().find(|it| !it.is_empty());
        return for_author(&all.unwrap_or_default(), pool, &outline);
    }
    let has_main = |at: &usize| outline(*at).is_some_and(|it| it.has_main);
    let all: Vec<usize> = sources.iter().copied().filter(has_main).collect();
    let is_aside = |at: &usize| {
        outline(*at).is_some_and(|it| it.is_test) || is_aside(&pool.files[*at].file.path)
    };
    let serious: Vec<usize> = all.iter().copied().filter(|it| !is_aside(it)).collect();
    let left = if serious.is_empty() { &all } else { &serious };
    let is_top = |at: &usize| !is_part(*at, left);
    let top: Vec<usize> = left.iter().copied().filter(is_top).collect();
    match (&top[..], &left[..], sources) {
        ([one], ..) | (_, [one], _) | (_, [], [one]) => Start::In(*one),
        (_, [], _) => Start::Nowhere,
        _ => Start::Several(left.clone()),
    }
}

/// Where a program of the author's begins to use the student's: if two of these define the same, both could be meant.
fn for_author<'p>(
    all: &[usize],
    pool: &Pool<'_>,
    outline: &dyn Fn(usize) -> Option<&'p Outline>,
) -> Start {
    let serious = |at: &&usize| !is_aside(&pool.files[**at].file.path);
    let Some(&first) = all.iter().find(serious).or(all.first()) else {
        return Start::Nowhere;
    };
    let defines = |at: usize| outline(at).map(|it| &it.defines);
    let is_rival = |at: &&usize| {
        let both = defines(**at).zip(defines(first));
        **at != first && both.is_some_and(|(own, first)| !own.is_disjoint(first))
    };
    let rivals: Vec<usize> = all
        .iter()
        .filter(serious)
        .filter(is_rival)
        .copied()
        .collect();
    if rivals.is_empty() {
        Start::In(first)
    } else {
        Start::Several([&[first], &rivals[..]].concat())
    }
}

/// Words in names of programs that are not the one to judge.
const ASIDE: [&str; 14] = [
    "backup", "bak", "copy", "demo", "demos", "example", "examples", "old", "test", "tests", "旧",
    "备份", "副本", "测试",
];

/// Whether the name of a file or of a folder around it says that it is a test, an example or an old version.
pub(crate) fn is_aside(path: &str) -> bool {
    let mut words: Vec<String> = vec![String::new()];
    let mut last = ' ';
    for c in path.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && last.is_lowercase() || c.is_numeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
        last = c;
    }
    words.iter().any(|word| ASIDE.contains(&word.as_str()))
}

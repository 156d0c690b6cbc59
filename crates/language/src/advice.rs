//! Advice on failed builds and runs, by the rules of `advice.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use grader_model::{End, Excerpt, LanguageId, Text, file_name, text};
use serde::Deserialize;

use crate::constants::{MAX_LINES_PER_RULE, MAX_NAME_BYTES};
use crate::error_place::FirstError;
use crate::facts::SourceFacts;
use crate::failure::{Failure, failure};
use crate::full_width;
use crate::language::Language;
use crate::source::{ProgramSources, SourceText};

/// The contents of `advice.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct AdviceTable {
    text: BTreeMap<String, Text>,
    word: BTreeMap<String, Vec<[String; 3]>>,
    first: ByLanguage,
    build: ByLanguage,
    run: ByLanguage,
    included: ByLanguage,
    undefined: Vec<AdviceRule>,
    signal: BTreeMap<String, (String, String)>,
    pascal_error: BTreeMap<String, (String, String)>,
}

/// Rules of a language; those of `any` are for all, those of `c` for C++, too.
type ByLanguage = BTreeMap<String, Vec<AdviceRule>>;

/// A piece of advice with its conditions. `advice.toml` explains the keys.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct AdviceRule {
    languages: Vec<LanguageId>,
    patterns: Vec<String>,
    only: Vec<String>,
    words: Option<String>,
    similar: Vec<String>,
    unless: Vec<String>,
    if_source: Vec<String>,
    code: Vec<String>,
    unless_code: Vec<String>,
    line_above: Vec<String>,
    line_below: Vec<String>,
    if_stderr: Vec<String>,
    signal: Option<i32>,
    submitted: Option<bool>,
    topic: Option<String>,
    alone: bool,
    whole_program: Option<bool>,
    with: Option<String>,
    text: Option<String>,
    en: String,
    zh: String,
}

static ADVICE: LazyLock<AdviceTable> = LazyLock::new(|| {
    toml::from_str(include_str!("advice.toml")).expect("a test reads advice.toml")
});

/// A run that failed, and what is known of its program.
#[derive(Clone, Copy, Debug)]
pub struct FailedRun<'a> {
    /// Its standard error.
    pub stderr: &'a [u8],
    /// How it ended.
    pub end: End,
    /// Whether the author's files have the entry point: nothing is said that holds only for whole programs.
    pub has_authors_main: bool,
    /// Whether the program is one file, so that a line needs no file.
    pub is_one_file: bool,
    /// Whether the program reads its command-line arguments.
    pub reads_arguments: bool,
}

impl Language {
    /// Likely causes of a build failure, from the compiler's messages.
    ///
    /// If the author's files have the entry point, nothing is said that holds only for whole programs.
    pub fn explain_build(
        &self,
        messages: &[u8],
        sources: &ProgramSources<'_>,
        has_authors_main: bool,
    ) -> Vec<Text> {
        let all = sources.all();
        let messages = String::from_utf8_lossy(messages).replace(['\u{2018}', '\u{2019}'], "'");
        // The other errors follow from it.
        if let Some(advice) = full_width::advice(&sources.own, self, &messages) {
            return vec![advice];
        }
        let is_submitted = |name: &str| {
            let name = file_name(name);
            let mut own = sources.own.iter();
            own.any(|it| file_name(it.submitted).eq_ignore_ascii_case(name))
        };
        let first = FirstError::new(&messages, sources, self);
        let is_for = |rule: &&AdviceRule| rule.is_for(self.id, &all, has_authors_main);
        let mut rules = rules_of(self.id, &ADVICE.first).filter(is_for);
        let own_error = first.as_ref().filter(|it| !it.is_foreign);
        if let Some(text) =
            own_error.and_then(|it| rules.find_map(|rule| rule.advice_on(it, sources)))
        {
            return vec![text];
        }
        let on_lines = |rule: &AdviceRule| {
            let captured = messages.lines().filter_map(|line| rule.captures(line));
            let captured = captured.filter(|it| {
                let name = it.first().copied().unwrap_or_default();
                rule.submitted.is_none_or(|it| it == is_submitted(name))
            });
            let all = captured.filter_map(|it| rule.advice(&it, first.as_ref()));
            let mut said = Vec::new();
            for text in all.take(MAX_LINES_PER_RULE) {
                if !said.contains(&text) {
                    said.push(text);
                }
            }
            said
        };
        let mut said = rules_of(self.id, &ADVICE.build)
            .filter(is_for)
            .map(on_lines);
        said.find(|it| !it.is_empty()).unwrap_or_default()
    }

    /// Likely causes of a run's failure, from its standard error.
    pub fn explain_run(&self, run: &FailedRun<'_>) -> Vec<Text> {
        let stderr = &*String::from_utf8_lossy(run.stderr);
        if let Some(text) = pascal_error(stderr).filter(|_| self.id == LanguageId::Pascal) {
            return vec![text];
        }
        let failure = failure(self.id, stderr);
        let own = ADVICE
            .first
            .get(self.id.as_str())
            .filter(|_| failure.is_some());
        let rules = rules_of(self.id, &ADVICE.run).chain(own.into_iter().flatten());
        let is_of = |rule: &&AdviceRule| {
            rule.is_for(self.id, &[], run.has_authors_main)
                && rule.signal.is_none_or(|it| run.end == End::Signalled(it))
        };
        let found = rules.filter(is_of).find_map(|rule| {
            let captured = match &failure {
                Some(failure) => rule.captures(&failure.what),
                None => stderr.lines().find_map(|line| rule.captures(line)),
            };
            let captured = captured?;
            let name = captured.first().copied().unwrap_or_default();
            let has = |part: &String| stderr.contains(&part.replace("{1}", name));
            let is_met = rule.if_stderr.is_empty() || rule.if_stderr.iter().any(has);
            let text = rule.advice(&captured, None).filter(|_| is_met)?;
            Some((rule, with_argument(&text, run)))
        });
        let is_alone = found.as_ref().is_some_and(|(rule, _)| rule.alone);
        let failure = failure.filter(|_| !is_alone);
        let mut list: Vec<Text> = failure.iter().map(|it| self.headline(it, run)).collect();
        list.extend(found.map(|(_, text)| text));
        if list.is_empty() {
            list.extend(self.ended(run.end, run.has_authors_main));
        }
        list
    }

    /// Whether standard error ends with an exception of this language, as its interpreter or library writes it.
    pub fn has_exception(&self, stderr: &[u8]) -> bool {
        failure(self.id, &String::from_utf8_lossy(stderr)).is_some()
    }

    /// Advice based only on how the run ended.
    fn ended(&self, end: End, has_authors_main: bool) -> Option<Text> {
        let status = match end {
            End::Exited(0) => return None,
            // The author's file set it.
            End::Exited(_) if has_authors_main => return None,
            End::Exited(status) => status,
            End::Signalled(signal) => {
                let (en, zh) = ADVICE.signal.get(&signal.to_string())?;
                return Some(Text::new(en, zh));
            }
        };
        let (call, look, look_zh) = match &self.definition.exit_call {
            Some(call) => (format!(" (`{call}`)"), "", ""),
            None => (
                String::new(),
                " Look at what `main` returns and at calls of `exit`.",
                "请检查 `main` 的返回值和对 `exit` 的调用。",
            ),
        };
        Some(text!(
            "The program ended with exit status {status}{call}; only 0 means success.{look}",
            "程序以退出码 {status} 结束{call}，只有 0 才表示成功。{look_zh}"
        ))
    }

    /// Whether a failed run reports that it ran out of memory (`OutOfMemoryError`, `MemoryError`).
    pub fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let stderr = String::from_utf8_lossy(stderr);
        let mut patterns = self.definition.out_of_memory.iter();
        patterns.any(|pattern| captured(pattern, &stderr).is_some())
    }

    /// A file that a failed run could not find, from its standard error or, if that names none (C), from the source.
    pub fn missing_file(&self, stderr: &[u8], facts: &SourceFacts) -> Option<String> {
        let stderr = String::from_utf8_lossy(stderr);
        let patterns = &self.definition.missing_file;
        let found = patterns.iter().find_map(|it| captured(it, &stderr));
        match found.as_deref() {
            None if !patterns.is_empty() => None,
            Some([name, ..]) => Some((*name).to_owned()),
            None | Some([]) => facts.missing.clone(),
        }
    }

    /// The exception or panic that ended a run, by its type and place: `` `KeyError` at line 7 ``.
    pub fn exception(&self, run: &FailedRun<'_>) -> Option<Text> {
        let failure = failure(self.id, &String::from_utf8_lossy(run.stderr))?;
        let name = if self.panics() {
            "panic"
        } else {
            let name = failure.what.split(": ").next()?;
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$:".contains(&byte);
            // The package of a Java class says nothing new.
            let name = name.rsplit('.').next().unwrap_or(name);
            name.bytes().all(is_name).then_some(name)?
        };
        let (name, at) = (quote(name), self.place_of(&failure, run));
        Some(text!("`{name}`{at}", "{at}因 `{name}`", at))
    }

    fn panics(&self) -> bool {
        matches!(self.id, LanguageId::Rust | LanguageId::Go)
    }

    /// Where a failure happened, as the end of a sentence; empty if that is unknown.
    fn place_of(&self, failure: &Failure, run: &FailedRun<'_>) -> Text {
        let Some(place) = &failure.place else {
            return Text::default();
        };
        let line = quote(&place.line);
        if self.panics() {
            return text!(" at {line}", "在 {line} 处");
        }
        let has_name = !run.is_one_file || run.has_authors_main;
        let file = place.file.as_deref().filter(|_| has_name);
        let of = file
            .map(quote)
            .map_or_else(Default::default, |file| text!(" of `{file}`", " `{file}` "));
        text!(" at line {line}{of}", "在{of}第 {line} 行", of)
    }

    /// Names the exception or panic.
    fn headline(&self, failure: &Failure, run: &FailedRun<'_>) -> Text {
        let (what, at) = (quote(likely(&failure.what)), self.place_of(failure, run));
        if self.panics() {
            text!(
                "The program panicked{at}: {what}",
                "程序{at}发生 panic：{what}",
                at
            )
        } else {
            text!(
                "An exception ended the program{at}: {what}",
                "程序{at}因异常而结束：{what}",
                at
            )
        }
    }
}

/// An exception without a name that Python suggests and that is not near to the one it misses: `round` for `count`.
fn likely(what: &str) -> &str {
    const SUGGESTS: &str = "^NameError: name '{}' is not defined. Did you mean: '{}'?";
    let names = captures(SUGGESTS, what);
    match names.as_deref() {
        Some([name, other]) if distance(name, other).is_none() => {
            what.split(". Did you mean").next().unwrap_or(what)
        }
        _ => what,
    }
}

/// A text of a rule with `{argument}` filled in: only a program that reads arguments can lack one.
fn with_argument(text: &Text, run: &FailedRun<'_>) -> Text {
    let (en, zh) = if run.reads_arguments && !run.has_authors_main {
        (
            ", or the program reads a command-line argument that it was not given",
            "，或者程序要取的命令行参数并没有给出",
        )
    } else {
        ("", "")
    };
    Text::new(
        text.en.replace("{argument}", en),
        text.zh.replace("{argument}", zh),
    )
}

impl AdviceRule {
    fn is_for(&self, id: LanguageId, sources: &[&SourceText<'_>], has_authors_main: bool) -> bool {
        let mut texts = sources.iter().map(|source| &source.text);
        self.whole_program.is_none_or(|it| it != has_authors_main)
            && (self.languages.is_empty() || self.languages.contains(&id))
            && (self.if_source.is_empty()
                || texts.any(|text| self.if_source.iter().any(|word| text.contains(word))))
    }

    /// The texts at the `{}`s of the first pattern that the line contains, and what the rule knows of the first one.
    fn captures<'a>(&'a self, line: &'a str) -> Option<Vec<&'a str>> {
        let is_other = |text: &String| captures(text, line).is_some();
        let mut patterns = self.patterns.iter();
        let found = patterns.find_map(|it| self.completed(captures(it, line)?));
        found.filter(|_| !self.unless.iter().any(is_other))
    }

    /// `None` if the first text is not one that the rule is for.
    fn completed<'a>(&'a self, mut captured: Vec<&'a str>) -> Option<Vec<&'a str>> {
        let first = captured.first().copied().unwrap_or_default();
        let is_meant = |only: &String| match only.strip_suffix('*') {
            Some(start) => first.starts_with(start),
            None => only == first || *only == first.to_lowercase(),
        };
        if let Some(name) = &self.words {
            let mut words = ADVICE.word.get(name)?.iter();
            let [_, origin, instead] = words.find(|it| it[0] == first)?;
            captured.extend([&**origin, instead]);
        }
        if !self.similar.is_empty() {
            let last = captured.last().copied().unwrap_or_default();
            let all = self
                .similar
                .iter()
                .map(|it| if it == "{}" { last } else { it });
            let all = all.filter_map(|it| Some((distance(first, it)?, it)));
            captured.push(all.min().filter(|it| it.1 != first)?.1);
        }
        (self.only.is_empty() || self.only.iter().any(is_meant)).then_some(captured)
    }

    /// The advice on the first error of a build, if it matches.
    fn advice_on(&self, first: &FirstError, sources: &ProgramSources<'_>) -> Option<Text> {
        let mut captured = self.captures(&first.about)?;
        for text in &mut captured {
            *text = text.lines().next().unwrap_or_default();
        }
        if !self.code.is_empty() || !self.unless_code.is_empty() {
            let code = &*first.place.as_ref()?.code;
            let name = captured.first().copied().unwrap_or_default();
            let in_code = |pattern: &String| {
                let line = code.lines().next().unwrap_or_default();
                let code = if pattern.contains('\n') { code } else { line };
                let found = captures(&pattern.replace("{1}", name), code)?;
                (!found.iter().any(|it| it.contains('\n'))).then_some(found)
            };
            if self.unless_code.iter().any(|it| in_code(it).is_some()) {
                return None;
            }
            if !self.code.is_empty() {
                captured.extend(self.code.iter().find_map(in_code)?);
            }
        }
        let mut text = self.advice(&captured, Some(first))?;
        if !self.line_above.is_empty() || !self.line_below.is_empty() {
            let there = self.line_elsewhere(first.line, &captured, sources)?;
            fill(&mut text, "{there}", &there.to_string());
        }
        Some(text)
    }

    /// The first line above or below that of the error that the rule asks for, if the program is one file.
    fn line_elsewhere(
        &self,
        line: usize,
        captured: &[&str],
        sources: &ProgramSources<'_>,
    ) -> Option<usize> {
        let [source] = &*sources.own else {
            return None;
        };
        let name = captured.first().copied().unwrap_or_default();
        let is_one = |list: &[String], text: &str| {
            let mut patterns = list.iter().map(|it| it.replace("{1}", name));
            patterns.any(|it| captures(&it, text).is_some())
        };
        let mut lines = (1..).zip(source.text.lines());
        let found = lines.find(|&(at, text)| {
            at < line && is_one(&self.line_above, text)
                || at > line && is_one(&self.line_below, text)
        });
        Some(found?.0)
    }

    /// `None` if the text names a line that is unknown.
    fn advice(&self, captured: &[&str], first: Option<&FirstError>) -> Option<Text> {
        let shared = self.text.as_ref().and_then(|name| ADVICE.text.get(name));
        let mut text = shared
            .cloned()
            .unwrap_or_else(|| Text::new(&self.en, &self.zh));
        let place = first.and_then(|it| it.place.as_ref());
        let lines = [
            ("{line}", first.map(|it| it.line)),
            ("{above}", place.and_then(|it| it.above)),
            ("{open}", place.and_then(|it| it.open)),
        ];
        for (name, line) in lines {
            if text.en.contains(name) {
                fill(&mut text, name, &line?.to_string());
            }
        }
        let first = self.with.as_deref().or(captured.first().copied());
        let rest = captured.iter().skip(1).copied();
        let values = [first.unwrap_or_default()].into_iter().chain(rest);
        for (value, number) in values.chain([""]).zip(1..) {
            // GCC's name for a sign: `';' token`.
            let value = value.strip_suffix(" token").unwrap_or(value);
            fill(&mut text, &format!("{{{number}}}"), &quote(value));
        }
        Some(text)
    }
}

fn rules_of(id: LanguageId, all: &ByLanguage) -> impl Iterator<Item = &AdviceRule> {
    let is_cpp = id == LanguageId::Cpp;
    let keys = ["any", if is_cpp { "c" } else { "" }, id.as_str()];
    keys.into_iter().filter_map(|key| all.get(key)).flatten()
}

fn fill(text: &mut Text, name: &str, value: &str) {
    text.en = text.en.replace(name, value);
    text.zh = text.zh.replace(name, value);
}

/// How far a word is from another one that may be meant; a short one is near to too many.
fn distance(word: &str, other: &str) -> Option<usize> {
    let most = match word.len() {
        3..6 => 1,
        6..MAX_NAME_BYTES => 2,
        _ => return None,
    };
    let found = strsim::osa_distance(&word.to_lowercase(), &other.to_lowercase());
    (found <= most).then_some(found + usize::from(word != other))
}

/// What the author's files miss in a student's, from what the compiler says about them; names only.
pub(crate) fn explain_included(id: LanguageId, said: &[String], included: &[String]) -> Vec<Text> {
    let is_name = |text: &&str| {
        let mut chars = text.chars();
        chars.all(|c| c.is_alphanumeric() || "_.:$~".contains(c))
    };
    // The author's own class: `main` of `main.java`.
    let is_authors = |name: &&str| included.iter().any(|it| it.split('.').next() == Some(name));
    let mut list: Vec<Text> = Vec::new();
    for line in said {
        let mut rules = rules_of(id, &ADVICE.included);
        let found = rules.find_map(|rule| {
            let captured = rule.captures(line).filter(|_| rule.is_for(id, &[], true))?;
            let is_fit = captured.iter().all(|it| is_name(it) && !is_authors(it));
            rule.advice(&captured, None).filter(|_| is_fit)
        });
        if let Some(text) = found.filter(|it| !list.contains(it)) {
            list.push(text);
        }
    }
    list
}

/// What an event of undefined behaviour means, and the topic of the rule that says so.
pub(crate) fn explain_undefined(event: &str) -> Option<(Text, Option<&'static str>)> {
    let mut rules = ADVICE.undefined.iter();
    rules.find_map(|rule| {
        let text = rule.advice(&rule.captures(event)?, None)?;
        Some((text, rule.topic.as_deref()))
    })
}

/// The meaning of an error number of Free Pascal's run-time library.
fn pascal_error(stderr: &str) -> Option<Text> {
    let found = captured("Runtime error {} at ", stderr)?;
    let unknown = (
        "see the manual of Free Pascal".to_owned(),
        "含义请查阅 Free Pascal 手册".to_owned(),
    );
    let (en, zh) = ADVICE.pascal_error.get(found[0]).unwrap_or(&unknown);
    let number = quote(found[0]);
    Some(text!(
        "Runtime error {number}: {en}.",
        "运行时错误 {number}：{zh}。"
    ))
}

/// The texts at the `{}`s of a pattern; `None` if the line does not contain it.
pub(crate) fn captures<'a>(pattern: &str, line: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split("{}");
    let first = pieces.next().unwrap_or_default();
    let (begin, end) = range_of(first.trim_start_matches('^'), line)?;
    if first.starts_with('^') && begin > 0 {
        return None;
    }
    let mut rest = &line[end..];
    let mut captured = Vec::new();
    for piece in pieces {
        let (begin, end) = match piece {
            "" => (rest.len(), rest.len()),
            piece => range_of(piece, rest)?,
        };
        if begin == 0 {
            return None;
        }
        captured.push(&rest[..begin]);
        rest = &rest[end..];
    }
    Some(captured)
}

/// Where a line contains texts with `…` between them, each as early as possible.
fn range_of(texts: &str, line: &str) -> Option<(usize, usize)> {
    let mut texts = texts.split('…');
    let first = texts.next().unwrap_or_default();
    let begin = line.find(first)?;
    let mut end = begin + first.len();
    for text in texts {
        end += line[end..].find(text)? + text.len();
    }
    Some((begin, end))
}

/// The same for the first line of a text that contains the pattern.
fn captured<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    text.lines().find_map(|line| captures(pattern, line))
}

/// A student's text inside a message: escaped and truncated.
fn quote(text: &str) -> String {
    Excerpt::new(text.trim_end().as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_place::ErrorPlace;

    #[test]
    fn every_rule_has_its_text_in_both_languages() {
        let is_chinese = |text: &str| text.chars().any(|c| c >= '\u{4e00}');
        let tables = [&ADVICE.first, &ADVICE.build, &ADVICE.run, &ADVICE.included];
        for key in tables.iter().flat_map(|it| it.keys()) {
            let mut known = LanguageId::ALL.iter().map(|it| it.as_str()).chain(["any"]);
            assert!(known.any(|it| it == key), "{key}");
        }
        let rules = tables.iter().flat_map(|it| it.values().flatten());
        for rule in rules.chain(&ADVICE.undefined) {
            assert!(rule.words.iter().all(|it| ADVICE.word.contains_key(it)));
            let place = ErrorPlace {
                above: Some(1),
                open: Some(1),
                ..ErrorPlace::default()
            };
            let first = FirstError {
                place: Some(place),
                ..FirstError::default()
            };
            let text = rule.advice(&["x", "y"], Some(&first)).unwrap();
            assert!(
                !text.en.is_empty() && is_chinese(&text.zh),
                "{:?}",
                rule.patterns
            );
            assert!(
                !rule.patterns.is_empty()
                    && rule.languages.iter().all(|id| LanguageId::ALL.contains(id))
            );
        }
        let numbered = ADVICE.signal.iter().chain(&ADVICE.pascal_error);
        for (number, (_, zh)) in numbered {
            assert!(number.parse::<u32>().is_ok() && is_chinese(zh), "{number}");
        }
    }

    #[test]
    fn a_pattern_takes_the_texts_in_its_place() {
        let table = [
            ("named '{}'", "No module named 'x' or 'y'", Some(vec!["x"])),
            ("{}: {}", "a.c: b: c", Some(vec!["a.c", "b: c"])),
            ("^b{}", "abc", None),
            ("a {}", "a ", None),
            ("is", "this", Some(vec![])),
            ("^a…c {} …f", "a b c d e f", Some(vec!["d"])),
            ("^b…c", "a b c", None),
        ];
        for (pattern, line, expected) in table {
            assert_eq!(captures(pattern, line), expected, "{pattern}");
        }
    }
}

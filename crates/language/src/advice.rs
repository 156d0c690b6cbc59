//! Advice on builds and runs that failed, by the rules of `advice.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use grader_model::{End, LanguageId, SourceFile, Text};
use serde::Deserialize;

use crate::failure::{Failure, failure};
use crate::first_error::{CompilerError, first_error};
use crate::language::Language;
use crate::lexer::source_text;
use crate::pattern::{captures, push, quote};

/// Most texts that one pattern takes.
const MAX_TAKEN: usize = 5;

/// What `advice.toml` holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rules {
    text: BTreeMap<String, Text>,
    build: Vec<Rule>,
    run: Vec<Rule>,
    signal: BTreeMap<String, (String, String)>,
    pascal_error: BTreeMap<String, (String, String)>,
}

/// When to give which advice. The keys are explained in `advice.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rule {
    #[serde(default)]
    languages: Vec<LanguageId>,
    patterns: Vec<String>,
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
    r#where: Option<Where>,
    if_message: Option<String>,
    #[serde(default)]
    if_source: Vec<String>,
    topic: Option<String>,
    #[serde(default)]
    last: bool,
    #[serde(default)]
    alone: bool,
    with: Option<String>,
    text: Option<String>,
    en: Option<String>,
    zh: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Where {
    FirstError,
    BesideFirstError,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    toml::from_str(include_str!("advice.toml")).expect("a test reads advice.toml")
});

impl Language {
    /// Likely causes of a failed build, from the compiler's messages.
    pub fn explain_build(&self, messages: &[u8], sources: &[SourceFile]) -> Vec<Text> {
        let messages = String::from_utf8_lossy(messages).replace(['\u{2018}', '\u{2019}'], "'");
        let first = first_error(&messages, |_| true);
        let beside = first
            .as_ref()
            .map(|first| format!("{}:{}:", first.file, first.line));
        let mut list = match self.id() {
            LanguageId::Rust => crate::rust::missing_modules(&messages, sources),
            _ => Vec::new(),
        };
        // What rules of a topic took.
        let mut taken: BTreeSet<(&str, String)> = BTreeSet::new();
        for rule in RULES
            .build
            .iter()
            .filter(|rule| rule.is_for(self.id(), sources))
        {
            let first_line = first.iter().map(|first| first.message.as_str());
            let lines: Box<dyn Iterator<Item = &str>> = match (rule.r#where, &beside) {
                (Some(Where::FirstError), _) => Box::new(first_line),
                (Some(Where::BesideFirstError), Some(place)) => {
                    Box::new(messages.lines().filter(move |line| line.starts_with(place)))
                }
                (Some(Where::BesideFirstError), None) => continue,
                (None, _) => Box::new(messages.lines()),
            };
            let mut matches = false;
            for captured in lines.filter_map(|line| rule.captures(line)).take(MAX_TAKEN) {
                let name = captured.first().copied().unwrap_or_default();
                let needs = rule
                    .if_message
                    .as_ref()
                    .map(|text| text.replace("{1}", name));
                if needs.is_some_and(|text| !messages.contains(&text)) {
                    continue;
                }
                matches = true;
                let is_new = rule
                    .topic
                    .as_deref()
                    .is_none_or(|topic| taken.insert((topic, name.to_owned())));
                if is_new {
                    push(&mut list, rule.advice(&captured, first.as_ref()));
                }
            }
            if matches && rule.last {
                break;
            }
        }
        list
    }

    /// Likely causes of a failed run, from its standard error.
    pub fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text> {
        let stderr = &*String::from_utf8_lossy(stderr);
        if let Some(text) = pascal_error(stderr).filter(|_| self.id() == LanguageId::Pascal) {
            return vec![text];
        }
        let failure = failure(self.id(), stderr);
        let mut rules = RULES.run.iter().filter(|rule| rule.is_for(self.id(), &[]));
        let found = rules.find_map(|rule| {
            let captured = match &failure {
                Some(failure) => rule.captures(&failure.what),
                None => stderr.lines().find_map(|line| rule.captures(line)),
            };
            Some((rule, rule.advice(&captured?, None)))
        });
        let is_alone = found.as_ref().is_some_and(|(rule, _)| rule.alone);
        let mut list: Vec<Text> = failure.iter().filter(|_| !is_alone).map(headline).collect();
        list.extend(found.map(|(_, text)| text));
        if list.is_empty() {
            list.extend(self.ended(end));
        }
        list
    }

    /// What an end tells by itself.
    fn ended(&self, end: End) -> Option<Text> {
        let status = match end {
            End::Exited(0) => return None,
            End::Exited(status) => status,
            End::Signalled(signal) => {
                let (en, zh) = RULES.signal.get(&signal.to_string())?;
                return Some(Text::new(en, zh));
            }
        };
        Some(match &self.definition.exit_call {
            None => Text::new(
                format!(
                    "The program ended with exit status {status}; only 0 means success. Look at what `main` returns \
                     and at calls of `exit`."
                ),
                format!(
                    "程序以退出码 {status} 结束，只有 0 才表示成功。请检查 `main` 的返回值和对 `exit` 的调用。"
                ),
            ),
            Some(call) => Text::new(
                format!(
                    "The program ended itself with exit status {status} (`{call}`); only 0 means success."
                ),
                format!("程序自己以退出码 {status} 结束（`{call}`），只有 0 才表示成功。"),
            ),
        })
    }

    /// Whether a failed run ran out of memory by its own account (`OutOfMemoryError`, `MemoryError`).
    pub fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let stderr = String::from_utf8_lossy(stderr);
        let patterns = self.definition.out_of_memory.as_deref().unwrap_or_default();
        stderr
            .lines()
            .any(|line| patterns.iter().any(|it| captures(it, line).is_some()))
    }

    /// A file that a failed run opened and did not find, as far as its standard error tells; if that tells nothing
    /// (C), as far as the source does.
    pub fn missing_file(&self, stderr: &[u8], sources: &[SourceFile]) -> Option<String> {
        let stderr = String::from_utf8_lossy(stderr);
        let Some(patterns) = &self.definition.missing_file else {
            return self.opened_for_input(sources);
        };
        let found = stderr
            .lines()
            .find_map(|line| patterns.iter().find_map(|it| captures(it, line)))?;
        match found.first() {
            Some(&name) => Some(name.to_owned()),
            None => self.opened_for_input(sources),
        }
    }
}

impl Rule {
    fn is_for(&self, id: LanguageId, sources: &[SourceFile]) -> bool {
        let mut texts = sources.iter().map(source_text);
        (self.languages.is_empty() || self.languages.contains(&id))
            && (self.if_source.is_empty()
                || texts.any(|text| self.if_source.iter().any(|word| text.contains(word))))
    }

    /// What the `{}` of the first pattern that is in the line stand for.
    fn captures<'a>(&self, line: &'a str) -> Option<Vec<&'a str>> {
        let captured = self
            .patterns
            .iter()
            .find_map(|pattern| captures(pattern, line))?;
        let first = captured.first().copied().unwrap_or_default();
        let is_meant = |only: &String| match only.strip_suffix('*') {
            Some(start) => first.starts_with(start),
            None => only == first || *only == first.to_lowercase(),
        };
        let fits = self.only.is_empty() || self.only.iter().any(is_meant);
        (fits && !self.unless.iter().any(|text| line.contains(text))).then_some(captured)
    }

    fn advice(&self, captured: &[&str], first: Option<&CompilerError>) -> Text {
        let shared = self.text.as_ref().and_then(|name| RULES.text.get(name));
        let (en, zh) = match shared {
            Some(text) => (Some(&text.en), Some(&text.zh)),
            None => (self.en.as_ref(), self.zh.as_ref()),
        };
        let line = first.map_or_else(String::new, |first| first.line.to_string());
        let filled = |text: Option<&String>| {
            let text = text.map_or("", String::as_str).replace("{line}", &line);
            let first = self.with.as_deref().or(captured.first().copied());
            let second = captured.get(1).copied();
            text.replace("{1}", &quote(first.unwrap_or_default()))
                .replace("{2}", &quote(second.unwrap_or_default()))
        };
        Text::new(filled(en), filled(zh))
    }
}

fn headline(failure: &Failure) -> Text {
    let what = quote(&failure.what);
    let place = failure.place.as_deref().map(quote);
    match (place, failure.is_panic) {
        (Some(place), true) => Text::new(
            format!("The program panicked at {place}: {what}"),
            format!("程序在 {place} 处 panic：{what}"),
        ),
        (None, true) => Text::new(
            format!("The program panicked: {what}"),
            format!("程序发生 panic：{what}"),
        ),
        (Some(line), false) => Text::new(
            format!("An exception ended the program at line {line}: {what}"),
            format!("程序在第 {line} 行因异常而结束：{what}"),
        ),
        (None, false) => Text::new(
            format!("An exception ended the program: {what}"),
            format!("程序因异常而结束：{what}"),
        ),
    }
}

/// What a number of Free Pascal's run-time library means.
fn pascal_error(stderr: &str) -> Option<Text> {
    let found = stderr
        .lines()
        .find_map(|line| captures("Runtime error {} at ", line))?;
    let unknown = (
        "see the manual of Free Pascal".to_owned(),
        "含义请查阅 Free Pascal 手册".to_owned(),
    );
    let (en, zh) = RULES.pascal_error.get(found[0]).unwrap_or(&unknown);
    let number = quote(found[0]);
    Some(Text::new(
        format!("Runtime error {number}: {en}."),
        format!("运行时错误 {number}：{zh}。"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_text_in_both_languages() {
        let is_chinese = |text: &str| text.chars().any(|c| c >= '\u{4e00}');
        for rule in RULES.build.iter().chain(&RULES.run) {
            let text = rule.advice(&["x", "y"], None);
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
        let numbered = RULES.signal.iter().chain(&RULES.pascal_error);
        for (number, (_, zh)) in numbered {
            assert!(number.parse::<u32>().is_ok() && is_chinese(zh), "{number}");
        }
    }
}

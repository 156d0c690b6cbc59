//! Flags for what stands in sources, by the rules of `[source]`. They change no verdict and no points.

use std::borrow::Cow;

use grader_language::{Token, find_tokens, language as known, position, source_text};
use grader_model::{
    CaseName, Excerpt, Flag, FlagEvidence, LanguageId, SourceFile, SourcePlace, Text, escaped,
};
use grader_problem::{AnswerRule, SourceRule, TokenRule};

use crate::answers::{Answers, Sighting};

/// Number of places of a rule that are shown.
const SHOWN_PLACES: usize = 10;
/// Number of tokens or answers that a sentence lists.
const LISTED: usize = 6;
/// Length of the part of a line that is shown, in bytes.
const EXCERPT: usize = 100;

/// A source that is looked through.
pub(crate) struct Source<'a> {
    /// Its path in the student's folder.
    shown: String,
    text: Cow<'a, str>,
}

/// The sources with the paths that a report calls them by.
pub(crate) fn read_sources<'a>(sources: &'a [SourceFile], shown: &[String]) -> Vec<Source<'a>> {
    let named = sources.iter().enumerate();
    named
        .map(|(index, source)| Source {
            shown: escaped(shown.get(index).unwrap_or(&source.path).as_bytes()),
            text: source_text(source),
        })
        .collect()
}

/// The flags of a submission in `language`. `answers` are those of the cases that were run.
pub(crate) fn source_flags(
    rule: &SourceRule,
    language: LanguageId,
    sources: &[Source<'_>],
    answers: &[(CaseName, u64)],
) -> Vec<Flag> {
    let read: Vec<Read<'_>> = sources
        .iter()
        .map(|source| Read {
            source,
            tokens: known(language).tokens(&source.text),
        })
        .collect();
    let forbid = rule.forbid.iter();
    let require = rule.require.iter();
    let answer = rule.answers.iter();
    forbid
        .filter_map(|rule| forbidden(rule, language, &read))
        .chain(require.filter_map(|rule| missing(rule, language, &read)))
        .chain(answer.filter_map(|rule| looked_up(rule, answers, language, &read)))
        .collect()
}

/// A source and its tokens.
struct Read<'a> {
    source: &'a Source<'a>,
    tokens: Vec<Token<'a>>,
}

impl Read<'_> {
    /// Something that stands at a byte of the source.
    fn evidence(&self, at: usize, message: Text) -> FlagEvidence {
        let text = &self.source.text;
        let (line, column) = position(text, at);
        let bytes = text.as_bytes();
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let begin = bytes[..at]
            .iter()
            .rposition(is_end)
            .map_or(0, |end| end + 1);
        let end = bytes[at..].iter().position(is_end);
        let end = end.map_or(bytes.len(), |end| at + end);
        let blanks = bytes[begin..end].len() - bytes[begin..end].trim_ascii_start().len();
        let begin = begin + blanks.min(at - begin);
        FlagEvidence {
            message,
            place: Some(SourcePlace {
                file: self.source.shown.clone(),
                line,
                column,
            }),
            excerpt: Some(Excerpt::window(
                bytes[begin..end].trim_ascii_end(),
                at - begin,
                EXCERPT,
            )),
        }
    }
}

fn forbidden(rule: &TokenRule, language: LanguageId, sources: &[Read<'_>]) -> Option<Flag> {
    let mut found: Vec<&str> = Vec::new();
    let mut evidence = Vec::new();
    let mut count = 0;
    for source in sources {
        let mut places: Vec<(usize, &str)> = Vec::new();
        for phrase in rule.phrases(language) {
            let mut rest = source.tokens.as_slice();
            while let Some(index) = find_tokens(rest, phrase, known(language).syntax()) {
                places.push((rest[index].at, phrase));
                rest = &rest[index + 1..];
            }
        }
        places.sort_unstable();
        count += places.len();
        for (at, phrase) in places {
            if !found.contains(&phrase) {
                found.push(phrase);
            }
            // A source may hold a million of them.
            if evidence.len() < SHOWN_PLACES {
                let message = Text::new(format!("`{phrase}`"), format!("`{phrase}`"));
                evidence.push(source.evidence(at, message));
            }
        }
    }
    if count > evidence.len() {
        let more = count - evidence.len();
        evidence.push(FlagEvidence {
            message: Text::new(format!("and {more} more"), format!("还有 {more} 处")),
            place: None,
            excerpt: None,
        });
    }
    if found.is_empty() {
        return None;
    }
    let (en, zh) = listed(&found, |phrase| format!("`{phrase}`"));
    Some(flag(
        "forbidden-token",
        rule.because.as_ref(),
        &Text::new(
            format!("the source has {en}, which it should not"),
            format!("源程序中有不该出现的 {zh}"),
        ),
        evidence,
    ))
}

fn missing(rule: &TokenRule, language: LanguageId, sources: &[Read<'_>]) -> Option<Flag> {
    let phrases: Vec<&str> = rule.phrases(language).collect();
    let is_there = |phrase: &&str| {
        let mut sources = sources.iter();
        sources
            .any(|source| find_tokens(&source.tokens, phrase, known(language).syntax()).is_some())
    };
    if phrases.is_empty() || phrases.iter().any(is_there) {
        return None;
    }
    let (en, zh) = listed(&phrases, |phrase| format!("`{phrase}`"));
    let message = if phrases.len() == 1 {
        Text::new(
            format!("the source does not have {en}"),
            format!("源程序中没有 {zh}"),
        )
    } else {
        Text::new(
            format!("the source has none of {en}"),
            format!("源程序中没有以下任何一个：{zh}"),
        )
    };
    let evidence = sources
        .iter()
        .map(|source| {
            let (file, count) = (&source.source.shown, source.tokens.len());
            FlagEvidence {
                message: Text::new(
                    format!("{file}: looked through, {count} tokens"),
                    format!("{file}：已查看全部 {count} 个记号"),
                ),
                place: None,
                excerpt: None,
            }
        })
        .collect();
    Some(flag(
        "required-token-missing",
        rule.because.as_ref(),
        &message,
        evidence,
    ))
}

fn looked_up(
    rule: &AnswerRule,
    cases: &[(CaseName, u64)],
    language: LanguageId,
    sources: &[Read<'_>],
) -> Option<Flag> {
    let answers = Answers::new(rule, cases);
    let mut sightings: Vec<(&Read<'_>, Sighting)> = Vec::new();
    for source in sources {
        for sighting in answers.find(&source.tokens, language) {
            if sightings.iter().all(|(_, s)| s.answer != sighting.answer) {
                sightings.push((source, sighting));
            }
        }
    }
    if sightings.len() < rule.at_least as usize {
        return None;
    }
    let values: Vec<u64> = sightings
        .iter()
        .map(|(_, sighting)| answers.value(sighting))
        .collect();
    let (en, zh) = listed(&values, u64::to_string);
    let count = values.len();
    let evidence = sightings
        .iter()
        .map(|(source, sighting)| source.evidence(sighting.at, answers.describe(sighting)))
        .collect();
    Some(flag(
        "answers-in-source",
        None,
        &Text::new(
            format!("the source has {count} of this problem's answers in it: {en}"),
            format!("源程序中写有本题的 {count} 个答案：{zh}"),
        ),
        evidence,
    ))
}

/// A flag; the reason that the problem file gives stands behind what was seen.
fn flag(code: &str, because: Option<&Text>, message: &Text, evidence: Vec<FlagEvidence>) -> Flag {
    let message = match because {
        Some(because) => Text::new(
            format!("{}: {}", message.en, because.en),
            format!("{}（{}）", message.zh, because.zh),
        ),
        None => message.clone(),
    };
    Flag {
        code: code.to_owned(),
        message,
        evidence,
    }
}

/// The first few things of a list, and how many more there are, in both languages.
fn listed<T>(things: &[T], written: impl Fn(&T) -> String) -> (String, String) {
    let first: Vec<String> = things.iter().take(LISTED).map(written).collect();
    let more = things.len() - first.len();
    let (en, zh) = (first.join(", "), first.join("、"));
    if more == 0 {
        (en, zh)
    } else {
        (
            format!("{en} and {more} more"),
            format!("{zh} 等 {} 个", things.len()),
        )
    }
}

#[cfg(test)]
mod tests;

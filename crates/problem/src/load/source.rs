//! `[source]`.

use std::collections::BTreeMap;

use super::problem::title;
use crate::diagnostic::{Code, Log};
use crate::problem::{AnswerRule, SourceRule, TokenRule};
use crate::raw::{RawAnswers, RawSource, RawSourceTokens, RawTokenRule, TokenPhrase};
use crate::reader::{At, Slot};

/// The rules; what is wrong beyond single values is reported.
pub(crate) fn build(raw: &RawSource, log: &mut Log) -> SourceRule {
    SourceRule {
        forbid: rules(&raw.forbid, "source.forbid", log),
        require: rules(&raw.require, "source.require", log),
        answers: raw.answers.get().and_then(answers),
    }
}

fn rules(raw: &Slot<Vec<At<RawTokenRule>>>, place: &str, log: &mut Log) -> Vec<TokenRule> {
    let rules = raw.get().into_iter().flatten();
    rules.filter_map(|at| rule(at, place, log)).collect()
}

fn rule(at: &At<RawTokenRule>, place: &str, log: &mut Log) -> Option<TokenRule> {
    let raw = match &at.value {
        RawTokenRule::One(TokenPhrase(phrase)) => {
            return Some(TokenRule {
                any: vec![phrase.clone()],
                languages: BTreeMap::new(),
                because: None,
            });
        }
        RawTokenRule::Several(raw) => raw,
    };
    if raw.languages.is_absent() && nothing(raw) {
        log.report_with(
            &at.span,
            Code::Empty,
            format!("a rule of `{place}` has no tokens"),
            "write them as `any = [\"^\"]`, or for one language as `languages.pascal = [\"xor\"]`"
                .to_owned(),
        );
        return None;
    }
    let entries = raw.languages.get().into_iter().flat_map(|e| &e.list);
    Some(TokenRule {
        any: raw.any.get().map(|any| phrases(any)).unwrap_or_default(),
        languages: entries
            .map(|(language, more)| (language.value, phrases(&more.value)))
            .collect(),
        because: title(&raw.because),
    })
}

fn nothing(raw: &RawSourceTokens) -> bool {
    raw.any.is_absent() || raw.any.get().is_some_and(Vec::is_empty)
}

fn phrases(list: &[At<TokenPhrase>]) -> Vec<String> {
    list.iter().map(|at| at.value.0.clone()).collect()
}

fn answers(raw: &RawAnswers) -> Option<AnswerRule> {
    Some(match raw {
        RawAnswers::AtLeast(at_least) => AnswerRule {
            at_least: at_least.0,
            also: Vec::new(),
        },
        RawAnswers::Rule(rule) => AnswerRule {
            at_least: rule.at_least.get()?.0,
            also: rule
                .also
                .get()
                .into_iter()
                .flatten()
                .map(|at| at.value.0)
                .collect(),
        },
    })
}

//! `[source]` of `problem.toml`.

use grader_model::LanguageId;
use serde_json::{Value, json};
use toml::de::DeValue;

use super::{Natural, RawTitle};
use crate::diagnostic::{Code, Log};
use crate::problem::AnswerRule;
use crate::reader::{At, Entries, Node, Read, table};
use crate::suggest::quoted;

/// Largest length of a phrase, in characters.
const LONGEST_PHRASE: usize = 100;

table! {
    /// What sources are looked through for. What is found is a flag for the instructor and takes no points.
    RawSource: UnknownKey {
        /// Tokens that should not be in a source.
        optional forbid: Vec<At<RawTokenRule>>,
        /// Tokens of which one should be in a source.
        optional require: Vec<At<RawTokenRule>>,
        /// How many answers of the cases, as numbers or in strings, are too many in a source.
        optional answers: RawAnswers,
    }
}

table! {
    /// Tokens of which any one keeps or breaks the rule.
    RawSourceTokens: UnknownKey {
        /// Tokens, or sequences of tokens that stand one after the other, in any language.
        optional any: Vec<At<TokenPhrase>>,
        /// More of them in one language.
        optional languages: Entries<LanguageId, Vec<At<TokenPhrase>>>,
        /// Why, for the instructor.
        optional because: RawTitle,
    }
}

table! {
    /// How many answers of the cases are too many in a source, and other numbers that count as answers.
    RawAnswerRule: UnknownKey {
        /// So many different answers raise the flag.
        required at_least: Natural,
        /// Numbers above 1000 that give the answers away too.
        optional also: Vec<At<LargeNumber>>,
    }
}

/// A rule on tokens: one phrase, or several with a reason.
#[derive(Clone, Debug)]
pub(crate) enum RawTokenRule {
    One(TokenPhrase),
    Several(RawSourceTokens),
}

impl Read for RawTokenRule {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        match node.value {
            DeValue::String(_) => TokenPhrase::read(node, log).map(Self::One),
            DeValue::Table(_) => RawSourceTokens::read(node, log).map(Self::Several),
            _ => {
                node.wrong_type(
                    "a token such as \"goto\", or { any = [\"^\", \"xor\"], because = { zh = \"…\", en = \"…\" } }",
                    log,
                );
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [TokenPhrase::schema(), RawSourceTokens::schema()] })
    }
}

/// Tokens that stand one after the other: `system (`.
#[derive(Clone, Debug)]
pub(crate) struct TokenPhrase(pub(crate) String);

impl Read for TokenPhrase {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let text = node.string("a string of tokens", log)?.trim();
        if text.is_empty() {
            let message = format!("`{}` must not have a blank entry", node.place);
            log.report(&node.span, Code::Empty, message);
            return None;
        }
        if text.contains(['"', '\'']) {
            log.report_with(
                &node.span,
                Code::BadValue,
                format!(
                    "`{}` must not have quotes, found {}",
                    node.place,
                    quoted(text)
                ),
                "only code is looked through, neither strings nor comments".to_owned(),
            );
            return None;
        }
        if text.chars().count() > LONGEST_PHRASE || text.contains(char::is_control) {
            let expected = format!("one line of at most {LONGEST_PHRASE} characters");
            node.bad_value(&expected, text, log);
            return None;
        }
        Some(Self(text.to_owned()))
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^[^\"']*[^\"'\\s][^\"']*$", "maxLength": LONGEST_PHRASE })
    }
}

/// How many answers are too many: a number, or one with more numbers to look for.
#[derive(Clone, Debug)]
pub(crate) enum RawAnswers {
    AtLeast(Natural),
    Rule(RawAnswerRule),
}

impl Read for RawAnswers {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        match node.value {
            DeValue::Integer(_) => Natural::read(node, log).map(Self::AtLeast),
            DeValue::Table(_) => RawAnswerRule::read(node, log).map(Self::Rule),
            _ => {
                node.wrong_type("a number, or { at-least = 3, also = [9233] }", log);
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [Natural::schema(), RawAnswerRule::schema()] })
    }
}

/// A number that does not stand in programs by chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LargeNumber(pub(crate) u64);

impl Read for LargeNumber {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let expected = format!("a whole number above {}", AnswerRule::ABOVE);
        let found = node.integer(&expected, log)?;
        match u64::try_from(found) {
            Ok(number) if number > AnswerRule::ABOVE => Some(Self(number)),
            Ok(_) | Err(_) => {
                node.bad_value(&expected, &found.to_string(), log);
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "type": "integer", "exclusiveMinimum": AnswerRule::ABOVE })
    }
}

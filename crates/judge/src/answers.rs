//! Looks for the answers of a problem's cases in sources: a program that looks its answers up does not compute them.
//!
//! An answer is looked for as it is, halved, and divided by eight (the boards of one symmetry class): as a number in any
//! base, as decimal or hexadecimal digits in a string, and as digits that are split over the parts of a list. Small
//! numbers stand in programs by chance and are not looked for; neither are comments looked through.

use std::collections::BTreeMap;

use grader_language::{Syntax, Token, TokenKind, language as known};
use grader_model::{CaseName, LanguageId, Text};
use grader_problem::AnswerRule;

/// Numbers of fewer digits are looked for only where they stand alone, not inside longer rows of digits.
const DIGITS_IN_A_ROW: usize = 5;
/// The same for rows that are put together from several literals.
const DIGITS_IN_A_LIST: usize = 6;

/// The answers, and all numbers that give one away.
pub(crate) struct Answers {
    /// How each answer is called, in the order of the cases.
    names: Vec<(u64, Option<CaseName>)>,
    /// By number: the index of the answer that it gives away, and by what it must be multiplied.
    numbers: BTreeMap<u64, (usize, u64)>,
}

/// An answer that was found.
pub(crate) struct Sighting {
    /// The index of the answer.
    pub(crate) answer: usize,
    /// The number that gave it away.
    number: u64,
    /// How it is written.
    form: Form,
    /// The byte of the source at which it stands.
    pub(crate) at: usize,
}

#[derive(Clone, Copy)]
enum Form {
    Number,
    Decimal,
    Hexadecimal,
    List,
}

/// The whole number that an answer is, when it is nothing else.
pub(crate) fn whole_number(answer: &[u8]) -> Option<u64> {
    std::str::from_utf8(answer).ok()?.trim().parse().ok()
}

impl Answers {
    /// What to look for. Answers that are equal are one.
    pub(crate) fn new(rule: &AnswerRule, cases: &[(CaseName, u64)]) -> Self {
        let cases = cases.iter().map(|(name, value)| (*value, Some(name)));
        let also = rule.also.iter().map(|&value| (value, None));
        let mut answers = Self {
            names: Vec::new(),
            numbers: BTreeMap::new(),
        };
        for (value, name) in cases.chain(also) {
            if answers.names.iter().all(|&(known, _)| known != value) {
                answers.names.push((value, name.cloned()));
            }
        }
        for factor in [1, 2, 8] {
            for (index, (value, name)) in answers.names.iter().enumerate() {
                let number = value / factor;
                let is_meant = factor == 1 || (name.is_some() && value % factor == 0);
                if is_meant && number > AnswerRule::ABOVE {
                    answers.numbers.entry(number).or_insert((index, factor));
                }
            }
        }
        answers
    }

    /// The answers among the tokens of one source, each where it stands first.
    pub(crate) fn find(&self, tokens: &[Token<'_>], language: LanguageId) -> Vec<Sighting> {
        let language = known(language).syntax();
        let mut found: BTreeMap<usize, Sighting> = BTreeMap::new();
        let mut see = |number: u64, form: Form, at: usize| {
            if let Some(&(answer, _)) = self.numbers.get(&number) {
                let sighting = Sighting {
                    answer,
                    number,
                    form,
                    at,
                };
                found.entry(answer).or_insert(sighting);
            }
        };
        for token in tokens {
            if let Some(value) = token.value(language) {
                if let Ok(value) = u64::try_from(value) {
                    see(value, Form::Number, token.at);
                }
            } else if let Some(text) = token.quoted() {
                self.in_text(text, &mut |number, form| see(number, form, token.at));
            }
        }
        for list in lists(tokens) {
            let digits: String = list
                .iter()
                .map(|token| digits_of(token, language))
                .collect();
            for row in digits.split(|c: char| !c.is_ascii_digit()) {
                for number in self.inside(row, DIGITS_IN_A_LIST, |number| number.to_string()) {
                    see(number, Form::List, list[0].at);
                }
            }
        }
        let mut found: Vec<Sighting> = found.into_values().collect();
        found.sort_by_key(|sighting| (sighting.at, sighting.answer));
        found
    }

    /// The numbers in a string.
    fn in_text(&self, text: &str, see: &mut dyn FnMut(u64, Form)) {
        for row in text.split(|c: char| !c.is_ascii_digit()) {
            if let Ok(number) = row.parse() {
                see(number, Form::Decimal);
            }
            for number in self.inside(row, DIGITS_IN_A_ROW, |number| number.to_string()) {
                see(number, Form::Decimal);
            }
        }
        let lower = text.to_ascii_lowercase();
        for row in lower.split(|c: char| !c.is_ascii_hexdigit()) {
            for number in self.inside(row, DIGITS_IN_A_ROW, |number| format!("{number:x}")) {
                see(number, Form::Hexadecimal);
            }
        }
    }

    /// The numbers of at least so many digits that stand somewhere in a row of digits.
    fn inside(&self, row: &str, digits: usize, written: impl Fn(u64) -> String) -> Vec<u64> {
        if row.len() < digits {
            return Vec::new();
        }
        let numbers = self.numbers.keys().copied();
        let stands = |number: &u64| {
            let written = written(*number);
            written.len() >= digits && row.contains(&written)
        };
        numbers.filter(stands).collect()
    }

    /// The answer itself.
    pub(crate) fn value(&self, sighting: &Sighting) -> u64 {
        self.names[sighting.answer].0
    }

    /// What was found, in words: `36856, half of 73712, the answer of n=13; in a string`.
    pub(crate) fn describe(&self, sighting: &Sighting) -> Text {
        let Sighting {
            answer,
            number,
            form,
            ..
        } = sighting;
        let (value, name) = &self.names[*answer];
        let (part_en, part_zh) = match self.numbers.get(number) {
            Some((_, 2)) => (format!(", half of {value}"), format!("，{value} 的一半")),
            Some((_, 8)) => (
                format!(", an eighth of {value}"),
                format!("，{value} 的八分之一"),
            ),
            Some(_) | None => (String::new(), String::new()),
        };
        let (name_en, name_zh) = match name {
            Some(name) => (
                format!(", the answer of {name}"),
                format!("，{name} 的答案"),
            ),
            None => (
                ", a number that gives answers away".to_owned(),
                "，由它可得到答案".to_owned(),
            ),
        };
        let (form_en, form_zh) = match form {
            Form::Number => ("", ""),
            Form::Decimal => ("; in a string", "（在字符串中）"),
            Form::Hexadecimal => (
                "; as hexadecimal digits in a string",
                "（以十六进制写在字符串中）",
            ),
            Form::List => ("; split over a list", "（拆散在列表中）"),
        };
        Text::new(
            format!("{number}{part_en}{name_en}{form_en}"),
            format!("{number}{part_zh}{name_zh}{form_zh}"),
        )
    }
}

/// Literals that stand beside each other, with nothing or one `,` or `+` between them: two or more.
fn lists<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<Vec<&'t Token<'a>>> {
    let is_literal = |token: &Token<'_>| token.kind != TokenKind::Name && !is_sign(token);
    let mut lists: Vec<Vec<&Token<'_>>> = Vec::new();
    let mut goes_on = false;
    for (index, token) in tokens.iter().enumerate() {
        if is_literal(token) {
            match lists.last_mut() {
                Some(list) if goes_on => list.push(token),
                _ => lists.push(vec![token]),
            }
            goes_on = true;
        } else {
            let joins = matches!(token.text, "," | "+");
            goes_on = goes_on && joins && index > 0 && is_literal(&tokens[index - 1]);
        }
    }
    lists.retain(|list| list.len() > 1);
    lists
}

fn is_sign(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Operator
}

/// What a literal adds to the digits of a list; a blank where it ends them.
fn digits_of(token: &Token<'_>, language: Syntax) -> String {
    if let Some(text) = token.quoted() {
        return text.to_owned();
    }
    match token.value(language) {
        Some(value) => value.to_string(),
        None => " ".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> Answers {
        let cases = [
            ("n=8", 92),
            ("n=11", 2680),
            ("n=12", 14_200),
            ("n=13", 73_712),
            ("n=14", 365_596),
            ("n=15", 2_279_184),
            ("n=16", 14_772_512),
            ("again", 14_772_512),
        ]
        .map(|(name, value)| (CaseName::new(name), value));
        let rule = AnswerRule {
            at_least: 3,
            also: vec![9233],
        };
        Answers::new(&rule, &cases)
    }

    fn found(text: &str, language: LanguageId) -> Vec<String> {
        let answers = answers();
        let sightings = answers.find(&known(language).tokens(text), language);
        let described = sightings
            .iter()
            .map(|sighting| answers.describe(sighting).en);
        described.collect()
    }

    #[test]
    fn answers_are_found_as_numbers_however_they_are_written() {
        let n16 = ["14772512, the answer of n=16"];
        let table = [
            (LanguageId::C, "x = 14772512ull;"),
            (LanguageId::C, "x = 0xE16920;"),
            (LanguageId::C, "x = 070264440;"),
            (LanguageId::Cpp, "x = 14'772'512;"),
            (LanguageId::Rust, "14_772_512_u64"),
            (LanguageId::Rust, "0b1110_0001_0110_1001_0010_0000"),
            (LanguageId::Java, "14_772_512L"),
            (LanguageId::Pascal, "x := $e16920;"),
            (LanguageId::Python, "x = 14_772_512"),
        ];
        for (language, text) in table {
            assert_eq!(found(text, language), n16, "{text}");
        }
    }

    #[test]
    fn halves_and_eighths_and_other_numbers_are_found() {
        assert_eq!(
            found("36856 284898 9233 1340", LanguageId::C),
            [
                "36856, half of 73712, the answer of n=13",
                "284898, an eighth of 2279184, the answer of n=15",
                "9233, a number that gives answers away",
                "1340, half of 2680, the answer of n=11",
            ]
        );
    }

    #[test]
    fn answers_are_found_in_strings_and_split_over_lists() {
        let table = [
            ("\"92,352,73712\"", "73712, the answer of n=13; in a string"),
            ("\"00073712\"", "73712, the answer of n=13; in a string"),
            (
                "\"9200035214772512\"",
                "14772512, the answer of n=16; in a string",
            ),
            (
                "\"5e16920\"",
                "14772512, the answer of n=16; as hexadecimal digits in a string",
            ),
            (
                "\"147\" \"72512\"",
                "14772512, the answer of n=16; split over a list",
            ),
            (
                "{14, 772, 512}",
                "14772512, the answer of n=16; split over a list",
            ),
            (
                "{'3','6','5','5','9','6'}",
                "365596, the answer of n=14; split over a list",
            ),
            (
                "\"365\" + \"596\"",
                "365596, the answer of n=14; split over a list",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(found(text, LanguageId::C), [expected], "{text}");
        }
    }

    #[test]
    fn small_numbers_names_fractions_and_comments_are_no_answers() {
        for text in [
            "92",
            "x14772512",
            "14772512.5",
            "// 14772512\n/* 73712 */",
            "\"147725\" f(\"12\")",
            "\"12680\"",
            "{73, 712}",
            "3 6 5 - 5 9 6",
        ] {
            assert_eq!(found(text, LanguageId::C), [""; 0], "{text}");
        }
    }

    #[test]
    fn only_an_answer_that_is_one_whole_number_is_looked_for() {
        assert_eq!(whole_number(b" 14200\n"), Some(14_200));
        for answer in ["", "1 2", "x", "-1", "1.5", "99999999999999999999"] {
            assert_eq!(whole_number(answer.as_bytes()), None);
        }
    }
}

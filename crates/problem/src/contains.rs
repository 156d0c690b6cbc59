//! Texts and patterns that an output contains: `[checker.contains]`.

use regex::bytes::{Regex, RegexBuilder};

use crate::checker_options::{ContainsFile, StderrFile, StepFile};
use crate::constants::MAX_PATTERN_BYTES;
use crate::context::{Context, Variables};
use crate::value::{At, Scalar};

/// What an output contains, and what it must not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contains {
    /// What appears: each list in its order.
    pub lists: Vec<Vec<Sought>>,
    /// Whether the lines of the answer appear, in their order.
    pub has_answer: bool,
    /// Texts that do not appear.
    pub never: Vec<String>,
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
}

/// Something that appears in an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    /// What it is.
    pub what: Wanted,
    /// The last line of input that is sent before, in a dialogue.
    pub after: Option<String>,
}

/// A text or a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A text. White space in it stands for any white space.
    Text(String),
    /// A regular expression.
    Pattern(String),
}

impl Contains {
    /// A regular expression. Its search takes time in proportion to the output, whatever the expression is.
    ///
    /// # Errors
    ///
    /// If it is none. The patterns of a loaded problem are.
    pub fn expression(&self, pattern: &str) -> Result<Regex, regex::Error> {
        RegexBuilder::new(pattern)
            .case_insensitive(!self.case_sensitive)
            .multi_line(true)
            .crlf(true)
            .size_limit(MAX_PATTERN_BYTES)
            .build()
    }

    /// Whether something must appear, apart from the lines of the answer.
    pub fn requires_text(&self) -> bool {
        self.lists.iter().any(|it| !it.is_empty())
    }

    /// Reports a pattern that is no regular expression.
    fn check(&self, pattern: &At<String>, context: &mut Context<'_>) {
        if let Err(error) = self.expression(pattern) {
            context.report(&pattern.span, &explained(&error, pattern));
        }
    }
}

/// The sentence of an error, without its drawing, and what helps.
fn explained(error: &regex::Error, pattern: &str) -> String {
    if let regex::Error::CompiledTooBig(_) = error {
        return "the pattern is too large\nwrite fewer or smaller repetitions".to_owned();
    }
    let text = error.to_string();
    let sentence = text.lines().last().unwrap_or_default();
    let sentence = sentence.strip_prefix("error: ").unwrap_or(sentence);
    let help = if pattern.contains('{') {
        "a case variable belongs in `text`; write `\\{` for a brace itself"
    } else {
        "the syntax is at https://docs.rs/regex/latest/regex/#syntax"
    };
    format!("not a regular expression: {sentence}\n{help}")
}

pub(crate) fn contains(
    file: &ContainsFile,
    variables: &Variables,
    context: &mut Context<'_>,
) -> Contains {
    let sought = |what| Sought { what, after: None };
    let text = file.text.as_deref().unwrap_or_default();
    let text = texts(text, variables, context).into_iter();
    let pattern = file.pattern.iter().map(|it| it.value.clone());
    let rule = Contains {
        lists: vec![
            text.map(Wanted::Text).map(sought).collect(),
            pattern.map(Wanted::Pattern).map(sought).collect(),
        ],
        has_answer: file.text.is_none() && file.pattern.is_empty(),
        never: texts(&file.never, variables, context),
        case_sensitive: file.case_sensitive,
    };
    for pattern in &file.pattern {
        rule.check(pattern, context);
    }
    rule
}

/// The input of a dialogue, a line for each that is sent, and what must appear.
pub(crate) fn dialogue(
    steps: &At<Vec<At<StepFile>>>,
    variables: &Variables,
    context: &mut Context<'_>,
) -> (String, Contains) {
    let (mut input, mut after, mut all) = (String::new(), None, Vec::new());
    let mut rule = Contains {
        case_sensitive: true,
        ..Contains::default()
    };
    for step in &steps.value {
        let what = match &step.value {
            StepFile::Send(line) => {
                let line = context.fill(line, variables).unwrap_or_default();
                input.push_str(&line);
                input.push('\n');
                after = Some(line);
                continue;
            }
            StepFile::Expect(text) => {
                let text = texts(std::slice::from_ref(text), variables, context);
                Wanted::Text(text.into_iter().collect())
            }
            StepFile::ExpectPattern(pattern) => {
                rule.check(pattern, context);
                Wanted::Pattern(pattern.value.clone())
            }
        };
        let after = after.clone();
        all.push(Sought { what, after });
    }
    if all.is_empty() {
        let message = "a dialogue must expect something\nadd `{ expect = \"…\" }`";
        context.report(&steps.span, message);
    }
    rule.lists.push(all);
    (input, rule)
}

/// What standard error contains.
pub(crate) fn on_stderr(
    file: &At<StderrFile>,
    variables: &Variables,
    context: &mut Context<'_>,
) -> Contains {
    let rule = match &file.value {
        StderrFile::Text(text) => {
            let value = Scalar(text.0.clone());
            let span = file.span.clone();
            let all = texts(&[At { value, span }], variables, context);
            let all = all.into_iter().map(Wanted::Text);
            let all = all.map(|what| Sought { what, after: None });
            Contains {
                lists: vec![all.collect()],
                case_sensitive: true,
                ..Contains::default()
            }
        }
        StderrFile::Rule(rule) => {
            let is_empty = rule.text.as_ref().is_none_or(Vec::is_empty);
            if is_empty && rule.pattern.is_empty() && rule.never.is_empty() {
                context.report(&file.span, "one of `text`, `pattern` and `never` is needed");
            }
            contains(rule, variables, context)
        }
    };
    Contains {
        has_answer: false,
        ..rule
    }
}

/// The texts of these templates.
fn texts(
    templates: &[At<Scalar>],
    variables: &Variables,
    context: &mut Context<'_>,
) -> Vec<String> {
    let mut all = Vec::new();
    for at in templates {
        let text = context.fill(at, variables);
        if text.as_deref().is_some_and(|it| it.trim().is_empty()) {
            context.report(&at.span, "a text must have a visible character");
        }
        all.extend(text);
    }
    all
}

//! Texts and patterns that an output contains: `[checker.contains]`.

use regex::bytes::{Regex, RegexBuilder};

use crate::checker_options::{ContainsFile, StderrFile};
use crate::constants::MAX_PATTERN_BYTES;
use crate::context::{Context, Variables};
use crate::value::{At, Scalar};

/// What an output contains, and what it must not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contains {
    /// Texts that appear in this order. `None` stands for the lines of the answer.
    pub text: Option<Vec<String>>,
    /// Regular expressions that match in this order.
    pub pattern: Vec<String>,
    /// Texts that do not appear.
    pub never: Vec<String>,
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
}

impl Contains {
    /// An expression that matches where all of these match, each after the one before it. Its search takes time in
    /// proportion to the output, whatever the patterns are.
    ///
    /// # Errors
    ///
    /// If the patterns do not fit together. Those of a loaded problem do.
    pub fn expression(&self, patterns: &[String]) -> Result<Regex, regex::Error> {
        let groups: Vec<_> = patterns.iter().map(|it| format!("(?:{it})")).collect();
        self.compiled(&groups.join("(?s-u:.)*?"))
    }

    /// Whether something must appear, apart from lines of the answer.
    pub fn requires_text(&self) -> bool {
        let texts = self.text.as_ref();
        !self.pattern.is_empty() || texts.is_some_and(|it| !it.is_empty())
    }

    fn compiled(&self, pattern: &str) -> Result<Regex, regex::Error> {
        RegexBuilder::new(pattern)
            .case_insensitive(!self.case_sensitive)
            .multi_line(true)
            .crlf(true)
            .size_limit(MAX_PATTERN_BYTES)
            .build()
    }

    fn check(&self, patterns: &[At<String>], context: &mut Context<'_>) {
        let alone = patterns.iter().filter_map(|at| {
            let error = self.compiled(&at.value).err()?;
            Some((at, error))
        });
        let mut mistakes: Vec<_> = alone.collect();
        if let ([], Some(last)) = (&mistakes[..], patterns.last()) {
            let together = self.expression(&self.pattern).err();
            mistakes.extend(together.map(|error| (last, error)));
        }
        for (at, error) in mistakes {
            context.report(&at.span, &explained(&error, &at.value));
        }
    }
}

/// The sentence of an error, without its drawing, and what helps.
fn explained(error: &regex::Error, pattern: &str) -> String {
    if let regex::Error::CompiledTooBig(_) = error {
        return "the patterns are too large\nwrite fewer or smaller repetitions".to_owned();
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
    let text = file.text.as_ref();
    let text = text.map(|all| texts(all, variables, context));
    let rule = Contains {
        text: text.or_else(|| (!file.pattern.is_empty()).then(Vec::new)),
        pattern: file.pattern.iter().map(|it| it.value.clone()).collect(),
        never: texts(&file.never, variables, context),
        case_sensitive: file.case_sensitive,
    };
    rule.check(&file.pattern, context);
    rule
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
            Contains {
                text: Some(texts(&[At { value, span }], variables, context)),
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
        text: Some(rule.text.unwrap_or_default()),
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

//! Strings with case variables in them.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Value, json};

use super::VariableName;
use crate::diagnostic::{Code, Log};
use crate::literal::Literal;
use crate::reader::{Node, Read};
use crate::suggest::{closest, quoted, ticked};

/// A string in which `{name}` stands for a case variable, `{{` and `}}` for braces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Variable { name: String, span: Range<usize> },
}

impl Template {
    /// The text for a case; unknown variables are reported at the place where they stand.
    pub(crate) fn fill(
        &self,
        variables: &BTreeMap<String, String>,
        log: &mut Log,
    ) -> Option<String> {
        let mut text = Some(String::new());
        for part in &self.parts {
            let piece = match part {
                Part::Text(piece) => Some(piece),
                Part::Variable { name, span } => {
                    let found = variables.get(name);
                    if found.is_none() {
                        log.report_with(
                            span,
                            Code::UnknownVariable,
                            format!("unknown variable {}", quoted(name)),
                            known(name, variables),
                        );
                    }
                    found
                }
            };
            text = text.zip(piece).map(|(mut text, piece)| {
                text.push_str(piece);
                text
            });
        }
        text
    }

    fn push(&mut self, character: char) {
        if let Some(Part::Text(text)) = self.parts.last_mut() {
            text.push(character);
        } else {
            self.parts.push(Part::Text(character.into()));
        }
    }
}

fn known(name: &str, variables: &BTreeMap<String, String>) -> String {
    let names: Vec<&str> = variables.keys().map(String::as_str).collect();
    match closest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => {
            "the case has no variables; write `{{` for a brace itself".to_owned()
        }
        None => format!("variables of the case: {}", ticked(&names)),
    }
}

impl Read for Template {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let text = node.string("a string", log)?;
        let file = std::sync::Arc::clone(&log.file);
        let literal = Literal::new(&file.text, &node.span, text);
        let place = |part: Range<usize>| literal.part(&part);
        let mut template = Self::default();
        let mut whole = true;
        let mut wrong = |part: Range<usize>, message: String, help: &str| {
            log.report_with(&place(part), Code::BadTemplate, message, help.to_owned());
            whole = false;
        };
        let mut rest = text.char_indices().peekable();
        while let Some((at, character)) = rest.next() {
            let twice = rest.peek().is_some_and(|&(_, next)| next == character);
            match character {
                '{' | '}' if twice => {
                    rest.next();
                    template.push(character);
                }
                '{' => match text[at..].find('}') {
                    None => wrong(
                        at..at + 1,
                        "`{` is not closed".to_owned(),
                        "write `{{` for a brace itself",
                    ),
                    Some(length) => {
                        let name = &text[at + 1..at + length];
                        let part = at..at + length + 1;
                        while rest.next_if(|&(next, _)| next < part.end).is_some() {}
                        if VariableName::fits(name) {
                            template.parts.push(Part::Variable {
                                name: name.to_owned(),
                                span: place(part),
                            });
                        } else {
                            wrong(
                                part,
                                format!("{} is not the name of a variable", quoted(name)),
                                "write `{{` and `}}` for braces themselves",
                            );
                        }
                    }
                },
                '}' => wrong(
                    at..at + 1,
                    "`}` closes nothing".to_owned(),
                    "write `}}` for a brace itself",
                ),
                character => template.push(character),
            }
        }
        whole.then_some(template)
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

//! The checker of a case, from `[checker.…]`.

use regex_automata::meta::BuildError;

use crate::author_program::Role;
use crate::checker_options::{
    CheckerFile, ContainsFile, LinesFile, NumbersFile, ProgramFile, QueensBoardFile, StderrFile,
    StepFile,
};
use crate::constants::{MAX_COLUMNS, MAX_DRAWN_BOARD};
use crate::contains::{Contains, Sought, Wanted};
use crate::context::{Context, Variables};
use crate::problem::{Checker, TokenOptions};
use crate::suggest::quoted;
use crate::value::{At, Scalar};

pub(crate) fn checker(
    file: &At<CheckerFile>,
    variables: &Variables,
    context: &mut Context<'_>,
) -> Checker {
    match &file.value {
        CheckerFile::Exact(_) => Checker::Exact,
        CheckerFile::Lines(LinesFile { any_order: true }) => Checker::AnyOrder,
        CheckerFile::Lines(_) => Checker::Lines,
        CheckerFile::Tokens(options) => Checker::Tokens(*options),
        CheckerFile::Numbers(options) => {
            if options.absolute.is_none() && options.relative.is_none() {
                let message = "`numbers` needs a tolerance: `absolute`, `relative` or both\nwrite `absolute = 1e-6`";
                context.report(&options.span, message);
            }
            if options.skip_words && options.space_change_sensitive {
                let message = "`skip-words` and `space-change-sensitive` cannot be used together";
                context.report(&options.span, message);
            }
            numbers(options)
        }
        CheckerFile::Contains(options) => Checker::Contains(contains(options, variables, context)),
        CheckerFile::QueensBoard(options) => {
            check_symbols(options, context);
            Checker::QueensBoard {
                size: size(&options.size, MAX_DRAWN_BOARD, variables, context),
                queen: options.queen.value.clone(),
                blank: options.blank.value.clone(),
                separator: options.separator.clone(),
            }
        }
        CheckerFile::QueensColumns(options) => Checker::QueensColumns {
            size: size(&options.size, MAX_COLUMNS, variables, context),
            base: options.base.get(),
        },
        CheckerFile::Program(options) => author_program(options, Role::Checker, variables, context),
    }
}

fn numbers(options: &NumbersFile) -> Checker {
    let absolute = options.absolute.map_or(0.0, |value| value.0);
    let relative = options.relative.map_or(0.0, |value| value.0);
    if options.skip_words {
        return Checker::OnlyNumbers { absolute, relative };
    }
    Checker::Numbers {
        absolute,
        relative,
        tokens: TokenOptions {
            case_sensitive: options.case_sensitive,
            space_change_sensitive: options.space_change_sensitive,
        },
    }
}

/// A checker or interactor program of the author.
pub(crate) fn author_program(
    file: &ProgramFile,
    role: Role,
    variables: &Variables,
    context: &mut Context<'_>,
) -> Checker {
    Checker::Program(context.author_call(file, role, variables))
}

/// The number of rows of a board. Reports a mistake and returns 1 if it is wrong.
fn size(at: &At<Scalar>, max: u32, variables: &Variables, context: &mut Context<'_>) -> u32 {
    let text = context.fill(at, variables);
    let Some(text) = text.and_then(|it| context.known(&at.span, it)) else {
        return 1;
    };
    let size = text.trim().parse().ok();
    size.filter(|size| (1..=max).contains(size))
        .unwrap_or_else(|| {
            let found = quoted(&text);
            let message = format!("`size` must be a whole number from 1 to {max}, found {found}");
            context.report(&at.span, &message);
            1
        })
}

fn check_symbols(board: &QueensBoardFile, context: &mut Context<'_>) {
    for (key, at) in [("queen", &board.queen), ("blank", &board.blank)] {
        if at.trim().is_empty() || at.chars().any(char::is_control) {
            let found = quoted(at);
            let message = format!("`{key}` must be a visible symbol, found {found}");
            context.report(&at.span, &message);
        }
    }
    if board.queen.value == board.blank.value {
        context.report(&board.blank.span, "`queen` and `blank` must differ");
    }
}

/// Reports a pattern that is no regular expression.
fn check_pattern(rule: &Contains, pattern: &At<String>, context: &mut Context<'_>) {
    if let Err(error) = rule.expression(pattern) {
        context.report(&pattern.span, &explained(&error, pattern));
    }
}

/// The sentence of an error, without its drawing, and what helps.
fn explained(error: &BuildError, pattern: &str) -> String {
    let Some(error) = error.syntax_error() else {
        return "the pattern is too large\nwrite fewer or smaller repetitions".to_owned();
    };
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

fn contains(file: &ContainsFile, variables: &Variables, context: &mut Context<'_>) -> Contains {
    let text = file.text.as_deref().unwrap_or_default();
    let text = texts(text, variables, context).into_iter();
    let pattern = file.pattern.iter().map(|it| it.value.clone());
    let rule = Contains {
        lists: vec![
            text.map(Wanted::Text).map(Sought::new).collect(),
            pattern.map(Wanted::Pattern).map(Sought::new).collect(),
        ],
        has_answer: file.text.is_none() && file.pattern.is_empty(),
        never: texts(&file.never, variables, context),
        case_sensitive: file.case_sensitive,
    };
    for pattern in &file.pattern {
        check_pattern(&rule, pattern, context);
    }
    rule
}

/// The input of a dialogue, a line for each that is sent, and what must appear.
pub(crate) fn dialogue(
    steps: &At<Vec<At<StepFile>>>,
    variables: &Variables,
    context: &mut Context<'_>,
) -> (String, Contains) {
    let (mut input, mut after, mut sent) = (String::new(), None, 0);
    let mut all = Vec::new();
    let mut rule = Contains {
        case_sensitive: true,
        ..Contains::default()
    };
    for step in &steps.value {
        let what = match &step.value {
            StepFile::Send(line) => {
                let text = context.fill(line, variables).unwrap_or_default();
                if text.contains('\n') {
                    context.report(&line.span, "a line that is sent has no line break in it");
                }
                input.push_str(&text);
                input.push('\n');
                after = Some(text);
                sent += 1;
                continue;
            }
            StepFile::Expect(text) => {
                let text = texts(std::slice::from_ref(text), variables, context);
                Wanted::Text(text.into_iter().collect())
            }
            StepFile::ExpectPattern(pattern) => {
                check_pattern(&rule, pattern, context);
                Wanted::Pattern(pattern.value.clone())
            }
        };
        let after = after.clone();
        all.push(Sought { what, after, sent });
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
            let all = all.map(Sought::new);
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
        all.extend(text.map(|it| it.trim().to_owned()));
    }
    all
}

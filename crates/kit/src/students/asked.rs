//! What a case asks for, apart from an answer, as it is written in a kit.

use grader_problem::{Case, Checker, Contains, ExitPolicy, Sought, Wanted};
use toml::{Table, Value};

/// Writes a text as a template.
type Template = fn(&String) -> String;

/// Adds the exit status and standard error that a case asks for.
pub(super) fn add(case: &Case, template: Template, table: &mut Table) {
    let status = match case.exit_status {
        ExitPolicy::Status(0) => None,
        ExitPolicy::Status(status) => Some(Value::from(i64::from(status))),
        ExitPolicy::Ignored => Some("ignored".into()),
    };
    table.extend(status.map(|it| ("exit-status".to_owned(), it)));
    if let Some(rule) = &case.stderr {
        table.insert("stderr".to_owned(), contains(rule, template).into());
    }
}

/// A table as `[checker.contains]`.
fn contains(rule: &Contains, template: Template) -> Table {
    let (mut text, mut pattern) = (Vec::new(), Vec::new());
    for it in rule.lists.iter().flatten() {
        match &it.what {
            Wanted::Text(it) => text.push(template(it)),
            Wanted::Pattern(it) => pattern.push(it.clone()),
        }
    }
    let never: Vec<String> = rule.never.iter().map(template).collect();
    Table::from_iter([
        ("text".to_owned(), text.into()),
        ("pattern".to_owned(), pattern.into()),
        ("never".to_owned(), never.into()),
        ("case-sensitive".to_owned(), rule.case_sensitive.into()),
    ])
}

/// The steps of a case that is a dialogue.
pub(super) fn dialogue(case: &Case, template: Template) -> Option<Value> {
    let (Checker::Contains(rule), true) = (&case.checker, case.is_dialogue) else {
        return None;
    };
    let step =
        |key: &str, text: String| Value::from(Table::from_iter([(key.to_owned(), text.into())]));
    let expected = |it: &Sought| match &it.what {
        Wanted::Text(text) => step("expect", template(text)),
        Wanted::Pattern(pattern) => step("expect-pattern", pattern.clone()),
    };
    let all = || rule.lists.iter().flatten();
    let input = String::from_utf8_lossy(&case.input);
    let mut steps: Vec<Value> = all().filter(|it| it.sent == 0).map(expected).collect();
    for (number, line) in (1..).zip(input.lines()) {
        steps.push(step("send", template(&line.to_owned())));
        steps.extend(all().filter(|it| it.sent == number).map(expected));
    }
    Some(steps.into())
}

//! What is looked for after judging, and the tools whose remarks on sources are told: `[checks]`.

use grader_model::{LanguageId, Points};

use crate::checks::{CheckFile, ToolFile};
use crate::context::Context;
use crate::file::{ProblemFile, SubtaskFile};
use crate::problem::{CheckRule, Checks, ToolCheck};
use crate::suggest::{quoted, unknown};
use crate::value::At;

/// A tool. Reports mistakes.
fn tool_check(
    file: &ToolFile,
    name: &str,
    accepted: &[LanguageId],
    context: &mut Context<'_>,
) -> ToolCheck {
    let program = file.command.first().map_or("", String::as_str);
    let message = if program.contains(char::is_whitespace) {
        "no shell is involved: each word is a string of its own\nwrite `command = [\"ruff\", \"check\", \"{files}\"]`"
    } else if program.is_empty() || program.contains(['/', '{']) {
        "`command` must begin with the name of a program\nwrite `command = [\"ruff\", \"check\", \"{files}\"]`"
    } else if file.command.iter().any(|word| word.contains('\0')) {
        "an argument must not contain a NUL character"
    } else if !file
        .command
        .iter()
        .any(|word| word.contains(ToolCheck::FILES))
    {
        "no argument contains `{files}`, so the tool would not know the sources\nwrite `command = [\"ruff\", \"check\", \"{files}\"]`"
    } else {
        ""
    };
    if !message.is_empty() {
        context.report(&file.command.span, message);
    }
    let languages = file.languages.as_ref();
    let languages =
        languages.map(|words| words.iter().filter_map(|it| context.language(it)).collect());
    ToolCheck {
        name: name.to_owned(),
        command: file.command.value.clone(),
        languages: languages.unwrap_or_else(|| accepted.to_vec()),
        files: context.files(&file.files),
    }
}

/// The checks of a problem that accepts these languages. Reports mistakes.
pub(crate) fn checks(
    file: &ProblemFile,
    accepted: &[LanguageId],
    context: &mut Context<'_>,
) -> Checks {
    let mut checks = Checks::default();
    for (name, check) in &file.checks {
        let switch = match name.0.as_str() {
            "undefined-behaviour" => Some(&mut checks.undefined_behaviour),
            "all-programs" => Some(&mut checks.all_programs),
            _ => None,
        };
        match (check, switch) {
            (CheckFile::Switch(is_on), Some(switch)) => *switch = *is_on,
            (CheckFile::Tool(tool), None) => {
                checks
                    .tools
                    .push(tool_check(tool, &name.0, accepted, context));
            }
            (CheckFile::Switch(_), None) => {
                let known = ["undefined-behaviour", "all-programs"];
                context.report(&name.span, &unknown("switch", &name.0, known));
            }
            (CheckFile::Tool(_), Some(_)) => {
                let message = format!("{} is true or false", quoted(&name.0));
                context.report(&name.span, &message);
            }
        }
    }
    checks
}

/// How the remarks of a tool take the points of a subtask, if they do. Reports mistakes.
pub(crate) fn check_rule(
    file: &At<SubtaskFile>,
    checks: &Checks,
    accepted: &[LanguageId],
    context: &mut Context<'_>,
) -> Option<CheckRule> {
    let (check, each) = match (&file.check, &file.each) {
        (Some(check), Some(each)) => (check, each),
        (Some(check), None) => {
            let message =
                "`check` needs `each`\nwrite `each = 0.5`, the points that each remark takes";
            context.report(&check.span, message);
            return None;
        }
        (None, Some(each)) => {
            context.report(&each.span, "`each` needs `check`");
            return None;
        }
        (None, None) => return None,
    };
    if each.0 == Points::ZERO {
        context.report(&each.span, "`each` must be more than 0");
    }
    if file.has_cases() || file.manual {
        let message = "a subtask with `check` has no cases, and nobody grades it by hand";
        context.report(&file.span, message);
    }
    let mut tools = checks.tools.iter();
    let Some(tool) = tools.find(|it| it.name == check.0) else {
        let known = checks.tools.iter().map(|it| it.name.as_str());
        context.report(&check.span, &unknown("check", &check.0, known));
        return None;
    };
    let mut others = accepted.iter().filter(|it| !tool.languages.contains(it));
    if let Some(other) = others.next() {
        let (name, other) = (quoted(&check.0), context.languages.name(*other));
        let message = format!(
            "check {name} does not run on {other}, which the problem accepts\nfor some languages only, leave out the subtask: the remarks are told"
        );
        context.report(&check.span, &message);
    }
    Some(CheckRule {
        check: check.0.clone(),
        each: each.0,
    })
}

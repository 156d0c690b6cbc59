//! `command` and `program` of `[build]`.

use grader_language::BuildCommand;

use crate::context::Context;
use crate::file::ProblemFile;
use crate::library::join;
use crate::value::At;

/// The problem's own command that builds submissions. Reports mistakes.
pub(crate) fn build_command(file: &ProblemFile, context: &mut Context<'_>) -> Option<BuildCommand> {
    let build = &file.build;
    let (command, program) = match (&build.command, &build.program) {
        (Some(command), Some(program)) => (command, program),
        (Some(At { span, .. }), None) => {
            let message =
                "`command` needs `program`\nname the program that it makes: `program = \"list\"`";
            context.report(span, message);
            return None;
        }
        (None, Some(At { span, .. })) => {
            context.report(span, "`program` needs `command`");
            return None;
        }
        (None, None) => return None,
    };
    let tool = command.first().map_or("", String::as_str);
    let message = if tool.is_empty() || tool.contains('/') {
        "`command` must begin with the name of a program\nwrite `command = [\"make\", \"list\"]`"
    } else if tool.contains(char::is_whitespace) {
        "no shell is involved: each word is a string of its own\nwrite `command = [\"make\", \"list\"]`"
    } else if command.iter().any(|word| word.contains('\0')) {
        "an argument must not contain a NUL character"
    } else if !build.flags.is_empty() {
        "`flags` and `command` cannot be used together\nput the flags into the files by which it builds"
    } else if file.submission.languages.is_none() && file.submission.file.is_none() {
        "`command` needs `languages` in `[submission]`\nname those of the programs that it builds"
    } else {
        ""
    };
    if !message.is_empty() {
        context.report(&command.span, message);
    }
    let path = join("", program);
    if let Err(message) = path {
        context.report(&program.span, message);
    }
    Some(BuildCommand {
        words: command.value.clone(),
        program: path.ok()?,
    })
}

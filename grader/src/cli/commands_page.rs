//! `docs/commands.md` is generated from the command line as clap reads it, but for its introduction and the section about
//! environment variables.

use std::fmt::Write as _;

use clap::builder::PossibleValue;
use clap::{Arg, Command};

use super::{EXIT_STATUS, GROUPS, command};

const PAGE: &str = "../docs/commands.md";
const ENVIRONMENT: &str = "\n## Environment variables\n";

/// Set `BITCRAFT_BLESS` to write the page again after a command has changed.
#[test]
fn the_page_of_commands_is_in_step_with_the_command_line() {
    let written = std::fs::read_to_string(PAGE).unwrap();
    let introduction = written.split("\n## ").next().unwrap();
    let (_, environment) = written.split_once(ENVIRONMENT).unwrap();
    let environment = environment.split("\n## ").next().unwrap();
    let mut grader = command();
    grader.build();

    let mut page = format!("{introduction}{}", overview(&grader));
    let about = "These work with every command, before or after its name.";
    let _ = write!(page, "\n## Global options\n\n{about}\n\n");
    for arg in grader.get_arguments() {
        page += &item(&grader, arg);
    }
    page += &exit_statuses();
    page += ENVIRONMENT;
    page += environment;
    for name in GROUPS.iter().flat_map(|(_, names)| *names) {
        let command = grader.find_subcommand_mut(name).unwrap();
        page += &section(command);
        for variable in command.get_arguments().filter_map(Arg::get_env) {
            let variable = format!("| `{}` |", variable.display());
            assert!(environment.contains(&variable), "{variable}");
        }
    }
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        std::fs::write(PAGE, page).unwrap();
    } else {
        assert!(written == page, "run with `BITCRAFT_BLESS` set");
    }
}

fn overview(grader: &Command) -> String {
    let mut text = "\n## Overview\n\n| command | what it does |\n|---|---|\n".to_owned();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "| **{title}** | |");
        for name in names {
            let about = grader.find_subcommand(name).and_then(Command::get_about);
            let about = sentence(&about.unwrap().to_string()).replace('|', "\\|");
            let _ = writeln!(text, "| [`{name}`](#grader-{name}) | {about} |");
        }
    }
    text
}

fn exit_statuses() -> String {
    let lines = EXIT_STATUS.split("\n\n").next().unwrap().lines().skip(1);
    let mut rows = Vec::new();
    for line in lines {
        match line.trim().split_once("  ") {
            Some((status, meaning)) => rows.push(format!("| {status} | {}", meaning.trim())),
            None => rows.last_mut().unwrap().extend([" ", line.trim()]),
        }
    }
    let rows = rows.iter().map(|row| format!("{} |\n", escaped(row)));
    "\n## Exit status\n\n| status | meaning |\n|---|---|\n".to_owned() + &rows.collect::<String>()
}

/// A command: what it does, how it is typed, its arguments, options and examples.
fn section(command: &mut Command) -> String {
    let name = command.get_name().to_owned();
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let about = command.get_long_about().or(command.get_about()).unwrap();
    let about = paragraphs(&about.to_string());
    let more = command.get_after_long_help();
    let more = more.map(ToString::to_string).unwrap_or_default();
    let (more, examples) = match more.find("Example") {
        Some(at) => more.split_at(at),
        None => (&*more, ""),
    };
    let mut text = format!("\n## grader {name}\n\n{about}\n\n```text\n{usage}\n```\n");
    text += &with_blocks(more);
    let own = |arg: &&Arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help";
    let heading = |arg: &Arg| match arg.get_help_heading() {
        Some(heading) => heading.to_owned(),
        None if arg.is_positional() => "Arguments".to_owned(),
        None => "Options".to_owned(),
    };
    let mut args: Vec<&Arg> = command.get_arguments().filter(own).collect();
    args.sort_by_key(|arg| (!arg.is_positional(), arg.get_display_order()));
    let mut headings: Vec<String> = ["Arguments", "Options"].map(str::to_owned).into();
    for arg in &args {
        if !headings.contains(&heading(arg)) {
            headings.push(heading(arg));
        }
    }
    for title in headings {
        let items = args.iter().filter(|arg| heading(arg) == title);
        let items: String = items.map(|arg| item(command, arg)).collect();
        if !items.is_empty() {
            let _ = write!(text, "\n**{title}**\n\n{items}");
        }
    }
    text + &with_blocks(examples)
}

/// What an argument without a name is called in the usage.
fn value_name(arg: &Arg) -> &str {
    let names = arg.get_value_names();
    names
        .and_then(|names| names.first())
        .map_or(arg.get_id().as_str(), |it| it.as_str())
}

/// An argument or option with its address: `grade--student`, `grade-class`.
fn item(command: &Command, arg: &Arg) -> String {
    let name = match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => format!("-{}", value_name(arg).to_lowercase()),
    };
    let anchor = format!("{}{name}", command.get_name());
    let short = arg.get_short().filter(|_| !arg.is_positional());
    let short = short.map_or_else(String::new, |short| format!("-{short}, "));
    let help = arg.get_long_help().or(arg.get_help()).unwrap().to_string();
    let mut text = format!(
        "- <a id=\"{anchor}\"></a>[`{short}{arg}`](#{anchor}): {}",
        paragraphs(&help).replace("\n\n", " ")
    );
    let takes_values = arg.get_num_args().is_some_and(|it| it.takes_values());
    let values = arg.get_possible_values();
    let values = values.iter().filter(|it| takes_values && !it.is_hide_set());
    let values: Vec<&PossibleValue> = values.collect();
    let explained = values.iter().any(|it| it.get_help().is_some());
    if !values.is_empty() && !explained {
        let names = values.iter().map(|it| format!("`{}`", it.get_name()));
        let names = names.collect::<Vec<_>>().join(", ");
        let _ = write!(text, " Possible values: {names}.");
    }
    let defaults = arg.get_default_values().iter();
    for default in defaults.filter(|_| takes_values && !arg.is_hide_default_value_set()) {
        let _ = write!(text, " Default: `{}`.", default.display());
    }
    if let Some(variable) = arg.get_env() {
        let _ = write!(text, " Environment: `{}`.", variable.display());
    }
    let conflicts: Vec<String> = conflicts(command, arg)
        .map(|it| format!("`{it}`"))
        .collect();
    if !conflicts.is_empty() {
        let _ = write!(text, " Not together with {}.", conflicts.join(", "));
    }
    text.push('\n');
    for value in values.iter().filter(|_| explained) {
        let help = value
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(text, "  - `{}`: {}", value.get_name(), sentence(&help));
    }
    text
}

/// The other arguments that cannot be given with one, whichever of the two says so.
fn conflicts<'a>(command: &'a Command, arg: &'a Arg) -> impl Iterator<Item = String> + 'a {
    let excludes = |one: &Arg, other: &Arg| {
        let mut all = command.get_arg_conflicts_with(one).into_iter();
        all.any(|it| it.get_id() == other.get_id())
    };
    let others = command.get_arguments().filter(move |other| {
        other.get_id() != arg.get_id() && (excludes(arg, other) || excludes(other, arg))
    });
    others.map(|other| match other.get_long() {
        Some(long) => format!("--{long}"),
        None => other.to_string(),
    })
}

/// A help text as sentences, with defaults in brackets as sentences of their own.
fn paragraphs(help: &str) -> String {
    let paragraphs = help.split("\n\n").map(|paragraph| {
        let (before, default) = match paragraph.split_once("[default: ") {
            Some((before, default)) => (before, default),
            None => (paragraph, ""),
        };
        let default = default.trim_end_matches('.').trim_end_matches(']');
        let before = Some(before.trim()).filter(|it| !it.is_empty());
        let default = Some(default).filter(|it| !it.is_empty());
        let default = default.map(|it| format!("Default: {it}"));
        let parts = before.map(sentence).into_iter();
        let parts = parts.chain(default.as_deref().map(sentence));
        parts.collect::<Vec<_>>().join(" ")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// A text that ends with a full stop.
fn sentence(text: &str) -> String {
    let end = if text.ends_with(['.', ':', '?']) {
        ""
    } else {
        "."
    };
    escaped(text.trim()) + end
}

/// A text for Markdown: signs outside code mean themselves.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| {
        let is_code = at % 2 == 1;
        let chars = part.chars().map(|sign| match sign {
            '<' if !is_code => "&lt;".to_owned(),
            '*' | '_' | '[' | ']' | '\\' if !is_code => format!("\\{sign}"),
            sign => sign.to_string(),
        });
        chars.collect::<String>()
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Paragraphs in which indented lines are code.
fn with_blocks(help: &str) -> String {
    let (mut text, mut in_code) = (String::new(), false);
    for line in help.lines().filter(|line| !line.is_empty()) {
        let code = line.strip_prefix("  ");
        match (in_code, code) {
            (false, Some(_)) => text += "\n```sh\n",
            (true, None) => text += "```\n\n",
            (false, None) => text.push('\n'),
            (true, Some(_)) => {}
        }
        in_code = code.is_some();
        text += &code.map_or_else(|| escaped(line), str::to_owned);
        text.push('\n');
    }
    text + if in_code { "```\n" } else { "" }
}

//! Which isolation programs run in: what was asked for, and what this machine can do.

use std::env;
use std::io::Write as _;
use std::sync::Arc;

use anyhow::Context as _;
use grader_model::Lang;
use grader_report::doctor::refusal;
use grader_sandbox::{
    BasicRunner, Finding, Hold, LauncherCommand, Runner, StrictError, StrictRunner,
};

use crate::cli::{IsolationArgs, IsolationLevel};
use crate::exit::{Mistake, Refused};
use crate::host::{Facts, Files, finding};
use crate::terminal::Terminal;

/// The first argument that makes this binary the sandbox's launcher. Not for people.
pub(crate) const LAUNCH: &str = "__launch";

/// What a command does where no level is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usual {
    /// Strict, or nothing: other people's programs.
    Strict,
    /// Strict where this machine can, else basic, said aloud: one's own programs.
    Best,
}

/// This binary as a launcher.
pub(crate) fn launcher() -> anyhow::Result<LauncherCommand> {
    Ok(LauncherCommand {
        program: env::current_exe().context("cannot find the grader's own program file")?,
        arguments: vec![LAUNCH.into()],
    })
}

/// The runner that was asked for.
///
/// # Errors
/// [`Refused`] where strict isolation is asked for and cannot be had: nothing has run then.
pub(crate) fn runner(
    args: &IsolationArgs,
    usual: Usual,
    terminal: &Terminal,
) -> anyhow::Result<Arc<dyn Runner>> {
    let launcher = launcher()?;
    let best = match (args.isolation, usual) {
        (Some(IsolationLevel::Best), _) => return as_strict_as_can_be(args, &launcher, terminal),
        (Some(IsolationLevel::Basic), _) if !args.allow_missing.is_empty() => {
            return Err(Mistake::new(
                "`--allow-missing` is about strict isolation; `--isolation basic` has none of its layers",
                "`--allow-missing` 只用于严格隔离；`--isolation basic` 没有这些层",
            )
            .into());
        }
        (Some(IsolationLevel::Basic), _) => return Ok(Arc::new(BasicRunner::new(launcher))),
        (Some(IsolationLevel::Strict), _) | (None, Usual::Strict) => false,
        (None, Usual::Best) => true,
    };
    match StrictRunner::start(&launcher, &args.allow_missing) {
        Ok(strict) => Ok(Arc::new(strict)),
        Err(StrictError::Missing(findings)) if best => {
            let missing = lacking(&findings);
            writeln!(terminal.stderr(), "{}", fallen_back(&missing, terminal))?;
            Ok(Arc::new(BasicRunner::new(launcher)))
        }
        Err(StrictError::Missing(findings)) => {
            let facts = Facts::read(&Files::here());
            let findings: Vec<_> = findings.iter().map(|it| finding(it, &facts)).collect();
            let waived: Vec<_> = args.allow_missing.iter().map(|it| it.name()).collect();
            let (style, label) = (terminal.error_style(), terminal.plain_error_label());
            Err(Refused(refusal(&findings, &waived, &label, &style)).into())
        }
        Err(StrictError::Sandbox(error)) => Err(error.into()),
    }
}

/// Strict isolation with all that this machine has, or else level basic. What is missing is said.
fn as_strict_as_can_be(
    args: &IsolationArgs,
    launcher: &LauncherCommand,
    terminal: &Terminal,
) -> anyhow::Result<Arc<dyn Runner>> {
    let mut waived = args.allow_missing.clone();
    let findings = match StrictRunner::start(launcher, &waived) {
        Ok(strict) => return Ok(Arc::new(strict)),
        Err(StrictError::Missing(findings)) => findings,
        Err(StrictError::Sandbox(error)) => return Err(error.into()),
    };
    let missing = lacking(&findings);
    waived.extend(missing.iter().map(|it| it.layer));
    match StrictRunner::start(launcher, &waived) {
        Ok(strict) => {
            writeln!(terminal.stderr(), "{}", weakened(&missing, terminal))?;
            Ok(Arc::new(strict))
        }
        Err(StrictError::Missing(_)) => {
            writeln!(terminal.stderr(), "{}", fallen_back(&missing, terminal))?;
            Ok(Arc::new(BasicRunner::new(launcher.clone())))
        }
        Err(StrictError::Sandbox(error)) => Err(error.into()),
    }
}

/// The required layers that were tried and are missing.
fn lacking(findings: &[Finding]) -> Vec<&Finding> {
    let lacks =
        |it: &&Finding| it.layer.is_required() && it.hold == Hold::Missing && it.detail.is_some();
    findings.iter().filter(lacks).collect()
}

/// One line for a machine without a sandbox.
fn fallen_back(missing: &[&Finding], terminal: &Terminal) -> String {
    let lang = terminal.lang();
    let names = names(missing, lang);
    lang.pick(
        format!("no sandbox: this machine lacks {names} (`grader doctor` says more)"),
        format!("没有沙箱：这台机器缺少 {names}（详见 `grader doctor`）"),
    )
}

/// One line for a sandbox that is not whole.
fn weakened(missing: &[&Finding], terminal: &Terminal) -> String {
    let lang = terminal.lang();
    let names = names(missing, lang);
    lang.pick(
        format!("the sandbox is not whole: this machine lacks {names} (`grader doctor` says more)"),
        format!("沙箱不完整：这台机器缺少 {names}（详见 `grader doctor`）"),
    )
}

/// The names of some layers, the first few of many.
fn names(missing: &[&Finding], lang: Lang) -> String {
    const NAMED: usize = 3;
    let names: Vec<&str> = missing
        .iter()
        .take(NAMED)
        .map(|it| it.layer.name())
        .collect();
    let more = match missing.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => lang.pick(
            format!(" and {more} more"),
            format!(" 等 {} 层", NAMED + more),
        ),
    };
    format!("{}{more}", names.join(lang.pick(", ", "、")))
}

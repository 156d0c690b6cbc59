//! Which isolation programs run in: what was asked for, and what this machine can do.

use std::env;
use std::io::Write as _;
use std::sync::Arc;

use anyhow::Context as _;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use grader_model::Text;
use grader_sandbox::{
    Finding, Hold, LauncherCommand, Layer, LimitsOnlyRunner, Runner, SandboxError, StrictRunner,
};

use crate::exit::{Exit, Mistake, Report};
use crate::host::{Fix, Machine};
use crate::terminal::Terminal;

/// How programs are isolated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct IsolationArgs {
    /// How strictly programs are isolated.
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL")]
    pub(crate) isolation: IsolationLevel,
    /// Do without this layer of strict isolation if this machine lacks it (may be given more than once).
    #[arg(long, value_name = "LAYER", value_parser = layers(), hide_possible_values = true)]
    pub(crate) allow_missing: Vec<Layer>,
}

/// A level of isolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum IsolationLevel {
    /// The layers that this machine has; one line says what is missing. Refuses only outside containers, if it can
    /// close neither files nor the network to other people's programs.
    #[default]
    #[value(alias = "best")]
    Auto,
    /// A sandbox; refuses if a layer is missing. `grader doctor` lists the layers.
    Strict,
    /// Limits, but not a sandbox: programs can read what you can. Only for programs that you trust.
    Basic,
}

fn layers() -> impl TypedValueParser<Value = Layer> {
    PossibleValuesParser::new(Layer::ALL.map(|layer| PossibleValue::new(layer.name())))
        .try_map(|name| name.parse::<Layer>())
}

/// The first argument that makes this binary the sandbox's launcher. Not for people.
pub(crate) const LAUNCH: &str = "__launch";

/// Whose programs a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Programs {
    /// Other people's: outside a container, they do not run if neither files nor network can be closed to them.
    Others,
    /// One's own: they run with what there is.
    Own,
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
/// A [`Report`] if the isolation that was asked for is not available: nothing has run then.
pub(crate) fn runner(
    args: &IsolationArgs,
    programs: Programs,
    terminal: &Terminal,
) -> anyhow::Result<Arc<dyn Runner>> {
    let launcher = launcher()?;
    if args.isolation == IsolationLevel::Basic {
        if !args.allow_missing.is_empty() {
            let message = "`--allow-missing` is about strict isolation; `--isolation basic` has none of its layers";
            return Err(Mistake(Text::plain(message)).into());
        }
        return Ok(Arc::new(LimitsOnlyRunner::new(launcher)));
    }
    let findings = match StrictRunner::start(&launcher, &args.allow_missing) {
        Ok(strict) => return Ok(Arc::new(strict)),
        Err(SandboxError::Missing(findings)) => findings,
        Err(error) => return Err(error.into()),
    };
    let machine = Machine::read();
    if args.isolation == IsolationLevel::Auto {
        let missing = tried(&findings);
        let layers = missing.iter().map(|it| it.layer);
        let waived: Vec<Layer> = args.allow_missing.iter().copied().chain(layers).collect();
        match StrictRunner::start(&launcher, &waived) {
            Ok(strict) => {
                warn(&without_layers(&missing), terminal)?;
                return Ok(Arc::new(strict));
            }
            Err(SandboxError::Missing(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let basic = LimitsOnlyRunner::new(launcher);
        let walls = Walls::of(&basic);
        if walls.are_enough(programs, machine.is_contained()) {
            warn(&walls.text(), terminal)?;
            return Ok(Arc::new(basic));
        }
    }
    let insists = args.isolation == IsolationLevel::Strict;
    let text = refusal(&findings, &args.allow_missing, insists, &machine);
    Err(Report {
        text: format!("{}{text}", terminal.error_label()),
        exit: Exit::Fault,
    }
    .into())
}

/// Prints one line about isolation that is not complete.
fn warn(text: &Text, terminal: &Terminal) -> anyhow::Result<()> {
    writeln!(terminal.stderr(), "{}", text.get(terminal.lang()))?;
    Ok(())
}

/// The required layers that were tried and are missing.
fn tried(findings: &[Finding]) -> Vec<&Finding> {
    let is_missing = |it: &&Finding| it.layer.is_required() && it.was_tried_in_vain();
    findings.iter().filter(is_missing).collect()
}

fn names(findings: &[&Finding]) -> String {
    let names: Vec<&str> = findings.iter().map(|it| it.layer.name()).collect();
    names.join(", ")
}

/// Why nothing runs: the missing layers, how to get them, and the options that do without.
fn refusal(findings: &[Finding], waived: &[Layer], insists: bool, machine: &Machine) -> String {
    let is_untried = |it: &&Finding| {
        it.layer.is_required() && it.hold == Hold::Missing && !it.was_tried_in_vain()
    };
    let untried: Vec<&Finding> = findings.iter().filter(is_untried).collect();
    let mut missing = tried(findings);
    missing.retain(|it| !untried.is_empty() || !waived.contains(&it.layer));
    let count = match missing.len() {
        1 => "1 layer is".to_owned(),
        count => format!("{count} layers are"),
    };
    let mut lines = vec![format!(
        "strict isolation is not available here: {count} missing"
    )];
    let mut shown: Vec<(Layer, Vec<Fix>)> = Vec::new();
    for finding in &missing {
        let (layer, purpose) = (finding.layer, finding.layer.purpose());
        lines.push(format!("\n  {layer}: {purpose}"));
        lines.extend(finding.detail.iter().map(|detail| format!("    {detail}")));
        let fixes = machine.fixes(layer);
        if let Some((same, _)) = shown.iter().find(|(_, known)| *known == fixes) {
            lines.push(format!("    fix: as for `{same}`"));
        } else {
            lines.extend(fix_lines(&fixes).map(|line| format!("    {line}")));
            shown.push((layer, fixes));
        }
    }
    if !untried.is_empty() {
        lines.push(format!(
            "\n  not tried because of that: {}",
            names(&untried)
        ));
        if missing.iter().any(|it| waived.contains(&it.layer)) {
            lines.push("`--allow-missing` does not help: no program can run in a sandbox without these layers".to_owned());
        }
    }
    lines.push("\nto continue anyway:".to_owned());
    if untried.is_empty() {
        let waive = missing
            .iter()
            .map(|it| format!("--allow-missing {}", it.layer));
        lines.push(format!(
            "  {}\n      strict isolation without these layers; every report says so",
            waive.collect::<Vec<_>>().join(" ")
        ));
    }
    if insists {
        lines.push(
            "  --isolation auto\n      use the layers this machine has, and print what is missing"
                .to_owned(),
        );
    }
    lines.push(
        "  --isolation basic\n      not a sandbox: only for programs that you trust".to_owned(),
    );
    lines.push("`grader doctor` tries every layer.".to_owned());
    lines.join("\n")
}

/// How to fix something, one line for each cause and each command.
pub(crate) fn fix_lines(fixes: &[Fix]) -> impl Iterator<Item = String> {
    fixes.iter().enumerate().flat_map(|(index, fix)| {
        let label = if index == 0 { "fix" } else { "or" };
        let cause = format!("{label}: {}", fix.cause);
        let command = fix.command.iter().map(|command| format!("    {command}"));
        std::iter::once(cause).chain(command).collect::<Vec<_>>()
    })
}

/// Strict isolation without some layers.
fn without_layers(missing: &[&Finding]) -> Text {
    let names = names(missing);
    let purposes: Vec<&str> = missing.iter().map(|it| it.layer.purpose()).collect();
    Text::new(
        format!(
            "isolation reduced: this machine lacks {names} ({}); `grader doctor` prints the fix",
            purposes.join("; ")
        ),
        format!("隔离不完整：这台机器缺少 {names}；`grader doctor` 给出补救办法"),
    )
}

/// What closes files and network to programs at level basic.
#[derive(Clone, Copy, Debug, Default)]
struct Walls {
    landlock: bool,
    other_user: bool,
    seccomp: bool,
}

impl Walls {
    fn of(runner: &LimitsOnlyRunner) -> Self {
        let layers = runner.isolation().layers;
        let has = |name: &str| layers.iter().any(|layer| layer == name);
        Self {
            landlock: has("landlock"),
            other_user: has("other-user"),
            seccomp: has("seccomp"),
        }
    }

    /// Whether programs run without namespaces: other people's do not, outside a container, if nothing is closed.
    const fn are_enough(self, programs: Programs, is_contained: bool) -> bool {
        let is_any = self.landlock || self.other_user || self.seccomp;
        matches!(programs, Programs::Own) || is_contained || is_any
    }

    /// What programs can do.
    fn text(self) -> Text {
        let (files, files_zh) = match (self.landlock, self.other_user) {
            (true, _) => ("your files are closed to them", "不能访问您的文件"),
            (false, true) => (
                "they run as another user, who can read world-readable files (check the class folder)",
                "以另一用户运行，能读取所有人可读的文件（请检查班级文件夹的权限）",
            ),
            (false, false) => (
                "they can read and change your files, other submissions among them",
                "能读写您的文件，包括其他学生的提交",
            ),
        };
        let (network, network_zh) = if self.seccomp {
            ("the network is closed", "不能访问网络")
        } else {
            ("the network is open", "能访问网络")
        };
        Text::new(
            format!(
                "isolation reduced (no namespaces here): programs can see other processes; {files}; {network}"
            ),
            format!("隔离不完整（无法使用命名空间）：程序能看到其他进程；{files_zh}；{network_zh}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_peoples_programs_need_a_container_or_a_wall() {
        let none = Walls::default();
        let landlock = Walls {
            landlock: true,
            ..none
        };
        for (programs, is_contained, walls, expected) in [
            (Programs::Others, false, none, false),
            (Programs::Others, false, landlock, true),
            (Programs::Others, true, none, true),
            (Programs::Own, false, none, true),
        ] {
            assert_eq!(walls.are_enough(programs, is_contained), expected);
        }
    }
}

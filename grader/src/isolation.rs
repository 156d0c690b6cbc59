//! Which isolation programs run in: what was asked for, and what this machine can do.

use std::env;
use std::sync::Arc;

use anyhow::Context as _;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use grader_model::Text;
use grader_sandbox::{
    LauncherCommand, Layer, LayerFinding, LayerState, LimitsOnlyRunner, Runner, SandboxError,
    StrictRunner,
};
use grader_session::{Exit, Failure};

use crate::host::{self, Machine};
use crate::terminal::Terminal;

/// How programs are isolated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct IsolationArgs {
    /// How strictly programs are isolated.
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "LEVEL",
        hide_short_help = true
    )]
    pub(crate) isolation: IsolationLevel,
    /// Run even if this isolation layer is missing; `grader doctor` lists the layers (repeatable).
    #[arg(long, value_name = "LAYER", value_parser = layers(), hide_possible_values = true, hide_short_help = true)]
    pub(crate) allow_missing: Vec<Layer>,
}

/// A level of isolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum IsolationLevel {
    /// Use the layers that this machine has; one line says what is missing. Outside a container, refuse to run other
    /// people's programs if they would have access to both your files and the network.
    #[default]
    Auto,
    /// A sandbox; refuse to run if a layer is missing. `grader doctor` lists the layers.
    Strict,
    /// Limits, but not a sandbox: programs can read what you can. Only for programs that you trust.
    Basic,
}

fn layers() -> impl TypedValueParser<Value = Layer> {
    PossibleValuesParser::new(Layer::ALL.iter().map(|it| it.name()))
        .try_map(|name| name.parse::<Layer>())
}

/// The first argument that makes this binary the sandbox's launcher. Not for people.
pub(crate) const LAUNCH: &str = "__launch";

/// The programs that a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Programs {
    /// Other people's: outside a container, they need files or network closed to them.
    Others,
    /// The user's own: they run with the layers that there are.
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
/// A [`Failure`] if the isolation that was asked for is not available: nothing has run then.
pub(crate) fn runner(
    args: &IsolationArgs,
    programs: Programs,
    terminal: &Terminal,
) -> anyhow::Result<Arc<dyn Runner>> {
    let launcher = launcher()?;
    if args.isolation == IsolationLevel::Basic {
        if !args.allow_missing.is_empty() {
            let message = "`--allow-missing` is for strict isolation; `--isolation basic` has none of its layers";
            return Err(Failure::usage(message).into());
        }
        return Ok(Arc::new(LimitsOnlyRunner::start(&launcher)?));
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
                let names = names(&missing);
                let purposes: Vec<&str> = missing.iter().map(|it| it.layer.purpose()).collect();
                let purposes = purposes.join("; ");
                terminal.warn(
                    format!("isolation reduced: this machine lacks {names} ({purposes}); `grader doctor` prints the fix"),
                    format!("隔离不完整：这台机器缺少 {names}；修复方法见 `grader doctor`"),
                );
                return Ok(Arc::new(strict));
            }
            Err(SandboxError::Missing(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let basic = LimitsOnlyRunner::start(&launcher)?;
        let walls = [Layer::Landlock, Layer::OuterUid, Layer::Seccomp].map(|it| basic.has(it));
        if programs == Programs::Own || machine.is_contained() || walls.contains(&true) {
            note_walls(walls, terminal);
            return Ok(Arc::new(basic));
        }
    }
    let insists = args.isolation == IsolationLevel::Strict;
    let text = refusal(&findings, insists, &machine);
    Err(Failure::new(Exit::Fault, Text::plain(text)).into())
}

/// The required layers that were tried and are missing.
fn tried(findings: &[LayerFinding]) -> Vec<&LayerFinding> {
    let is_missing = |it: &&LayerFinding| it.layer.is_required() && it.probe_failed();
    findings.iter().filter(is_missing).collect()
}

fn names(findings: &[&LayerFinding]) -> String {
    let names: Vec<&str> = findings.iter().map(|it| it.layer.name()).collect();
    names.join(", ")
}

/// Why nothing runs: the missing layers, how to get them, and the options that do without.
fn refusal(findings: &[LayerFinding], insists: bool, machine: &Machine) -> String {
    let missing = tried(findings);
    let is_untried = |it: &&LayerFinding| {
        it.layer.is_required() && it.state == LayerState::Missing && it.detail.is_none()
    };
    let untried: Vec<&LayerFinding> = findings.iter().filter(is_untried).collect();
    let mut lines = vec!["strict isolation is not available here:".to_owned()];
    let mut shown = Vec::new();
    for finding in &missing {
        let mut fixes = machine.fixes(finding);
        fixes.retain(|fix| !shown.contains(fix));
        lines.extend(host::lines(finding, &fixes));
        shown.extend(fixes);
    }
    if !untried.is_empty() {
        lines.push(format!("  not tried because of that: {}", names(&untried)));
    }
    lines.push("to continue anyway:".to_owned());
    if untried.is_empty() {
        let waive = missing
            .iter()
            .map(|it| format!(" --allow-missing {}", it.layer));
        let waive = waive.collect::<String>();
        lines.push(format!(
            " {waive}\n      strict isolation without these layers; every report says so"
        ));
    }
    if insists {
        lines.push("  --isolation auto\n      use the layers that this machine has".to_owned());
    }
    lines.push(
        "  --isolation basic\n      not a sandbox: only for programs that you trust".to_owned(),
    );
    lines.join("\n")
}

/// Reports what programs can do at level basic, by the layers that close files and network to them.
fn note_walls([landlock, other_user, seccomp]: [bool; 3], terminal: &Terminal) {
    let (files, files_zh) = match (landlock, other_user) {
        (true, _) => ("they cannot access your files", "不能访问你的文件"),
        (false, true) => (
            "they run as another user, who can read world-readable files (check the class folder)",
            "以另一用户运行，能读取所有人可读的文件（请检查班级文件夹的权限）",
        ),
        (false, false) => (
            "they can read and change your files, other submissions among them",
            "能读写你的文件，包括其他学生的提交",
        ),
    };
    let (network, network_zh) = if seccomp {
        ("the network is blocked", "不能访问网络")
    } else {
        ("the network is reachable", "能访问网络")
    };
    terminal.warn(
        format!("isolation reduced (no namespaces here): programs can see other processes; {files}; {network}"),
        format!("隔离不完整（无法使用命名空间）：程序能看到其他进程；{files_zh}；{network_zh}"),
    );
}

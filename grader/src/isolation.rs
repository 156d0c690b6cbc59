//! Which isolation programs run in: what was asked for, and what this machine can do.

use std::env;
use std::io::Write as _;
use std::sync::Arc;

use anyhow::Context as _;
use grader_model::Lang;
use grader_sandbox::{
    Finding, Hold, LauncherCommand, Layer, LimitsOnlyRunner, Runner, SandboxError, StrictRunner,
};

use crate::cli::{IsolationArgs, IsolationLevel};
use crate::exit::{Mistake, Refused};
use crate::host::{Fix, Machine};
use crate::terminal::Terminal;

/// The first argument that makes this binary the sandbox's launcher. Not for people.
pub(crate) const LAUNCH: &str = "__launch";

/// Whose programs a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Programs {
    /// Other people's: on a host that is no container, they do not run if neither files nor network can be isolated.
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
/// [`Refused`] where isolation is asked for that cannot be had: nothing has run then.
pub(crate) fn runner(
    args: &IsolationArgs,
    programs: Programs,
    terminal: &Terminal,
) -> anyhow::Result<Arc<dyn Runner>> {
    let launcher = launcher()?;
    if args.isolation == IsolationLevel::Basic {
        if !args.allow_missing.is_empty() {
            return Err(Mistake::new(
                "`--allow-missing` is about strict isolation; `--isolation basic` has none of its layers",
                "`--allow-missing` 只用于严格隔离；`--isolation basic` 没有这些层",
            )
            .into());
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
        let lacking = lacking(&findings);
        let without = [
            &args.allow_missing[..],
            &lacking.iter().map(|it| it.layer).collect::<Vec<_>>(),
        ];
        match StrictRunner::start(&launcher, &without.concat()) {
            Ok(strict) => {
                let line = reduced(
                    &lacking,
                    &weaker(&lacking, terminal.lang()),
                    &machine,
                    terminal,
                );
                writeln!(terminal.stderr(), "{line}")?;
                return Ok(Arc::new(strict));
            }
            Err(SandboxError::Missing(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let basic = LimitsOnlyRunner::new(launcher);
        let walls = Walls::of(&basic);
        if may_reduce(programs, machine.is_contained(), walls) {
            let line = reduced(&lacking, &walls.effect(terminal.lang()), &machine, terminal);
            writeln!(terminal.stderr(), "{line}")?;
            return Ok(Arc::new(basic));
        }
    }
    let insisted = args.isolation == IsolationLevel::Strict;
    let text = refusal(&findings, &args.allow_missing, insisted, &machine);
    Err(Refused(format!("{}{text}", terminal.error_label())).into())
}

/// Why nothing runs: the missing layers, what gives them, and which options do without.
fn refusal(findings: &[Finding], waived: &[Layer], insisted: bool, machine: &Machine) -> String {
    let is_missing = |it: &&Finding| it.layer.is_required() && it.hold == Hold::Missing;
    let (tried, untried): (Vec<_>, Vec<_>) = findings
        .iter()
        .filter(is_missing)
        .partition(|it| it.was_tried_in_vain());
    let missing: Vec<_> = tried
        .iter()
        .filter(|it| !untried.is_empty() || !waived.contains(&it.layer))
        .collect();
    let layers = if missing.len() == 1 {
        "1 layer is"
    } else {
        &format!("{} layers are", missing.len())
    };
    let mut lines = vec![format!(
        "strict isolation is not available here: {layers} missing"
    )];
    let mut shown: Vec<(Layer, Vec<Fix>)> = Vec::new();
    for finding in &missing {
        lines.push(format!(
            "\n  {}: {}",
            finding.layer,
            finding.layer.purpose()
        ));
        lines.extend(finding.detail.iter().map(|detail| format!("    {detail}")));
        let fixes = machine.fixes(finding.layer);
        if let Some((layer, _)) = shown.iter().find(|(_, known)| *known == fixes) {
            lines.push(format!("    fix: as for `{layer}`"));
        } else {
            lines.extend(fix_lines(&fixes).map(|line| format!("    {line}")));
            shown.push((finding.layer, fixes));
        }
    }
    let names = |part: &[&Finding]| {
        part.iter()
            .map(|it| it.layer.name())
            .collect::<Vec<_>>()
            .join(", ")
    };
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
        let waive: Vec<_> = missing
            .iter()
            .map(|it| format!("--allow-missing {}", it.layer))
            .collect();
        lines.push(format!(
            "  {}\n      strict isolation without these layers; every report says so",
            waive.join(" ")
        ));
    }
    if insisted {
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
        let command = fix.command.iter().map(|command| format!("    {command}"));
        [format!("{label}: {}", fix.cause)]
            .into_iter()
            .chain(command)
            .collect::<Vec<_>>()
    })
}

/// Whether programs run though no namespaces can be made: not other people's programs, outside a container, if nothing
/// keeps them from files or the network.
fn may_reduce(programs: Programs, is_contained: bool, walls: Walls) -> bool {
    programs == Programs::Own || is_contained || walls != Walls::default()
}

/// What of level basic closes files and network to programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Walls {
    landlock: bool,
    other_user: bool,
    seccomp: bool,
}

impl Walls {
    fn of(runner: &LimitsOnlyRunner) -> Self {
        let layers = runner.isolation().layers;
        let holds = |name: &str| layers.iter().any(|layer| layer == name);
        Self {
            landlock: holds("landlock"),
            other_user: holds("other-user"),
            seccomp: holds("seccomp"),
        }
    }

    /// What programs can do, and what not.
    fn effect(self, lang: Lang) -> String {
        let sees = lang.pick("programs can see other processes", "程序能看到其他进程");
        let user = lang.pick("a separate user", "独立用户");
        let rest = match (self.landlock, self.other_user, self.seccomp) {
            (true, true, true) => lang.pick(
                format!(
                    "Landlock, {user} and seccomp keep programs from your files and the network"
                ),
                format!("Landlock、{user}和 seccomp 阻止程序访问您的文件和网络"),
            ),
            (true, false, true) => lang.pick(
                "Landlock and seccomp keep programs from your files and the network".to_owned(),
                "Landlock 和 seccomp 阻止程序访问您的文件和网络".to_owned(),
            ),
            (true, _, false) => lang.pick(
                "Landlock keeps programs from your files; the network is open".to_owned(),
                "Landlock 阻止程序访问您的文件；网络是开放的".to_owned(),
            ),
            (false, other_user, seccomp) => {
                let files = if other_user {
                    lang.pick(
                        "they run as a separate user, but without Landlock they can read every world-readable file: \
                         check the permissions of the class folder",
                        "程序以独立用户运行，但没有 Landlock，仍能读取所有人可读的文件：请检查班级文件夹的权限",
                    )
                } else {
                    lang.pick(
                        "they can read and change your files, other submissions among them",
                        "程序能读写您的文件，包括其他学生的提交",
                    )
                };
                let network = if seccomp {
                    lang.pick("the network is closed by seccomp", "网络由 seccomp 隔离")
                } else {
                    lang.pick("the network is open", "网络是开放的")
                };
                format!("{files}{}{network}", lang.pick("; ", "；"))
            }
        };
        format!("{sees}{}{rest}", lang.pick("; ", "；"))
    }
}

/// One line for isolation that is not whole: what is missing, and what that means.
fn reduced(missing: &[&Finding], means: &str, machine: &Machine, terminal: &Terminal) -> String {
    let lang = terminal.lang();
    let cause = if missing.iter().any(|it| it.layer == Layer::UserNamespace) {
        let name = match machine.container {
            Some("docker") => Some("Docker"),
            Some("podman") => Some("Podman"),
            Some("kubernetes") => Some("Kubernetes"),
            _ => None,
        };
        let usual = match name {
            Some(name) => lang.pick(
                format!(", {name}'s default"),
                format!("，{name} 的默认设置"),
            ),
            None => String::new(),
        };
        lang.pick(
            format!("no user namespaces{usual}"),
            format!("没有用户命名空间{usual}"),
        )
    } else {
        let names = names(missing, lang);
        lang.pick(
            format!("this machine lacks {names}"),
            format!("这台机器缺少 {names}"),
        )
    };
    lang.pick(
        format!("isolation reduced ({cause}): {means}"),
        format!("隔离不完整（{cause}）：{means}"),
    )
}

/// What it means that strict isolation is without these layers.
fn weaker(missing: &[&Finding], lang: Lang) -> String {
    let means = missing.iter().filter_map(|it| {
        Some(match it.layer {
            Layer::UserNamespace => lang.pick(
                "the sandbox is made with root's own powers; programs hold none of them",
                "沙箱直接用 root 的权限建立；程序没有这些权限",
            ),
            Layer::OuterUid => lang.pick(
                "programs run under your own user ID on the host",
                "在宿主机上，程序以运行评测的用户身份运行",
            ),
            Layer::Seccomp => lang.pick("system calls are not filtered", "系统调用不经过滤"),
            Layer::Landlock => lang.pick("files are closed by mounts alone", "文件只靠挂载隔离"),
            Layer::ProcessCount => {
                lang.pick("the number of processes has no limit", "进程数没有上限")
            }
            Layer::MemoryCgroup => lang.pick(
                "memory is bounded for each process by itself",
                "内存只按单个进程限制",
            ),
            Layer::CpuClock => lang.pick(
                "CPU time of child processes that are never waited for is not counted",
                "未被父进程等待（wait）的子进程的 CPU 时间不计入",
            ),
            // Without any other no program can be run at all.
            _ => return None,
        })
    });
    means.collect::<Vec<_>>().join(lang.pick("; ", "；"))
}

/// The required layers that were tried and are missing.
fn lacking(findings: &[Finding]) -> Vec<&Finding> {
    let lacks = |it: &&Finding| it.layer.is_required() && it.was_tried_in_vain();
    findings.iter().filter(lacks).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_peoples_programs_need_a_container_or_a_wall() {
        let none = Walls::default();
        let seccomp = Walls {
            seccomp: true,
            ..none
        };
        let landlock = Walls {
            landlock: true,
            ..none
        };
        for (programs, is_contained, walls, expected) in [
            (Programs::Others, false, none, false),
            (Programs::Others, false, seccomp, true),
            (Programs::Others, false, landlock, true),
            (Programs::Others, true, none, true),
            (Programs::Own, false, none, true),
        ] {
            assert_eq!(may_reduce(programs, is_contained, walls), expected);
        }
    }

    #[test]
    fn what_is_open_and_what_is_closed_is_said() {
        let effect = |landlock, other_user, seccomp| {
            let walls = Walls {
                landlock,
                other_user,
                seccomp,
            };
            walls.effect(Lang::En)
        };
        let sees = "programs can see other processes; ";
        for (effect, rest) in [
            (
                effect(true, true, true),
                "Landlock, a separate user and seccomp keep programs from your files and the network",
            ),
            (
                effect(true, false, true),
                "Landlock and seccomp keep programs from your files and the network",
            ),
            (
                effect(true, false, false),
                "Landlock keeps programs from your files; the network is open",
            ),
            (
                effect(false, true, true),
                "they run as a separate user, but without Landlock they can read every world-readable file: check \
                 the permissions of the class folder; the network is closed by seccomp",
            ),
            (
                effect(false, false, false),
                "they can read and change your files, other submissions among them; the network is open",
            ),
        ] {
            assert_eq!(effect, format!("{sees}{rest}"));
        }
    }
}

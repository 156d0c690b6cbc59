//! What each layer is for, in words for people.

use grader_model::Text;
use grader_report::doctor::{LayerFinding, LayerHold};
use grader_sandbox::{Finding, Hold, Layer};

use super::facts::Facts;
use super::mend::mends;

/// What was found of a layer, with its purpose and what would mend it here.
pub(crate) fn finding(finding: &Finding, facts: &Facts) -> LayerFinding {
    LayerFinding {
        name: finding.layer.name().to_owned(),
        required: finding.layer.is_required(),
        hold: match finding.hold {
            Hold::Held => LayerHold::Held,
            Hold::Weaker => LayerHold::Weaker,
            Hold::Missing => LayerHold::Missing,
        },
        purpose: purpose(finding.layer),
        detail: finding.detail.clone(),
        mends: mends(finding.layer, finding.hold, facts),
    }
}

fn purpose(layer: Layer) -> Text {
    let (en, zh) = match layer {
        Layer::UserNamespace => (
            "Whatever rights a program has inside mean nothing outside.",
            "程序在里面的任何权限，到外面都无效。",
        ),
        Layer::OuterUid => (
            "For the machine a program is never root.",
            "对这台机器来说，程序绝不是 root。",
        ),
        Layer::MountNamespace => (
            "A program sees only the files that are put there for it.",
            "程序只能看到为它准备的文件。",
        ),
        Layer::PidNamespace => (
            "A program sees and signals only its own processes, and all of them end with it.",
            "程序只能看到自己的进程、只能给它们发信号，它们都随程序结束。",
        ),
        Layer::NetworkNamespace => (
            "There is no network, not even this machine's own.",
            "没有网络，连本机网络也没有。",
        ),
        Layer::IpcNamespace => (
            "Nothing left in shared memory or queues reaches another run.",
            "共享内存和消息队列里的东西不会传到下一次运行。",
        ),
        Layer::UtsNamespace => (
            "The host name says nothing about this machine.",
            "主机名不会透露这台机器的信息。",
        ),
        Layer::ReadOnlyRoot => (
            "A program can write only to its own folder and to /tmp.",
            "程序只能写自己的文件夹和 /tmp。",
        ),
        Layer::Proc => (
            "Programs find a /proc of their own; most do without.",
            "程序有自己的 /proc；大多数程序不需要它。",
        ),
        Layer::NoCapabilities => (
            "A program holds none of the powers that root is made of.",
            "程序不持有任何 root 特权。",
        ),
        Layer::NoNewPrivileges => (
            "No program that it starts gives it more rights (sudo, su).",
            "它启动的任何程序（sudo、su）都不能给它更多权限。",
        ),
        Layer::Seccomp => (
            "System calls that no honest program needs are refused.",
            "正当程序用不到的系统调用一律被拒绝。",
        ),
        Layer::Landlock => (
            "Foreign files, TCP and signals to outside are refused a second time.",
            "对外部文件、TCP 和外部进程信号再设一道拦截。",
        ),
        Layer::ResourceLimits => (
            "Open files, file sizes, core dumps and locked memory are bounded.",
            "打开的文件数、文件大小、核心转储和锁定内存都有上限。",
        ),
        Layer::ProcessCount => (
            "The number of processes and threads is bounded: no fork bombs.",
            "进程和线程的数目有上限：不怕 fork 炸弹。",
        ),
        Layer::MemoryCgroup => (
            "The memory of all processes of a run is counted and bounded together.",
            "一次运行的所有进程的内存合在一起计量和限制。",
        ),
        Layer::CpuClock => (
            "The CPU time of all processes of a run is counted; none can hide.",
            "一次运行的所有进程的 CPU 时间都计入，无法隐藏。",
        ),
    };
    Text::new(en, zh)
}

//! What makes equal runs take unequal times, and what changes it.

use grader_model::Text;
use grader_report::doctor::TimingFinding;

use super::cores::cores;
use super::facts::TimingFacts;

/// From this share on, time that was given to other machines is worth a word.
const STOLEN_NOTABLY: f64 = 0.01;

/// All that is looked at, known or not.
pub(crate) fn timing(facts: &TimingFacts) -> Vec<TimingFinding> {
    vec![
        cores(facts.cores.as_ref()),
        load(facts),
        governor(facts),
        boost(facts),
        shared_cores(facts),
        swap(facts),
        layout(facts),
        huge_pages(facts),
        stolen(facts),
    ]
}

fn finding(
    name: &str,
    label: (&str, &str),
    value: Option<String>,
    disturbs: bool,
    effect: (&str, &str),
    commands: &[&str],
) -> TimingFinding {
    TimingFinding {
        name: name.to_owned(),
        label: Text::new(label.0, label.1),
        value,
        disturbs,
        effect: Text::new(effect.0, effect.1),
        commands: commands.iter().map(|&command| command.to_owned()).collect(),
    }
}

fn load(facts: &TimingFacts) -> TimingFinding {
    let cores = facts.cores.as_ref().map_or(1, |cores| cores.threads) as f64;
    finding(
        "load",
        ("load", "负载"),
        facts.load.map(|load| format!("{load:.2}")),
        facts.load.is_some_and(|load| load > cores),
        (
            "more processes than processors wear out each other's caches and stretch wall time",
            "进程多于处理器时，会互相挤占缓存，并拉长实际时间",
        ),
        &["uptime"],
    )
}

fn governor(facts: &TimingFacts) -> TimingFinding {
    let all = &facts.governors;
    finding(
        "cpu-governor",
        ("CPU governor", "CPU 调频策略"),
        (!all.is_empty()).then(|| all.join(", ")),
        all.iter().any(|governor| governor != "performance"),
        (
            "a processor that slows down when idle makes short runs look slow",
            "处理器空闲时降频，会让短的运行显得更慢",
        ),
        &["echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"],
    )
}

fn boost(facts: &TimingFacts) -> TimingFinding {
    let on = facts.boost.is_some_and(|(on, _)| on);
    let command = facts.boost.map(|(_, command)| command);
    finding(
        "cpu-boost",
        ("CPU boost", "CPU 睿频"),
        facts.boost.map(|(on, _)| on_or_off(on)),
        on,
        (
            "a processor is faster while it is cool and alone: times change with what else runs",
            "处理器在温度低、单独运行时更快：时间随其他负载而变",
        ),
        command.as_slice(),
    )
}

fn shared_cores(facts: &TimingFacts) -> TimingFinding {
    finding(
        "smt",
        ("shared cores (SMT)", "共享核心（SMT）"),
        facts.threads_share_cores.map(on_or_off),
        facts.threads_share_cores == Some(true),
        (
            "two programs on one core slow each other down, and CPU time shows it",
            "同一核心上的两个程序互相拖慢，并计入 CPU 时间",
        ),
        &["echo off | sudo tee /sys/devices/system/cpu/smt/control"],
    )
}

fn swap(facts: &TimingFacts) -> TimingFinding {
    finding(
        "swap",
        ("swap", "交换空间"),
        facts.swap.as_ref().map(|devices| {
            if devices.is_empty() {
                on_or_off(false)
            } else {
                devices.join(", ")
            }
        }),
        facts
            .swap
            .as_ref()
            .is_some_and(|devices| !devices.is_empty()),
        (
            "memory that was swapped out is slow to come back",
            "换出的内存取回很慢",
        ),
        &["sudo swapoff -a"],
    )
}

fn layout(facts: &TimingFacts) -> TimingFinding {
    let value = facts.randomised.map(|level| match level {
        0 => "off".to_owned(),
        level => format!("on ({level})"),
    });
    finding(
        "aslr",
        ("random addresses (ASLR)", "随机地址（ASLR）"),
        value,
        facts.randomised.is_some_and(|level| level != 0),
        (
            "memory lies elsewhere in every run, and caches fit better or worse; turn it off only on a machine \
             that does nothing else",
            "每次运行的内存位置不同，缓存命中时好时坏；只应在专用机器上关闭",
        ),
        &["sudo sysctl -w kernel.randomize_va_space=0"],
    )
}

fn huge_pages(facts: &TimingFacts) -> TimingFinding {
    finding(
        "huge-pages",
        ("huge pages (THP)", "大页（THP）"),
        facts.huge_pages.clone(),
        facts.huge_pages.as_deref() == Some("always"),
        (
            "whether a program gets huge pages is luck, and changes its time and memory",
            "程序能否得到大页要看运气，会改变它的时间和内存",
        ),
        &["echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"],
    )
}

fn stolen(facts: &TimingFacts) -> TimingFinding {
    finding(
        "steal",
        ("time given to other machines", "被其他虚拟机占用的时间"),
        facts.stolen.map(|share| format!("{:.2} %", share * 100.0)),
        facts.stolen.is_some_and(|share| share >= STOLEN_NOTABLY),
        (
            "other virtual machines on the same hardware take turns with this one; ask for processors of its own",
            "同一硬件上的其他虚拟机与这台轮流使用处理器；请为它申请专用的处理器",
        ),
        &[],
    )
}

fn on_or_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::cores::CoreFacts;
    use super::*;

    fn alike(physical: usize) -> CoreFacts {
        CoreFacts {
            physical,
            threads: physical,
            quota: None,
            kept: Some(Ok(())),
        }
    }

    /// Of each: its name, its value, and whether it disturbs.
    fn brief(facts: &TimingFacts) -> Vec<String> {
        timing(facts)
            .iter()
            .map(|it| {
                let value = it.value.as_deref().unwrap_or("unknown");
                let disturbs = if it.disturbs { " disturbs" } else { "" };
                format!("{}: {value}{disturbs}", it.name)
            })
            .collect()
    }

    #[test]
    fn a_quiet_machine_disturbs_nothing() {
        let quiet = TimingFacts {
            cores: Some(alike(4)),
            governors: vec!["performance".to_owned()],
            boost: Some((false, "no command")),
            threads_share_cores: Some(false),
            swap: Some(Vec::new()),
            randomised: Some(0),
            huge_pages: Some("madvise".to_owned()),
            stolen: Some(0.001),
            load: Some(4.0),
        };
        assert_eq!(
            brief(&quiet),
            [
                "cores: 4 cores, 1 program on each, kept there",
                "load: 4.00",
                "cpu-governor: performance",
                "cpu-boost: off",
                "smt: off",
                "swap: off",
                "aslr: off",
                "huge-pages: madvise",
                "steal: 0.10 %",
            ]
        );
    }

    #[test]
    fn a_restless_machine_disturbs_with_everything() {
        let restless = TimingFacts {
            cores: Some(alike(1)),
            governors: vec!["performance".to_owned(), "powersave".to_owned()],
            boost: Some((true, "turn it off")),
            threads_share_cores: Some(true),
            swap: Some(vec!["/dev/sda2".to_owned()]),
            randomised: Some(2),
            huge_pages: Some("always".to_owned()),
            stolen: Some(0.25),
            load: Some(1.5),
        };
        assert_eq!(
            brief(&restless),
            [
                "cores: 1 core, 1 program on each, kept there disturbs",
                "load: 1.50 disturbs",
                "cpu-governor: performance, powersave disturbs",
                "cpu-boost: on disturbs",
                "smt: on disturbs",
                "swap: /dev/sda2 disturbs",
                "aslr: on (2) disturbs",
                "huge-pages: always disturbs",
                "steal: 25.00 % disturbs",
            ]
        );
        assert_eq!(timing(&restless)[3].commands, ["turn it off"]);
    }

    #[test]
    fn what_is_not_shown_is_unknown_and_does_not_disturb() {
        let unknown = brief(&TimingFacts::default());
        assert!(
            unknown.iter().all(|line| line.ends_with(": unknown")),
            "{unknown:?}"
        );
    }
}

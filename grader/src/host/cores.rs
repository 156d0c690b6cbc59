//! How many programs run at a time, and where.

use grader_model::Text;
use grader_report::doctor::TimingFinding;
use grader_sandbox::Cores;

/// What decides how many programs run at a time without disturbing each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CoreFacts {
    /// Physical cores that this process may use, in whole or in part.
    pub(super) physical: usize,
    /// Their threads that it may use, each of which the system takes for a processor.
    pub(super) threads: usize,
    /// Processors whose time a quota leaves it.
    pub(super) quota: Option<usize>,
    /// Whether a program that was put on each of them stayed there, else why not in technical English; nothing where
    /// that was not tried.
    pub(super) kept: Option<Result<(), String>>,
}

impl CoreFacts {
    /// Those of this process.
    pub(crate) fn of(cores: &Cores) -> Self {
        let all = cores.order().len();
        Self {
            physical: if all == 0 {
                cores.workers()
            } else {
                cores.physical()
            },
            threads: if all == 0 { cores.workers() } else { all },
            quota: cores.quota(),
            kept: None,
        }
    }
}

/// What is said of them.
pub(super) fn cores(facts: Option<&CoreFacts>) -> TimingFinding {
    let (disturbs, en, zh) = effect(facts);
    TimingFinding {
        name: "cores".to_owned(),
        label: Text::new("cores", "核心"),
        value: facts.map(value),
        disturbs,
        effect: Text::new(en, zh),
        commands: Vec::new(),
    }
}

fn value(facts: &CoreFacts) -> String {
    let physical = match facts.physical {
        1 => "1 core".to_owned(),
        more => format!("{more} cores"),
    };
    let threads = if facts.threads == facts.physical {
        String::new()
    } else {
        format!(" with {} threads", facts.threads)
    };
    let programs = match facts.quota {
        Some(quota) if quota < facts.physical => {
            format!("{quota} at a time by a quota of CPU time")
        }
        _ => "1 program on each".to_owned(),
    };
    let kept = match &facts.kept {
        None => String::new(),
        Some(Ok(())) => ", kept there".to_owned(),
        Some(Err(why)) => format!(", not kept there: {why}"),
    };
    format!("{physical}{threads}, {programs}{kept}")
}

/// Whether they make times differ, and how they do or would.
fn effect(facts: Option<&CoreFacts>) -> (bool, &'static str, &'static str) {
    match facts {
        Some(CoreFacts {
            kept: Some(Err(_)), ..
        }) => (
            true,
            "a program that wanders from core to core leaves behind what it had in caches",
            "程序在核心之间迁移时，缓存中的内容就丢了",
        ),
        Some(CoreFacts { quota: Some(_), .. }) => (
            true,
            "who has used up a quota of CPU time is stopped for a while, which stretches wall time; `--jobs` \
             should not ask for more programs at a time",
            "CPU 时间的配额用完后，程序会被暂停，拉长实际时间；`--jobs` 不宜调大",
        ),
        Some(CoreFacts { threads: 1, .. }) => (
            true,
            "on the only core the grader and the program take turns, and wear out each other's caches",
            "只有一个核心时，评测程序和被评测的程序轮流使用它，互相挤占缓存",
        ),
        _ => (
            false,
            "more programs at a time than cores wear out each other's caches",
            "同时运行的程序多于核心时，会互相挤占缓存",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: Option<Result<(), &str>> = Some(Ok(()));

    /// What is said, and whether it disturbs.
    fn said(
        physical: usize,
        threads: usize,
        quota: Option<usize>,
        kept: Option<Result<(), &str>>,
    ) -> String {
        let finding = cores(Some(&CoreFacts {
            physical,
            threads,
            quota,
            kept: kept.map(|kept| kept.map_err(str::to_owned)),
        }));
        let disturbs = if finding.disturbs { " (disturbs)" } else { "" };
        format!("{}{disturbs}", finding.value.unwrap())
    }

    #[test]
    fn a_core_each_is_what_is_wanted() {
        assert_eq!(
            said(2, 2, None, KEPT),
            "2 cores, 1 program on each, kept there"
        );
        assert_eq!(
            said(4, 8, None, KEPT),
            "4 cores with 8 threads, 1 program on each, kept there"
        );
        assert_eq!(said(4, 4, None, None), "4 cores, 1 program on each");
    }

    #[test]
    fn one_core_and_a_quota_and_wandering_disturb() {
        assert_eq!(
            said(1, 1, None, KEPT),
            "1 core, 1 program on each, kept there (disturbs)"
        );
        assert_eq!(
            said(8, 16, Some(3), KEPT),
            "8 cores with 16 threads, 3 at a time by a quota of CPU time, kept there (disturbs)"
        );
        // A quota that has time for a program on each physical core, though not on each thread.
        assert_eq!(
            said(8, 16, Some(12), KEPT),
            "8 cores with 16 threads, 1 program on each, kept there (disturbs)"
        );
        let failed = Some(Err("put on 1, a program ran on 0, 1"));
        assert_eq!(
            said(2, 2, None, failed),
            "2 cores, 1 program on each, not kept there: put on 1, a program ran on 0, 1 (disturbs)"
        );
    }

    #[test]
    fn a_machine_of_which_nothing_is_known_disturbs_nobody() {
        let finding = cores(None);
        assert_eq!((finding.value, finding.disturbs), (None, false));
    }
}

//! Reading what the system says of itself.

#[cfg(test)]
use std::path::Path;
use std::path::PathBuf;
use std::{env, fs};

use super::cores::CoreFacts;
use super::shell::quoted;

/// The files of a system, below its root.
pub(crate) struct Files(PathBuf);

impl Files {
    /// Those of this system.
    pub(crate) fn here() -> Self {
        Self(PathBuf::from("/"))
    }

    #[cfg(test)]
    pub(super) fn below(root: &Path) -> Self {
        Self(root.to_owned())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// The text without blanks at its ends; nothing where it cannot be read.
    fn text(&self, path: &str) -> Option<String> {
        let bytes = fs::read(self.path(path)).ok()?;
        Some(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    fn number(&self, path: &str) -> Option<i64> {
        self.text(path)?.parse().ok()
    }

    /// The file or folder of this name in each folder whose name begins so and ends with a number.
    fn each(&self, folder: &str, prefix: &str, name: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else {
            return Vec::new();
        };
        let mut found: Vec<(u32, String)> = entries
            .flatten()
            .filter_map(|entry| {
                let number = entry.file_name().to_str()?.strip_prefix(prefix)?.parse();
                let path = format!("{folder}/{prefix}{}/{name}", number.clone().ok()?);
                Some((number.ok()?, self.text(&path)?))
            })
            .collect();
        found.sort();
        found.into_iter().map(|(_, text)| text).collect()
    }
}

/// What decides whether strict isolation can be had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Facts {
    /// Whether this is Linux at all.
    pub(super) linux: bool,
    /// Whether this process may administer the system (`CAP_SYS_ADMIN`).
    pub(super) admin: bool,
    /// The container that it runs in.
    pub(super) container: Option<Container>,
    /// Whether its user namespace is not that of the machine.
    pub(super) nested: bool,
    /// Whether a system-call filter is in force for it already.
    pub(super) filtered: bool,
    /// The `AppArmor` profile that confines it.
    pub(super) confined: Option<String>,
    /// Whether parts of `/proc` are covered.
    pub(super) masked_proc: bool,
    /// Whether systemd manages the machine.
    pub(super) systemd: bool,
    /// Version of the kernel.
    pub(super) kernel: Option<[u32; 2]>,
    /// `kernel.apparmor_restrict_unprivileged_userns`.
    pub(super) apparmor_restricts: bool,
    /// `kernel.unprivileged_userns_clone`, where the kernel has it.
    pub(super) userns_clone: Option<i64>,
    /// `user.max_user_namespaces`.
    pub(super) most_namespaces: Option<i64>,
    /// `kernel.perf_event_paranoid`.
    pub(super) perf_paranoid: Option<i64>,
    /// The security modules in force, in their order.
    pub(super) modules: Option<String>,
    /// Whether the kernel was built with Landlock.
    pub(super) landlock_built: Option<bool>,
    /// The control groups.
    pub(super) cgroups: Cgroups,
    /// This program's own path, as a shell reads it.
    pub(super) program: String,
    /// The arguments that it was started with, as a shell reads them.
    pub(super) arguments: String,
}

/// What made a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Docker,
    Podman,
    Kubernetes,
    Other,
}

/// How control groups are mounted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cgroups {
    /// Not at all.
    #[default]
    Absent,
    /// For reading only.
    ReadOnly,
    /// For writing, but memory is not counted by them.
    WithoutMemory,
    /// For writing by those who may.
    Whole,
}

impl Facts {
    /// Whether it runs in a container, or in a user namespace such as one has.
    pub(crate) const fn is_contained(&self) -> bool {
        self.container.is_some() || self.nested
    }

    /// The name of what made the container, where that allows programs no user namespaces of their own by default.
    pub(crate) const fn container_name(&self) -> Option<&'static str> {
        match self.container {
            Some(Container::Docker) => Some("Docker"),
            Some(Container::Podman) => Some("Podman"),
            Some(Container::Kubernetes) => Some("Kubernetes"),
            Some(Container::Other) | None => None,
        }
    }

    /// Looks at the system.
    pub(crate) fn read(files: &Files) -> Self {
        let status = files.text("proc/self/status").unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.trim_start_matches(':').trim().to_owned())
        };
        let capabilities = field("CapEff").and_then(|hex| u64::from_str_radix(&hex, 16).ok());
        let mounts = files.text("proc/self/mountinfo").unwrap_or_default();
        let release = files.text("proc/sys/kernel/osrelease").unwrap_or_default();
        Self {
            linux: cfg!(target_os = "linux"),
            admin: capabilities.is_some_and(|set| set & (1 << 21) != 0),
            container: container(files),
            nested: files
                .text("proc/self/uid_map")
                .is_some_and(|map| !map.split_whitespace().eq(["0", "0", "4294967295"])),
            filtered: field("Seccomp").as_deref() == Some("2"),
            confined: files
                .text("proc/self/attr/current")
                .map(|profile| profile.trim_end_matches('\0').to_owned())
                .filter(|profile| !profile.is_empty() && !profile.starts_with("unconfined")),
            masked_proc: mounts.lines().filter_map(mount_point).any(masks_proc),
            systemd: files.exists("run/systemd/system"),
            kernel: version(&release),
            apparmor_restricts: files
                .number("proc/sys/kernel/apparmor_restrict_unprivileged_userns")
                == Some(1),
            userns_clone: files.number("proc/sys/kernel/unprivileged_userns_clone"),
            most_namespaces: files.number("proc/sys/user/max_user_namespaces"),
            perf_paranoid: files.number("proc/sys/kernel/perf_event_paranoid"),
            modules: files.text("sys/kernel/security/lsm"),
            landlock_built: files.text(&format!("boot/config-{release}")).map(|config| {
                config
                    .lines()
                    .any(|line| line == "CONFIG_SECURITY_LANDLOCK=y")
            }),
            cgroups: cgroups(files, &mounts),
            program: env::current_exe()
                .map_or_else(|_| "grader".to_owned(), |path| quoted(path.as_os_str())),
            arguments: env::args_os()
                .skip(1)
                .map(|word| quoted(&word))
                .collect::<Vec<_>>()
                .join(" "),
        }
    }
}

fn container(files: &Files) -> Option<Container> {
    let groups = files.text("proc/1/cgroup").unwrap_or_default();
    let service_account = "run/secrets/kubernetes.io";
    if groups.contains("kubepods") || files.exists(service_account) {
        Some(Container::Kubernetes)
    } else if files.exists(".dockerenv") || groups.contains("docker") {
        Some(Container::Docker)
    } else if files.exists("run/.containerenv") {
        Some(Container::Podman)
    } else if groups.contains("containerd") || groups.contains("lxc") || is_marked(files) {
        Some(Container::Other)
    } else {
        None
    }
}

/// Whether who started the first process here left word of a container, as systemd-nspawn and LXC do.
fn is_marked(files: &Files) -> bool {
    let environment = files.text("proc/1/environ").unwrap_or_default();
    let marked = |variable: &str| variable.starts_with("container=");
    environment.split('\0').any(marked)
}

/// `[6, 8]` of `6.8.0-45-generic`.
fn version(release: &str) -> Option<[u32; 2]> {
    let mut numbers = release.split(['.', '-']).map(str::parse);
    Some([numbers.next()?.ok()?, numbers.next()?.ok()?])
}

/// Fields of a line of `mountinfo`: number, parent, device, root, mount point, options … - type, source, options.
fn mount_point(line: &str) -> Option<&str> {
    line.split(' ').nth(4)
}

/// Whether something mounted here covers a part of `/proc`. Some file systems belong there, on empty folders.
fn masks_proc(point: &str) -> bool {
    point.starts_with("/proc/") && !["/proc/sys/fs/binfmt_misc", "/proc/fs/nfsd"].contains(&point)
}

fn cgroups(files: &Files, mounts: &str) -> Cgroups {
    let mut best = Cgroups::Absent;
    for line in mounts.lines() {
        let Some((place, kind)) = line.split_once(" - ") else {
            continue;
        };
        let mut kind = kind.split(' ');
        let name = kind.next().unwrap_or_default();
        let options = kind.nth(1).unwrap_or_default();
        let Some(point) = mount_point(place) else {
            continue;
        };
        let memory = match name {
            "cgroup2" => files
                .text(&format!(
                    "{}/cgroup.controllers",
                    point.trim_start_matches('/')
                ))
                .is_some_and(|all| all.split(' ').any(|one| one == "memory")),
            "cgroup" => options.split(',').any(|one| one == "memory"),
            _ => continue,
        };
        let writable = place
            .split(' ')
            .nth(5)
            .is_some_and(|options| options.split(',').any(|option| option == "rw"));
        let this = match (writable, memory) {
            (false, _) => Cgroups::ReadOnly,
            (true, false) => Cgroups::WithoutMemory,
            (true, true) => Cgroups::Whole,
        };
        if this as u8 > best as u8 {
            best = this;
        }
    }
    best
}

/// What decides how much equal runs differ in time. Nothing where the system does not show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TimingFacts {
    /// The cores that this process may use.
    pub(super) cores: Option<CoreFacts>,
    /// The frequency governors in use, each once.
    pub(super) governors: Vec<String>,
    /// Whether processors may run faster than their rated frequency, and what turns that off.
    pub(super) boost: Option<(bool, &'static str)>,
    /// Whether two of the processors may share one core.
    pub(super) threads_share_cores: Option<bool>,
    /// Where memory is swapped to.
    pub(super) swap: Option<Vec<String>>,
    /// `kernel.randomize_va_space`.
    pub(super) randomised: Option<i64>,
    /// Use of huge pages: `always`, `madvise` or `never`.
    pub(super) huge_pages: Option<String>,
    /// Share of the time since the start that a hypervisor gave to others, of 1.
    pub(super) stolen: Option<f64>,
    /// Processes that wanted to run, on average over a minute.
    pub(super) load: Option<f64>,
}

const BOOST_OFF: &str = "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost";
const TURBO_OFF: &str = "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo";

impl TimingFacts {
    /// Looks at the system, which lets this process use these cores.
    pub(crate) fn read(files: &Files, cores: Option<CoreFacts>) -> Self {
        let mut governors = files.each("sys/devices/system/cpu", "cpu", "cpufreq/scaling_governor");
        governors.sort();
        governors.dedup();
        let boost = files
            .number("sys/devices/system/cpu/cpufreq/boost")
            .map(|on| (on != 0, BOOST_OFF));
        let turbo = files
            .number("sys/devices/system/cpu/intel_pstate/no_turbo")
            .map(|off| (off == 0, TURBO_OFF));
        Self {
            cores,
            governors,
            boost: boost.or(turbo),
            threads_share_cores: files
                .number("sys/devices/system/cpu/smt/active")
                .map(|active| active != 0),
            swap: files.text("proc/swaps").map(|table| {
                let devices = table.lines().skip(1);
                devices
                    .filter_map(|line| line.split_whitespace().next())
                    .map(str::to_owned)
                    .collect()
            }),
            randomised: files.number("proc/sys/kernel/randomize_va_space"),
            huge_pages: files
                .text("sys/kernel/mm/transparent_hugepage/enabled")
                .and_then(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned())),
            stolen: files.text("proc/stat").and_then(|stat| stolen(&stat)),
            load: files
                .text("proc/loadavg")
                .and_then(|line| line.split(' ').next()?.parse().ok()),
        }
    }

    /// Whether a program that was put on each core stayed there, else why not; nothing where that was not tried.
    pub(crate) fn kept(&mut self, kept: Option<Result<(), String>>) {
        if let Some(cores) = &mut self.cores {
            cores.kept = kept;
        }
    }
}

/// From the line of all processors: user, nice, system, idle, iowait, irq, softirq, steal …
fn stolen(stat: &str) -> Option<f64> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let times: Vec<f64> = line
        .split_whitespace()
        .take(8)
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let all: f64 = times.iter().sum();
    (all > 0.0).then_some(*times.get(7)? / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(files: &[(&str, &str)]) -> (tempfile::TempDir, Files) {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let files = Files::below(root.path());
        (root, files)
    }

    #[test]
    fn a_docker_container_with_its_usual_confinement_is_seen_as_such() {
        let (_root, files) = system(&[
            (".dockerenv", ""),
            (
                "proc/self/status",
                "Name:\tgrader\nCapEff:\t00000000a80425fb\nSeccomp:\t2\nSeccomp_filters:\t1\n",
            ),
            ("proc/self/attr/current", "docker-default (enforce)\n"),
            ("proc/sys/kernel/osrelease", "6.8.0-45-generic\n"),
            ("proc/sys/kernel/perf_event_paranoid", "4\n"),
            (
                "proc/self/mountinfo",
                "1 0 0:1 / /proc rw - proc proc rw\n\
                 2 1 0:2 / /proc/kcore rw - tmpfs tmpfs rw\n\
                 3 0 0:3 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw\n",
            ),
            ("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n"),
        ]);
        let facts = Facts::read(&files);
        assert_eq!(
            Facts {
                program: String::new(),
                arguments: String::new(),
                ..facts
            },
            Facts {
                linux: cfg!(target_os = "linux"),
                container: Some(Container::Docker),
                filtered: true,
                confined: Some("docker-default (enforce)".to_owned()),
                masked_proc: true,
                kernel: Some([6, 8]),
                perf_paranoid: Some(4),
                cgroups: Cgroups::ReadOnly,
                ..Facts::default()
            }
        );
    }

    #[test]
    fn what_is_contained_is_told_from_a_machine() {
        let contained = |files: &[(&str, &str)]| {
            let (_root, files) = system(files);
            Facts::read(&files).is_contained()
        };
        let whole = ("proc/self/uid_map", "         0          0 4294967295\n");
        assert!(!contained(&[
            whole,
            ("proc/1/environ", "HOME=/\0not_container=x\0")
        ]));
        for mark in [
            (".dockerenv", ""),
            ("run/.containerenv", ""),
            ("proc/1/environ", "HOME=/\0container=lxc\0"),
            ("proc/1/cgroup", "0::/kubepods/x\n"),
            ("proc/self/uid_map", "0 1000 1\n"),
        ] {
            assert!(contained(&[whole, mark]), "{mark:?}");
        }
    }

    #[test]
    fn an_ordinary_user_of_a_desktop_is_seen_as_such() {
        let (_root, files) = system(&[
            ("run/systemd/system/x", ""),
            (
                "proc/self/status",
                "CapEff:\t0000000000000000\nSeccomp:\t0\n",
            ),
            ("proc/self/attr/current", "unconfined\n"),
            (
                "proc/sys/kernel/apparmor_restrict_unprivileged_userns",
                "1\n",
            ),
            ("proc/sys/user/max_user_namespaces", "96365\n"),
            ("proc/sys/kernel/osrelease", "6.8.0-45-generic\n"),
            (
                "boot/config-6.8.0-45-generic",
                "CONFIG_A=y\nCONFIG_SECURITY_LANDLOCK=y\n",
            ),
            ("sys/kernel/security/lsm", "lockdown,landlock,apparmor"),
            (
                "proc/self/mountinfo",
                "3 0 0:3 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw\n",
            ),
            ("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n"),
        ]);
        let facts = Facts::read(&files);
        assert_eq!(
            Facts {
                program: String::new(),
                arguments: String::new(),
                ..facts
            },
            Facts {
                linux: cfg!(target_os = "linux"),
                systemd: true,
                kernel: Some([6, 8]),
                apparmor_restricts: true,
                most_namespaces: Some(96365),
                modules: Some("lockdown,landlock,apparmor".to_owned()),
                landlock_built: Some(true),
                cgroups: Cgroups::Whole,
                ..Facts::default()
            }
        );
    }

    #[test]
    fn what_a_system_does_not_show_is_unknown() {
        let (_root, files) = system(&[]);
        assert_eq!(TimingFacts::read(&files, None), TimingFacts::default());
        let facts = Facts::read(&files);
        assert!(!facts.admin && facts.kernel.is_none() && facts.container.is_none());
    }

    #[test]
    fn what_disturbs_timing_is_read_from_its_files() {
        let governor =
            |cpu: u32| format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor");
        let (_root, files) = system(&[
            (&governor(0), "powersave\n"),
            (&governor(1), "powersave\n"),
            ("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"),
            ("sys/devices/system/cpu/smt/active", "1\n"),
            (
                "proc/swaps",
                "Filename Type Size Used Priority\n/swap.img file 1 0 -2\n",
            ),
            ("proc/sys/kernel/randomize_va_space", "2\n"),
            (
                "sys/kernel/mm/transparent_hugepage/enabled",
                "always [madvise] never\n",
            ),
            ("proc/stat", "cpu  50 0 20 20 0 0 0 10 0 0\ncpu0 1 2 3\n"),
            ("proc/loadavg", "0.52 0.4 0.3 1/200 4242\n"),
        ]);
        assert_eq!(
            TimingFacts::read(&files, Some(CoreFacts::default())),
            TimingFacts {
                cores: Some(CoreFacts::default()),
                governors: vec!["powersave".to_owned()],
                boost: Some((true, TURBO_OFF)),
                threads_share_cores: Some(true),
                swap: Some(vec!["/swap.img".to_owned()]),
                randomised: Some(2),
                huge_pages: Some("madvise".to_owned()),
                stolen: Some(0.1),
                load: Some(0.52),
            }
        );
    }
}

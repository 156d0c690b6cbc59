//! What must not happen on the machine, whatever a program tries.
//!
//! Programs are told where to reach: a folder that anybody may write, sockets that listen, names for objects of
//! the kernel. Nothing of it may be touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Read as _};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The keys that programs use for objects of System V, 0x62737266 and the next, as `/proc/sysvipc` shows them.
const KEYS: [&str; 2] = ["1651733094", "1651733095"];

/// Settings of the kernel that root could change.
const SETTINGS: [&str; 4] = [
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/domainname",
    "/proc/sys/kernel/ctrl-alt-del",
];

/// Files of the system that programs try to touch.
const SYSTEM: [&str; 4] = ["/", "/usr/bin", "/usr/bin/env", "/etc/passwd"];

/// Folders in which anybody may leave something.
const SHARED: [&str; 4] = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"];

/// What programs may reach for, and how it was before.
pub(crate) struct Outside {
    /// Stands in the command line of every program, and in the name of whatever it makes.
    pub(crate) mark: String,
    /// What no report may show: it stands in files that no program may read, and in the grader's environment.
    pub(crate) secret: String,
    folder: PathBuf,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    unnamed: UnixListener,
    before: Snapshot,
}

/// Mode, time of change, and contents; of a folder, in which the machine's other programs may be at work, the mode
/// and the names that hold the mark.
type State = (u32, i64, i64, Vec<u8>);

/// What is compared.
#[derive(Debug, PartialEq, Eq)]
struct Snapshot {
    files: BTreeMap<PathBuf, State>,
    settings: Vec<(&'static str, String)>,
    mounts: Vec<String>,
}

impl Outside {
    /// Lays out everything, the files in this folder.
    pub(crate) fn new(folder: &Path) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let id = std::process::id();
        let mark = format!("bitcraft-hostile-{id}-{count}");
        let secret = format!("secret{id}x{count}");
        fs::create_dir_all(folder).unwrap();
        fs::set_permissions(folder, Permissions::from_mode(0o777)).unwrap();
        // In the form of a C program too, so that a compiler that reads it does not stop before it shows it.
        fs::write(folder.join("secret.txt"), format!("{secret} oops oops\n")).unwrap();
        fs::write(folder.join("keep.txt"), "keep\n").unwrap();
        fs::set_permissions(folder.join("keep.txt"), Permissions::from_mode(0o666)).unwrap();
        let unix = UnixListener::bind(folder.join("socket")).unwrap();
        fs::set_permissions(folder.join("socket"), Permissions::from_mode(0o777)).unwrap();
        let address = SocketAddr::from_abstract_name(&mark).unwrap();
        let outside = Self {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            unnamed: UnixListener::bind_addr(&address).unwrap(),
            unix,
            before: Snapshot::of(folder, &mark),
            folder: folder.to_owned(),
            mark,
            secret,
        };
        outside.tcp.set_nonblocking(true).unwrap();
        outside.udp.set_nonblocking(true).unwrap();
        outside.unix.set_nonblocking(true).unwrap();
        outside.unnamed.set_nonblocking(true).unwrap();
        outside
    }

    /// The arguments of every program: the mark, the folder, the ports.
    pub(crate) fn arguments(&self) -> [String; 4] {
        [
            self.mark.clone(),
            self.folder.display().to_string(),
            self.tcp.local_addr().unwrap().port().to_string(),
            self.udp.local_addr().unwrap().port().to_string(),
        ]
    }

    /// What has happened that must not, after all programs have ended.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        until(|| marked(&self.mark).is_empty());
        for process in marked(&self.mark) {
            complaints.push(format!("a process was left: {process}"));
        }
        self.compare(&mut complaints);
        self.calls(&mut complaints);
        self.objects(&mut complaints);
        complaints
    }

    /// Files, settings and mounts are as they were.
    fn compare(&self, complaints: &mut Vec<String>) {
        let (before, after) = (&self.before, Snapshot::of(&self.folder, &self.mark));
        for (path, state) in &after.files {
            if before.files.get(path) != Some(state) {
                let path = path.display();
                complaints.push(format!("`{path}` was made or changed"));
            }
        }
        for path in before.files.keys() {
            if !after.files.contains_key(path) {
                complaints.push(format!("`{}` was removed", path.display()));
            }
        }
        for ((path, old), (_, new)) in before.settings.iter().zip(&after.settings) {
            if old != new {
                complaints.push(format!("{path} was `{old}` and is `{new}`"));
            }
        }
        for mount in after.mounts {
            if !before.mounts.contains(&mount) {
                complaints.push(format!("a mount was left: {mount}"));
            }
        }
    }

    /// Nobody called.
    fn calls(&self, complaints: &mut Vec<String>) {
        let mut said = [0; 64];
        match self.tcp.accept() {
            Ok((mut stream, _)) => {
                // It was sent before the program ended, if anything was.
                stream.set_nonblocking(true).unwrap();
                let count = stream.read(&mut said).unwrap_or(0);
                let said = grader_model::escaped(&said[..count]);
                complaints.push(format!("somebody connected by TCP and said `{said}`"));
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        match self.udp.recv(&mut said) {
            Ok(count) => {
                let said = grader_model::escaped(&said[..count]);
                complaints.push(format!("somebody sent `{said}` by UDP"));
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        for (socket, name) in [(&self.unix, "path"), (&self.unnamed, "abstract name")] {
            if socket.accept().is_ok() {
                complaints.push(format!("somebody connected to a socket by its {name}"));
            }
        }
    }

    /// No objects were left that outlive their makers.
    fn objects(&self, complaints: &mut Vec<String>) {
        for kind in ["shm", "msg", "sem"] {
            let list = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
            let mut keys = list
                .lines()
                .filter_map(|line| line.split_whitespace().next());
            if keys.any(|key| KEYS.contains(&key)) {
                complaints.push(format!("a System V object was left: {kind}"));
            }
        }
        for folder in SHARED {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.file_name().to_string_lossy().contains(&self.mark) {
                    complaints.push(format!("`{}` was left", entry.path().display()));
                }
            }
        }
        let keys = fs::read_to_string("/proc/keys").unwrap_or_default();
        for key in keys.lines().filter(|key| key.contains(&self.mark)) {
            complaints.push(format!("a key was left: {key}"));
        }
    }
}

impl Snapshot {
    fn of(folder: &Path, mark: &str) -> Self {
        let own = fs::read_dir(folder).unwrap();
        let files = own
            .map(|entry| entry.unwrap().path())
            .chain(SYSTEM.map(PathBuf::from))
            .map(|path| {
                let meta = fs::symlink_metadata(&path).unwrap();
                if meta.is_dir() {
                    return (path.clone(), (meta.mode(), 0, 0, names(&path, mark)));
                }
                let bytes = if meta.is_file() {
                    fs::read(&path).unwrap()
                } else {
                    Vec::new()
                };
                let state = (meta.mode(), meta.mtime(), meta.mtime_nsec(), bytes);
                (path, state)
            });
        let settings = SETTINGS
            .map(|path| (path, fs::read_to_string(path).unwrap_or_default()))
            .to_vec();
        Self {
            files: files.collect(),
            settings,
            mounts: mounts(),
        }
    }
}

/// What is in a folder and was made by a program of ours.
fn names(folder: &Path, mark: &str) -> Vec<u8> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().contains(mark))
        .map(std::ffi::OsString::into_encoded_bytes)
        .collect();
    names.sort();
    names.join(&0)
}

/// The mounts of this machine.
pub(crate) fn mounts() -> Vec<String> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    mounts.lines().map(str::to_owned).collect()
}

/// The control groups of launchers that have ended, in all hierarchies. Those of others, such as another grader
/// on this machine, are in use.
pub(crate) fn cgroups() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let launcher = name
                .strip_prefix("bitcraft-")
                .and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
            if launcher.is_some_and(|id| !Path::new(&format!("/proc/{id}")).exists()) {
                found.insert(entry.path());
            }
            waiting.push(entry.path());
        }
    }
    found
}

/// The processes with a text in their command line or environment, as `id command line`.
pub(crate) fn marked(mark: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let name = entry.file_name();
        let Some(id) = name.to_str().filter(|id| id.parse::<u32>().is_ok()) else {
            continue;
        };
        // A process may end while it is looked at.
        let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
        let line = read("cmdline");
        let holds = |bytes: &[u8]| bytes.windows(mark.len()).any(|it| it == mark.as_bytes());
        if id != own && (holds(&line) || holds(&read("environ"))) {
            found.push(format!("{id} {}", grader_model::escaped(&line)));
        }
    }
    found
}

/// Looks again and again, for at most ten minutes; whether it became true.
pub(crate) fn until(mut condition: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    loop {
        if condition() {
            return true;
        }
        if started.elapsed() > Duration::from_secs(600) {
            return false;
        }
        std::thread::yield_now();
    }
}

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::Duration;

use grader_model::IsolationLevel;
use grader_sandbox::NamedPipe;
use tempfile::TempDir;

use super::*;

fn open(home: &Path) -> Option<AuthorCache> {
    let isolation = Isolation {
        level: IsolationLevel::Strict,
        layers: Vec::new(),
        missing: Vec::new(),
    };
    AuthorCache::open(home, "bitcraft", &isolation)
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// What is done to an entry; its path, and the path of a copy outside the cache.
type Attempt = (&'static str, fn(&Path, &Path));

/// Writes a file that is an entry of its own right, but for `change`.
fn changed(entry: &Path, change: fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(entry).unwrap();
    change(&mut bytes);
    fs::write(entry, bytes).unwrap();
}

const ATTEMPTS: [Attempt; 13] = [
    ("another bit", |it, _| changed(it, |bytes| bytes[70] ^= 1)),
    ("another hash", |it, _| changed(it, |bytes| bytes[0] ^= 1)),
    ("an end that is missing", |it, _| {
        changed(it, |bytes| bytes.truncate(80));
    }),
    ("more at the end", |it, _| {
        changed(it, |bytes| bytes.push(b'x'));
    }),
    ("nothing in it", |it, _| changed(it, Vec::clear)),
    ("the entry of another key", |it, _| {
        fs::rename(it.with_file_name("other"), it).unwrap();
    }),
    ("a link", |it, copy| {
        fs::remove_file(it).unwrap();
        symlink(copy, it).unwrap();
    }),
    ("a hard link", |it, copy| {
        fs::remove_file(it).unwrap();
        fs::hard_link(copy, it).unwrap();
    }),
    ("open to others", |it, _| mode(it, 0o606)),
    ("a pipe", |it, _| {
        fs::remove_file(it).unwrap();
        drop(NamedPipe::new(it.to_owned()).unwrap());
    }),
    ("a socket", |it, _| {
        fs::remove_file(it).unwrap();
        drop(UnixListener::bind(it).unwrap());
    }),
    ("too large", |it, _| {
        let file = File::options().write(true).open(it).unwrap();
        file.set_len(MAX_CACHE_ENTRY_BYTES + 1).unwrap();
    }),
    ("a folder", |it, _| {
        fs::remove_file(it).unwrap();
        fs::create_dir(it).unwrap();
    }),
];

#[test]
fn an_entry_that_is_not_as_it_was_written_is_not_used_and_written_anew() {
    let content = b"a program of some length".repeat(9);
    for (name, attempt) in ATTEMPTS {
        let home = TempDir::new().unwrap();
        let cache = open(home.path()).unwrap();
        cache.keep("other", b"another program");
        cache.keep("key", &content);
        assert_eq!(cache.find("key").as_ref(), Some(&content), "{name}");
        let entry = home.path().join("bitcraft/key");
        let copy = home.path().join("copy");
        fs::copy(&entry, &copy).unwrap();
        mode(&copy, 0o600);
        let before = fs::read(&copy).unwrap();
        attempt(&entry, &copy);
        assert_eq!(cache.find("key"), None, "{name}");
        cache.keep("key", &content);
        let again = (name != "a folder").then_some(&content);
        assert_eq!(cache.find("key").as_ref(), again, "{name}");
        assert_eq!(fs::read(&copy).unwrap(), before, "{name}");
        let left: Vec<_> = fs::read_dir(home.path().join("bitcraft"))
            .unwrap()
            .collect();
        assert!(left.len() <= 2, "{name}: {left:?}");
    }
}

/// What stands in the place of the cache's folder.
type FolderAttempt = (&'static str, fn(PathBuf));

#[test]
fn a_folder_that_is_not_ours_alone_is_not_used() {
    let folder = |home: &TempDir| home.path().join("bitcraft");
    let attempts: [FolderAttempt; 5] = [
        ("open to others", |it| {
            fs::create_dir(&it).unwrap();
            mode(&it, 0o707);
        }),
        ("open to the group", |it| {
            fs::create_dir(&it).unwrap();
            mode(&it, 0o750);
        }),
        ("a link", |it| {
            let real = it.with_file_name("real");
            fs::create_dir(&real).unwrap();
            mode(&real, 0o700);
            symlink(real, it).unwrap();
        }),
        ("a link to nothing", |it| symlink("/nowhere", it).unwrap()),
        ("a file", |it| fs::write(it, "").unwrap()),
    ];
    for (name, attempt) in attempts {
        let home = TempDir::new().unwrap();
        attempt(folder(&home));
        assert!(open(home.path()).is_none(), "{name}");
    }
    let home = TempDir::new().unwrap();
    assert!(open(&folder(&home)).is_none() && !folder(&home).exists());
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(home.path(), Some(1000), None).unwrap();
        assert!(open(home.path()).is_none() && !folder(&home).exists());
    }
}

#[test]
fn a_folder_that_is_replaced_while_a_grader_runs_has_no_effect() {
    let home = TempDir::new().unwrap();
    let cache = open(home.path()).unwrap();
    cache.keep("key", b"right");
    let folder = home.path().join("bitcraft");
    fs::rename(&folder, home.path().join("old")).unwrap();
    let other = open(home.path()).unwrap();
    other.keep("key", b"wrong");
    cache.keep("more", b"right");
    assert_eq!(cache.find("key").as_deref(), Some(&b"right"[..]));
    assert_eq!(other.find("more"), None);
}

#[test]
fn the_oldest_entries_are_removed_when_there_are_too_many_bytes() {
    let home = TempDir::new().unwrap();
    drop(open(home.path()).unwrap());
    let folder = home.path().join("bitcraft");
    let count = MAX_CACHE_BYTES / MAX_CACHE_ENTRY_BYTES + 1;
    for number in 0..count {
        let file = File::create(folder.join(number.to_string())).unwrap();
        file.set_len(MAX_CACHE_ENTRY_BYTES).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1000 - number);
        file.set_modified(time).unwrap();
    }
    drop(open(home.path()).unwrap());
    let mut left: Vec<u64> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .file_name()
                .to_str()
                .unwrap()
                .parse()
                .unwrap()
        })
        .collect();
    left.sort_unstable();
    assert_eq!(left, (0..count / 4 * 3).collect::<Vec<_>>());
}

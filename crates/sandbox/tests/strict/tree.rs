//! Files that a program sees, writes and returns.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use grader_model::{Breach, Bytes, End};
use grader_sandbox::{BindMount, Returns, SystemFolders};

use crate::harness::Bench;

#[test]
fn the_root_contains_only_the_system() {
    let known = [
        "bin", "box", "build", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "program",
        "sbin", "tmp", "usr",
    ];
    let done = Bench::shell("ls -A /box /tmp /build; pwd; id -u; hostname; ls /").run();
    let own = "/box:\n\n/build:\n\n/tmp:\n/box\n1000\nbox\n";
    let root = done.text().strip_prefix(own);
    for name in root.unwrap_or_else(|| panic!("{done:?}")).lines() {
        assert!(known.contains(&name), "{name}");
    }
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
}

#[test]
fn only_its_folder_and_tmp_are_writable() {
    let done = Bench::shell(
        "for place in /a /usr/a /etc/a /dev/a /build/a /proc/a /box/a /tmp/a /dev/shm/b; do \
         if echo x 2>/dev/null >$place; then echo $place; fi; done; \
         echo x >/program && echo program; echo x >/dev/stdin && echo stdin; exit 0",
    )
    .run();
    assert_eq!(done.text(), "/box/a\n/tmp/a\n/dev/shm/b\n");
}

#[test]
fn no_descriptor_of_ours_is_open() {
    let done = Bench::shell("ls /proc/self/fd").run();
    if done.stdout.is_empty() {
        eprintln!("skipped: no /proc inside");
        return;
    }
    // The last is `ls`'s own.
    assert_eq!(done.text(), "0\n1\n2\n3\n");
}

#[test]
fn input_can_be_reopened_by_name() {
    let done = Bench::shell("cat /dev/stdin; cat /dev/stdin")
        .stdin(b"twice\n")
        .run();
    assert_eq!(done.text(), "twice\ntwice\n");
    assert_eq!(Bench::shell("cat /dev/stdin").run().text(), "");
}

#[test]
fn input_cannot_be_changed() {
    let script = "echo x >&0; chmod 0 /proc/self/fd/0; chmod 0 /dev/stdin; touch /proc/self/fd/0; \
                  echo x >/proc/self/fd/0; exit 0";
    let bench = Bench::shell(script).stdin(b"input\n");
    let before = fs::metadata(bench.path("stdin")).unwrap();
    bench.run();
    let after = fs::metadata(bench.path("stdin")).unwrap();
    assert_eq!(fs::read(bench.path("stdin")).unwrap(), b"input\n");
    assert_eq!(after.permissions(), before.permissions());
    assert_eq!(after.modified().unwrap(), before.modified().unwrap());
    // Nor can an empty one be written to.
    let done = Bench::shell("echo x >&0 && echo written; cat; cat /proc/self/fd/0").run();
    assert_eq!(done.text(), "");
}

#[test]
fn output_cannot_be_read_back() {
    let done =
        Bench::shell("cat /dev/stderr; cat /dev/stdout; cat /proc/self/fd/1; echo end").run();
    assert_eq!(done.text(), "end\n");
    let written = Bench::shell("echo out >/dev/stdout; echo error >/dev/stderr").run();
    assert_eq!(
        (written.text(), written.stderr.as_slice()),
        ("out\n", b"error\n".as_slice())
    );
}

#[test]
fn a_host_folder_is_mounted_read_only_where_requested() {
    let mut bench = Bench::shell("cat /build/我的\\ 程序/a.txt; echo x >/build/b; ls /build");
    let folder = bench.path("host");
    fs::create_dir_all(folder.join("我的 程序")).unwrap();
    fs::write(folder.join("我的 程序/a.txt"), "here\n").unwrap();
    for path in [&folder, &folder.join("我的 程序")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    bench.request.readable.push(BindMount {
        host: folder,
        inside: "/build".into(),
    });
    assert_eq!(bench.run().text(), "here\n我的 程序\n");
}

#[test]
fn the_contents_of_its_folder_are_copied_and_its_own() {
    let bench =
        Bench::shell("cat sub/in.txt; echo more >>sub/in.txt; cat sub/in.txt; sh run; ./run");
    fs::create_dir(bench.inside("sub")).unwrap();
    fs::write(bench.inside("sub/in.txt"), "in\n").unwrap();
    fs::write(bench.inside("run"), "#!/bin/sh\necho ran\n").unwrap();
    fs::set_permissions(bench.inside("run"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(bench.run().text(), "in\nin\nmore\nran\n");
    // Nothing is returned.
    assert_eq!(
        fs::read_to_string(bench.inside("sub/in.txt")).unwrap(),
        "in\n"
    );
}

#[test]
fn the_requested_file_is_returned() {
    let mut bench = Bench::shell("echo answer >out.txt; echo other >other.txt; chmod 0 out.txt");
    bench.request.returns = Returns::File("out.txt".to_owned());
    bench.run();
    assert_eq!(
        fs::read_to_string(bench.inside("out.txt")).unwrap(),
        "answer\n"
    );
    assert!(!bench.inside("other.txt").exists());
}

#[test]
fn if_it_is_no_file_the_names_of_the_others_are_returned() {
    for trick in [
        "ln -s /etc/passwd out.txt",
        "ln -s /proc/self/mem out.txt",
        "mkfifo out.txt",
        "mkdir out.txt",
        "true",
    ] {
        let mut bench = Bench::shell(&format!("{trick}; echo x >'a b.txt'"));
        bench.request.returns = Returns::File("out.txt".to_owned());
        assert_eq!(bench.run().outcome.end, End::Exited(0), "{trick}");
        assert!(
            fs::symlink_metadata(bench.inside("out.txt")).is_err(),
            "{trick}"
        );
        assert_eq!(fs::read(bench.inside("a b.txt")).unwrap(), b"", "{trick}");
    }
}

#[test]
fn all_files_and_folders_are_returned() {
    let mut bench = Bench::shell(
        "mkdir -p sub/deeper; echo 1 >sub/deeper/one; echo 2 >two; chmod 500 two; \
         ln -s two link; mkfifo pipe; mkdir locked; echo 3 >locked/three; chmod 0 locked",
    );
    bench.request.returns = Returns::Everything;
    assert_eq!(bench.run().outcome.end, End::Exited(0));
    let read = |name| fs::read_to_string(bench.inside(name)).unwrap();
    assert_eq!(
        [read("sub/deeper/one"), read("two"), read("locked/three")],
        ["1\n", "2\n", "3\n"]
    );
    let mode = fs::metadata(bench.inside("two")).unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o755);
    for gone in ["link", "pipe"] {
        assert!(fs::symlink_metadata(bench.inside(gone)).is_err(), "{gone}");
    }
}

#[test]
fn files_and_folders_do_not_replace_each_other() {
    let mut bench = Bench::shell("rm -r file folder; mkdir file; echo 1 >file/a; echo 2 >folder");
    fs::write(bench.inside("file"), "mine").unwrap();
    fs::create_dir(bench.inside("folder")).unwrap();
    bench.request.returns = Returns::Everything;
    assert_eq!(bench.run().outcome.end, End::Exited(0));
    assert_eq!(fs::read(bench.inside("file")).unwrap(), b"mine");
    assert!(bench.inside("folder").is_dir());
}

#[test]
fn a_full_folder_affects_only_its_own_run() {
    let mut bench = Bench::shell(
        "head -c 3000000 /dev/zero >big || echo full; i=0; while [ $i -lt 9000 ]; do \
         true >f$i || { echo bounded; break; }; i=$((i+1)); done",
    )
    .limits(|limits| limits.output = Bytes(4 << 20));
    bench.request.scratch = Bytes(1 << 20);
    let done = bench.run();
    assert_eq!(done.text(), "full\nbounded\n");
    assert_eq!(done.outcome.breach, None::<Breach>);
    assert_eq!(
        Bench::shell("ls -A /box /tmp").run().text(),
        "/box:\n\n/tmp:\n"
    );
}

#[test]
fn our_own_program_is_hidden() {
    let Ok(launcher) = fs::canonicalize(crate::harness::launcher().program) else {
        return;
    };
    let script = format!("exec '{}'", launcher.display());
    let done = Bench::shell(&script).run();
    assert_ne!(done.outcome.end, End::Exited(0));
}

/// Prints every file below the root that is on a different file system from the root, except the run's own.
const FILES_OF_DISKS: &str = r#"
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
static dev_t memory;
static int look(const char *path, const struct stat *file, int kind, struct FTW *place) {
    const char *own[] = {"/proc", "/dev", "/box", "/tmp", "/program"};
    (void)kind, (void)place;
    for (int i = 0; i < 5; i++) if (strncmp(path, own[i], strlen(own[i])) == 0) return 0;
    if (S_ISREG(file->st_mode) && file->st_dev != memory) puts(path);
    return 0;
}
int main(void) {
    struct stat root;
    if (stat("/", &root) != 0) return 1;
    memory = root.st_dev;
    return nftw("/", look, 32, FTW_PHYS);
}
"#;

#[test]
fn a_compiled_program_sees_no_file_on_disk_but_itself() {
    let mut bench = Bench::c(FILES_OF_DISKS).unwrap();
    // Its source is next to it.
    let folder = bench.path("");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    bench.request.program = "/build/program".into();
    bench.request.readable = vec![
        BindMount {
            host: folder.clone(),
            inside: "/build".into(),
        },
        BindMount {
            host: folder,
            inside: "/opt/toolchain".into(),
        },
    ];
    let done = bench.run();
    let own = "/build/program\n";
    assert_eq!((done.outcome.end, done.text()), (End::Exited(0), own));
    // With all system folders, it finds some, so it would have found them before.
    bench.request.system = SystemFolders::Whole;
    assert!(bench.run().text().lines().count() > 100);
}

#[test]
fn naming_another_library_does_not_open_the_disk() {
    // An additional library of the C library, which every compiler has.
    let linked = ["-Wl,--no-as-needed", "-lresolv"];
    let bench = Bench::linked_c(FILES_OF_DISKS, &linked).unwrap();
    let done = bench.run();
    // It does not start, unless that library is part of the C library here.
    assert!(matches!(done.outcome.end, End::Exited(0 | 127)), "{done:?}");
    assert_eq!(done.text(), "");
}

#[test]
fn a_program_of_the_system_finds_its_files() {
    let mut bench = Bench::shell("ls -d /usr/bin");
    bench.request.system = SystemFolders::Runtime;
    assert_eq!(bench.run().text(), "/usr/bin\n");
}

#[test]
fn mount_points_of_one_run_are_removed_before_the_next() {
    let look = "cd /; find . -xdev ! -path './usr/*' | sort";
    // One launcher for all runs.
    let runner = crate::runner();
    let run = |bench: &Bench| {
        runner.run(&(), &bench.request).unwrap();
        fs::read_to_string(&bench.request.stdout).unwrap()
    };
    let before = run(&Bench::shell(look));
    assert!(before.contains("./etc/passwd\n"), "{before}");
    let mut other = Bench::shell("cat /root/.toolchain/deep/file /root/note");
    let host = other.path("file");
    fs::write(&host, "seen\n").unwrap();
    fs::set_permissions(&host, fs::Permissions::from_mode(0o644)).unwrap();
    for inside in ["/root/.toolchain/deep/file", "/root/note"] {
        other.request.readable.push(BindMount {
            host: host.clone(),
            inside: inside.into(),
        });
    }
    assert_eq!(run(&other), "seen\nseen\n");
    assert_eq!(run(&Bench::shell(look)), before);
    // Nor when it is mounted again.
    assert_eq!(run(&other), "seen\nseen\n");
}

/// Prints the device of its C library's file system.
const DEVICE_OF_LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
static int look(struct dl_phdr_info *object, size_t size, void *unused) {
    struct stat file;
    (void)size, (void)unused;
    if (strstr(object->dlpi_name, "libc.") && stat(object->dlpi_name, &file) == 0)
        printf("%lu", (unsigned long)file.st_dev);
    return 0;
}
int main(void) { return dl_iterate_phdr(look, 0); }
"#;

#[test]
fn programs_of_two_launchers_share_no_library() {
    let bench = Bench::c(DEVICE_OF_LIBRARY).unwrap();
    // Both launchers run until the end.
    let runners = [crate::runner(), crate::runner()];
    let [one, other] = runners.each_ref().map(|runner| {
        runner.run(&(), &bench.request).unwrap();
        fs::read_to_string(&bench.request.stdout).unwrap()
    });
    assert!(!one.is_empty());
    assert_ne!(one, other);
}

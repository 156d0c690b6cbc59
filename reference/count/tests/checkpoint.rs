//! Counts that are kept in a file, killed, interrupted and resumed.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use common::count;
use reference_count::Method;
use reference_count::checkpoint::{Checkpoint, CheckpointFile};
use reference_count::driver::Tally;
use reference_count::host::Simd;
use tempfile::TempDir;

/// A folder of its own for a test, and a path in it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("queens.toml");
    (folder, path)
}

/// The names of the files in the folder.
fn names(folder: &TempDir) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .expect("the folder is there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary files have names of text")
}

/// The count of these queens by this method, with its first so many parts counted.
fn begun(n: u32, method: Method, counted: usize) -> Checkpoint {
    let plan = method.plan(n, Simd::Portable);
    let mut worker = plan.worker();
    let parts = plan.parts();
    let mut tally = Tally::default();
    for part in 0..counted.min(parts) {
        tally.add(part, worker.count(part));
    }
    Checkpoint {
        n,
        method,
        parts,
        tally,
    }
}

#[test]
fn a_finished_count_is_kept_and_printed_again() {
    let (folder, path) = place();
    let arguments = ["9", "--method", "symmetric", "--checkpoint", text(&path)];
    assert_eq!(count(&arguments).unwrap(), "352\n");
    assert_eq!(names(&folder), ["queens.toml"]);

    let kept = Checkpoint::load(&path).unwrap().unwrap();
    let parts = kept.parts;
    assert_eq!(kept, begun(9, Method::Symmetric, parts));

    assert_eq!(count(&arguments).unwrap(), "352\n");
    assert_eq!(Checkpoint::load(&path).unwrap().unwrap(), kept);
}

#[test]
fn what_is_kept_is_not_counted_again() {
    let (_folder, path) = place();
    // A sum that the parts do not have shows that they are taken from the file.
    let mut checkpoint = begun(9, Method::Symmetric, 0);
    let full = begun(9, Method::Symmetric, checkpoint.parts).tally;
    let other = begun(8, Method::Symmetric, begun(8, Method::Symmetric, 0).parts).tally;
    checkpoint.tally = Tally::new(full.ranges().to_vec(), other.sum()).unwrap();
    checkpoint.save(&path).unwrap();
    let arguments = ["9", "--method", "symmetric", "--checkpoint", text(&path)];
    assert_eq!(count(&arguments).unwrap(), "92\n");
}

#[test]
fn a_count_goes_on_with_other_vectors_and_threads() {
    for method in [Method::Symmetric, Method::MeetInTheMiddle] {
        for simd in Simd::all() {
            for threads in ["1", "3"] {
                let (_folder, path) = place();
                begun(10, method, 2).save(&path).unwrap();
                let arguments = ["10", "--method", method.name(), "--checkpoint", text(&path)];
                let how = ["--simd", simd.name(), "--threads", threads];
                assert_eq!(count(&[&arguments[..], &how].concat()).unwrap(), "724\n");
            }
        }
    }
}

#[test]
fn auto_goes_on_with_the_method_of_the_checkpoint() {
    for method in [Method::Symmetric, Method::MeetInTheMiddle] {
        let (_folder, path) = place();
        begun(10, method, 2).save(&path).unwrap();
        assert_eq!(
            count(&["10", "--checkpoint", text(&path)]).unwrap(),
            "724\n"
        );
        assert_eq!(Checkpoint::load(&path).unwrap().unwrap().method, method);
    }
}

#[test]
fn the_fundamental_number_can_be_had_from_a_checkpoint() {
    let (_folder, path) = place();
    let arguments = ["8", "--fundamental", "--checkpoint", text(&path)];
    assert_eq!(count(&arguments).unwrap(), "12\n");
    assert_eq!(count(&arguments).unwrap(), "12\n");
}

#[test]
fn the_checkpoint_of_another_count_is_refused_with_both() {
    let (_folder, path) = place();
    let held = begun(10, Method::Symmetric, 1);
    held.save(&path).unwrap();
    for (n, method) in [(9, Method::Symmetric), (10, Method::MeetInTheMiddle)] {
        let parts = method.plan(n, Simd::Portable).parts();
        let error = count(&[
            &n.to_string(),
            "--method",
            method.name(),
            "--checkpoint",
            text(&path),
        ])
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the checkpoint `{}` cannot be used: \
                 it holds n = 10, method symmetric, {} parts; \
                 asked for is n = {n}, method {}, {parts} parts",
                path.display(),
                held.parts,
                method.name()
            )
        );
        assert_eq!(error.exit_status(), 2);
        assert_eq!(Checkpoint::load(&path).unwrap().unwrap(), held);
    }

    let cut_otherwise = Checkpoint {
        parts: held.parts + 1,
        ..held.clone()
    };
    cut_otherwise.save(&path).unwrap();
    let error = count(&["10", "--checkpoint", text(&path)]).unwrap_err();
    assert!(error.to_string().contains(&format!(
        "method symmetric, {} parts; asked",
        held.parts + 1
    )));
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn a_torn_or_edited_checkpoint_is_refused_and_left_as_it_is() {
    let (_folder, path) = place();
    begun(10, Method::Symmetric, 1).save(&path).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    for (content, fault) in [
        (
            String::new(),
            "its last line is not a check value, so it was cut off or is no checkpoint",
        ),
        (
            whole[..whole.len() - 1].to_owned(),
            "its last line is not a check value, so it was cut off or is no checkpoint",
        ),
        (whole.replace("sum = ", "sum = 1"), "that of its content is"),
        (whole.replace("n = 10", "n = 11"), "that of its content is"),
    ] {
        fs::write(&path, &content).unwrap();
        let error = count(&["10", "--checkpoint", text(&path)]).unwrap_err();
        let message = error.to_string();
        let start = format!("the checkpoint `{}` cannot be used: ", path.display());
        assert!(
            message.starts_with(&start) && message.contains(fault),
            "{message}"
        );
        assert_eq!(error.exit_status(), 2);
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn a_path_that_cannot_be_used_is_refused_before_the_count() {
    let (folder, path) = place();
    let below = path.join("queens.toml");
    let folder = folder.path();
    for (path, message) in [
        (
            folder,
            format!(
                "cannot read the checkpoint `{}`: it is not a file",
                folder.display()
            ),
        ),
        (
            &*below,
            format!(
                "cannot write the checkpoint `{}`: No such file or directory (os error 2)",
                below.display()
            ),
        ),
    ] {
        // No test would wait for so many queens.
        let error =
            count(&["20", "--method", "symmetric", "--checkpoint", text(path)]).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn a_second_run_on_a_checkpoint_is_refused() {
    let (_folder, path) = place();
    let mut held = CheckpointFile::open(&path).unwrap();
    held.save(&begun(10, Method::Symmetric, 1)).unwrap();
    let refused = || count(&["10", "--checkpoint", text(&path)]);
    let error = refused().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the checkpoint `{}` is used by another run", path.display())
    );
    assert_eq!(error.exit_status(), 2);
    // The lock moves on to each new file.
    held.save(&begun(10, Method::Symmetric, 2)).unwrap();
    assert_eq!(refused().unwrap_err().to_string(), error.to_string());
    drop(held);
    assert_eq!(refused().unwrap(), "724\n");
}

#[test]
fn what_a_killed_run_left_is_replaced_and_what_is_somebodys_is_not() {
    let (folder, path) = place();
    let partial = folder.path().join("queens.toml.partial");
    let arguments = ["9", "--checkpoint", text(&path)];
    begun(9, Method::Symmetric, 1).save(&path).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in [0, 20, whole.len()] {
        fs::write(&partial, &whole[..length]).unwrap();
        assert_eq!(count(&arguments).unwrap(), "352\n");
        assert_eq!(names(&folder), ["queens.toml"]);
    }

    fs::write(&partial, "my thesis").unwrap();
    let message = format!(
        "cannot write the checkpoint `{}`: `{}` is in the way",
        path.display(),
        partial.display()
    );
    let error = count(&arguments).unwrap_err();
    assert_eq!((error.to_string(), error.exit_status()), (message, 2));
    assert_eq!(fs::read_to_string(&partial).unwrap(), "my thesis");
}

#[test]
fn a_file_that_is_too_large_for_a_checkpoint_is_not_read_to_its_end() {
    let (_folder, path) = place();
    let large = fs::File::create(&path).unwrap();
    large.set_len(1 << 40).unwrap();
    let error = count(&["9", "--checkpoint", text(&path)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the checkpoint `{}` cannot be used: \
             its last line is not a check value, so it was cut off or is no checkpoint",
            path.display()
        )
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_a_checkpoint_stays_a_link() {
    use std::os::unix::fs::symlink;

    let (folder, path) = place();
    let link = folder.path().join("link");
    symlink(&path, &link).unwrap();
    let error = count(&["9", "--checkpoint", text(&link)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "cannot read the checkpoint `{}`: it is a link to nothing",
            link.display()
        )
    );
    begun(9, Method::Symmetric, 1).save(&path).unwrap();
    assert_eq!(count(&["9", "--checkpoint", text(&link)]).unwrap(), "352\n");
    assert_eq!(fs::read_link(&link).unwrap(), path);
    let kept = Checkpoint::load(&path).unwrap().unwrap();
    assert_eq!(kept.tally.parts(), kept.parts);

    // What stands in the way of the next checkpoint may be a link, too.
    let (data, partial) = (
        folder.path().join("data"),
        folder.path().join("queens.toml.partial"),
    );
    fs::write(&data, "my thesis").unwrap();
    symlink(&data, &partial).unwrap();
    count(&["9", "--checkpoint", text(&path)]).unwrap_err();
    assert_eq!(fs::read_to_string(&data).unwrap(), "my thesis");
    assert!(partial.is_symlink());
}

#[test]
fn a_method_without_parts_keeps_no_checkpoint() {
    let (folder, path) = place();
    let error = count(&["8", "--method", "bitmask", "--checkpoint", text(&path)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bitmask keeps no checkpoint, because it counts in one go; \
         symmetric and meet-in-the-middle count in parts"
    );
    assert_eq!(error.exit_status(), 2);
    assert_eq!(names(&folder), [""; 0]);
}

/// Starts to count 15 queens, and returns when at least one part is in the checkpoint.
fn started(path: &Path) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_count"))
        .args(["15", "--method", "meet-in-the-middle", "--simd", "portable"])
        .args(["--checkpoint-every", "0", "--checkpoint", text(path)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built with this test");
    loop {
        // Whatever is there at any time is whole.
        let kept = Checkpoint::load(path).expect("the checkpoint is whole");
        if kept.is_some_and(|kept| kept.tally.parts() > 0) {
            return child;
        }
        let status = child.try_wait().expect("the child can be waited for");
        assert_eq!(status, None, "the count ended without a checkpoint");
        thread::yield_now();
    }
}

/// Goes on with 15 queens from what is kept.
fn resumed(path: &Path) -> String {
    count(&["15", "--checkpoint", text(path)]).expect("the checkpoint can be used")
}

#[test]
fn a_count_that_is_killed_goes_on_from_its_checkpoint() {
    let (_folder, path) = place();
    let mut child = started(&path);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.stdout, b"",
        "the count was over before it could be killed"
    );
    assert_eq!(output.stderr, b"");

    let kept = Checkpoint::load(&path).unwrap().unwrap();
    assert!((1..kept.parts).contains(&kept.tally.parts()));
    assert_eq!(resumed(&path), "2279184\n");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_checkpoint_and_says_how_to_go_on() {
    let (folder, path) = place();
    let child = started(&path);
    let sent = Command::new("sh")
        .arg("-c")
        .arg(format!("kill -INT {}", child.id()))
        .status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.stdout, b"",
        "the count was over before it could be interrupted"
    );
    assert_eq!(output.status.code(), Some(130));

    let kept = Checkpoint::load(&path).unwrap().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "count: the parts that were begun are finished first; Ctrl-C again ends at once\n\
             count: stopped after {} of {} parts; \
             the same command goes on from there, with `--checkpoint {}`\n",
            kept.tally.parts(),
            kept.parts,
            path.display()
        )
    );
    assert_eq!(names(&folder), ["queens.toml"]);
    assert_eq!(resumed(&path), "2279184\n");
}

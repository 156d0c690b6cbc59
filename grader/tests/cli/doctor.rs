//! What this machine can do for grading.

use serde_json::Value;

use crate::harness::{Room, strict};

const LAYERS: [&str; 14] = [
    "user-namespace",
    "outer-uid",
    "mount-namespace",
    "pid-namespace",
    "network-namespace",
    "ipc-namespace",
    "proc",
    "no-capabilities",
    "seccomp",
    "landlock",
    "resource-limits",
    "process-count",
    "memory-cgroup",
    "cpu-clock",
];

fn names(part: &Value, key: &str) -> Vec<String> {
    let entries = part.as_array().unwrap().iter();
    entries
        .map(|entry| entry[key].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_json_report_names_every_layer_and_toolchain() {
    let (status, diagnosis) = Room::new().json(&["doctor", "--format", "json"]);
    assert_eq!(status, if diagnosis["holds"] == true { 0 } else { 3 });
    assert_eq!(names(&diagnosis["layers"], "name"), LAYERS);
    assert_eq!(
        names(&diagnosis["toolchains"], "language"),
        [
            "c",
            "cpp",
            "rust",
            "java",
            "pascal",
            "python",
            "go",
            "javascript"
        ]
    );
}

#[test]
fn the_page_ends_with_the_verdict_that_is_the_exit_status() {
    let ran = Room::new().run(&["doctor"]);
    let (status, verdict) = if strict() {
        (0, "Strict isolation is available here.")
    } else {
        (3, "Strict isolation is not available here.")
    };
    assert_eq!((ran.status, ran.stderr.as_str()), (status, ""));
    assert_eq!(ran.stdout.lines().last(), Some(verdict), "{}", ran.stdout);
    for layer in LAYERS {
        assert!(ran.stdout.contains(layer), "{layer}:\n{}", ran.stdout);
    }
}

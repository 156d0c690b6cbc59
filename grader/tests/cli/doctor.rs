//! What this machine can do for grading.

use serde_json::Value;

use crate::harness::{Room, repository, strict};

const LAYERS: [&str; 17] = [
    "user-namespace",
    "outer-uid",
    "mount-namespace",
    "pid-namespace",
    "network-namespace",
    "ipc-namespace",
    "uts-namespace",
    "read-only-root",
    "proc",
    "no-capabilities",
    "no-new-privileges",
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
fn a_diagnosis_for_programs_keeps_to_its_schema_and_names_everything() {
    let (status, diagnosis) = Room::new().json(&["doctor", "--format", "json"]);
    assert_eq!(status, if diagnosis["holds"] == true { 0 } else { 3 });
    let schema = std::fs::read(repository().join("crates/report/schema/doctor.schema.json"));
    let schema: Value = serde_json::from_slice(&schema.unwrap()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&diagnosis), "{diagnosis}");
    assert_eq!(names(&diagnosis["layers"], "name"), LAYERS);
    assert_eq!(
        names(&diagnosis["toolchains"], "language"),
        ["c", "cpp", "rust", "java", "pascal", "python"]
    );
    assert_eq!(
        names(&diagnosis["timing"], "name"),
        [
            "cores",
            "load",
            "cpu-governor",
            "cpu-boost",
            "smt",
            "swap",
            "aslr",
            "huge-pages",
            "steal"
        ]
    );
}

#[test]
fn a_machine_with_the_sandbox_lets_none_of_many_attempts_out() {
    if !strict() {
        return;
    }
    let (_, diagnosis) = Room::new().json(&["doctor", "--format", "json"]);
    let escapes = &diagnosis["escapes"];
    assert_eq!(escapes["denied"], escapes["tried"], "{escapes}");
    assert!(escapes["tried"].as_u64().unwrap() >= 32, "{escapes}");
}

#[test]
fn a_diagnosis_for_people_ends_with_the_verdict_and_the_status_says_the_same() {
    let room = Room::new();
    for (lang, can, cannot) in [
        (
            "en",
            "Strict isolation can be had here.",
            "Strict isolation cannot be had here.",
        ),
        (
            "zh",
            "这台机器可以提供严格隔离。",
            "这台机器无法提供严格隔离。",
        ),
    ] {
        let ran = room.run(&["--lang", lang, "doctor"]);
        let (status, verdict) = if strict() { (0, can) } else { (3, cannot) };
        assert_eq!((ran.status, ran.stderr.as_str()), (status, ""));
        assert_eq!(ran.stdout.lines().last(), Some(verdict), "{}", ran.stdout);
        for layer in LAYERS {
            assert!(ran.stdout.contains(layer), "{layer}:\n{}", ran.stdout);
        }
    }
}

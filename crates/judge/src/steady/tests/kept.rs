//! What one run keeps for the next.

use tempfile::TempDir;

use super::*;

/// A folder, and what was said of it.
struct Cache {
    folder: TempDir,
    said: Arc<Mutex<Vec<String>>>,
}

impl Cache {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            said: Arc::default(),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn calibrations(&self) -> Calibrations {
        let said = self.said.clone();
        Calibrations {
            folder: self.path(),
            fresh: false,
            grader: "0.1.0".to_owned(),
            warn: Arc::new(move |text| said.lock().unwrap().push(text.en.clone())),
        }
    }

    /// What is told of the cases and of the reference, and what ran.
    fn run(&self, script: Script<'_>) -> (Vec<String>, Vec<String>, Vec<String>) {
        Self::run_with(script, &doubling(|_| ()), self.calibrations())
    }

    fn run_with(
        script: Script<'_>,
        assignment: &Assignment,
        calibrations: Calibrations,
    ) -> (Vec<String>, Vec<String>, Vec<String>) {
        let runner = Arc::new(Pretender::new(script));
        let (told, _) = graded(&runner, assignment, Some(calibrations), (1, 1));
        (told.cases, told.yardsticks, runner.log())
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path()).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// What was said, with the folder by one name.
    fn said(&self) -> Vec<String> {
        let folder = self.path().display().to_string();
        let said = std::mem::take(&mut *self.said.lock().unwrap());
        said.iter()
            .map(|text| text.replace(&folder, "CACHE"))
            .collect()
    }
}

const CALM: Script<'_> = &[
    ("reference", "1", STEADY),
    ("reference", "2", &[Right(1000)]),
    ("you", "1", QUICK),
    ("you", "2", &[Right(1400)]),
];

const CALM_CASES: [&str; 2] = ["n=1 AC 40 ms of 300 ms", "n=2 AC 1.4 s of 3 s"];
const FRESH: [&str; 2] = ["n=1 100 ms to 100 ms in 1", "n=2 1 s to 1 s in 1"];
const FRESH_LOG: [&str; 5] = [
    "reference 1: 100",
    "you 1: 40",
    "reference 2: 1000",
    "reference 1: 100",
    "you 2: 1400",
];

/// A cache that one run has filled.
fn filled() -> Option<Cache> {
    if !has_compiler() {
        return None;
    }
    let cache = Cache::new();
    let (cases, yardsticks, log) = cache.run(CALM);
    assert_eq!(cases, CALM_CASES);
    assert_eq!(yardsticks, FRESH);
    assert_eq!(log, FRESH_LOG);
    assert_eq!(cache.files().len(), 1);
    Some(cache)
}

#[test]
fn the_next_run_reads_the_gauge_and_takes_times_and_answers_from_the_file() {
    let Some(cache) = filled() else { return };
    let before = fs::read(&cache.files()[0]).unwrap();
    let (cases, yardsticks, log) = cache.run(&[
        ("reference", "1", &[Right(108)]),
        ("you", "1", QUICK),
        ("you", "2", &[Right(1400)]),
    ]);
    assert_eq!(cases, CALM_CASES);
    assert_eq!(
        yardsticks,
        [
            "n=1 100 ms to 100 ms in 1, kept",
            "n=2 1 s to 1 s in 1, kept"
        ]
    );
    assert_eq!(
        log,
        [
            "reference 1: 108",
            "reference 1: 108",
            "reference 1: 108",
            "you 1: 40",
            "you 2: 1400"
        ]
    );
    // Nothing new was learnt.
    assert_eq!(fs::read(&cache.files()[0]).unwrap(), before);
    assert_eq!(cache.said(), [""; 0]);
}

#[test]
fn on_a_machine_that_is_slower_than_then_everything_is_measured_anew_and_replaced() {
    let Some(cache) = filled() else { return };
    let slow: Script<'_> = &[
        ("reference", "1", &[Right(150)]),
        ("reference", "2", &[Right(1500)]),
        ("you", "1", QUICK),
        ("you", "2", &[Right(2100)]),
    ];
    let (cases, yardsticks, log) = cache.run(slow);
    assert_eq!(cases, ["n=1 AC 40 ms of 450 ms", "n=2 AC 2.1 s of 4.5 s"]);
    assert_eq!(
        yardsticks,
        ["n=1 150 ms to 150 ms in 1", "n=2 1.5 s to 1.5 s in 1"]
    );
    assert_eq!(
        log[..5],
        [&["reference 1: 150"; 4][..], &["you 1: 40"]].concat()
    );
    let (_, yardsticks, _) = cache.run(slow);
    assert_eq!(
        yardsticks,
        [
            "n=1 150 ms to 150 ms in 1, kept",
            "n=2 1.5 s to 1.5 s in 1, kept"
        ]
    );
    assert_eq!(cache.files().len(), 1);
}

#[test]
fn a_machine_that_drifts_after_a_kept_calibration_held_is_measured_anew() {
    let Some(cache) = filled() else { return };
    let (cases, yardsticks, _) = cache.run(&[
        ("reference", "1", &[Right(100), Right(150)]),
        ("reference", "2", &[Right(1500)]),
        ("you", "1", QUICK),
        ("you", "2", &[Right(3600)]),
    ]);
    assert_eq!(cases, ["n=1 AC 40 ms of 300 ms", "n=2 AC 3.6 s of 4.5 s"]);
    assert_eq!(
        yardsticks,
        [
            "n=1 100 ms to 100 ms in 1, kept",
            "n=2 1 s to 1 s in 1, kept",
            "n=1 150 ms to 150 ms in 3, 1 drifts",
            "n=2 1.5 s to 1.5 s in 1, 1 drifts",
        ]
    );
}

#[test]
fn what_runs_alone_measure_is_kept_too() {
    if !has_compiler() {
        return;
    }
    let cache = Cache::new();
    cache.run(&[
        ("reference", "1", STEADY),
        ("reference", "2", &[Right(1000), Right(980)]),
        ("you", "1", QUICK),
        ("you", "2", &[Right(2900), Right(2400)]),
    ]);
    let (_, yardsticks, _) = cache.run(CALM);
    assert_eq!(
        yardsticks,
        [
            "n=1 100 ms to 100 ms in 1, kept",
            "n=2 980 ms to 1 s in 2, kept"
        ]
    );
}

#[test]
fn a_file_that_is_broken_is_said_once_and_replaced() {
    let Some(cache) = filled() else { return };
    let file = &cache.files()[0];
    fs::write(file, "{\"format\":").unwrap();
    let (cases, yardsticks, log) = cache.run(CALM);
    assert_eq!(
        (&cases[..], &yardsticks[..], &log[..]),
        (
            &CALM_CASES.map(str::to_owned)[..],
            &FRESH.map(str::to_owned)[..],
            &FRESH_LOG.map(str::to_owned)[..]
        )
    );
    assert_eq!(
        cache.said(),
        [
            "what is kept in `CACHE` of earlier measurements cannot be used, and is measured anew: EOF while parsing a value at line 1 column 10"
        ]
    );
    let (_, yardsticks, _) = cache.run(CALM);
    assert_eq!(yardsticks[0], "n=1 100 ms to 100 ms in 1, kept");
    assert_eq!(cache.said(), [""; 0]);
}

#[test]
fn what_another_grader_or_another_version_of_the_problem_kept_is_not_used() {
    let Some(cache) = filled() else { return };
    let other = Calibrations {
        grader: "0.2.0".to_owned(),
        ..cache.calibrations()
    };
    let (_, yardsticks, _) = Cache::run_with(CALM, &doubling(|_| ()), other);
    assert_eq!(yardsticks, FRESH);
    let changed = doubling(|problem| problem.limits.confirm += 1);
    let (_, yardsticks, _) = Cache::run_with(CALM, &changed, cache.calibrations());
    assert_eq!(yardsticks, FRESH);
    assert_eq!(cache.files().len(), 3);
    assert_eq!(cache.said(), [""; 0]);
}

#[test]
fn a_fresh_calibration_ignores_what_is_kept_and_replaces_it() {
    let Some(cache) = filled() else { return };
    let fresh = Calibrations {
        fresh: true,
        ..cache.calibrations()
    };
    let (_, yardsticks, _) = Cache::run_with(
        &[
            ("reference", "1", &[Right(105)]),
            ("reference", "2", &[Right(1050)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(1400)]),
        ],
        &doubling(|_| ()),
        fresh,
    );
    assert_eq!(
        yardsticks,
        ["n=1 105 ms to 105 ms in 1", "n=2 1.05 s to 1.05 s in 1"]
    );
    let (_, yardsticks, _) = cache.run(CALM);
    assert_eq!(yardsticks[1], "n=2 1.05 s to 1.05 s in 1, kept");
}

#[test]
fn a_folder_that_cannot_be_written_is_said_once_and_costs_nothing() {
    if !has_compiler() {
        return;
    }
    let cache = Cache::new();
    // Not even root makes a folder below a file.
    fs::write(cache.path(), "").unwrap();
    let (cases, yardsticks, log) = Cache::run_with(
        CALM,
        &doubling(|_| ()),
        Calibrations {
            fresh: true,
            ..cache.calibrations()
        },
    );
    assert_eq!(cases, CALM_CASES);
    assert_eq!(yardsticks, FRESH);
    assert_eq!(log, FRESH_LOG);
    let said = cache.said();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].starts_with("measurements cannot be kept in `CACHE` for the next run: "),
        "{said:?}"
    );
}

#[test]
fn two_graders_at_a_time_leave_one_whole_file() {
    if !has_compiler() {
        return;
    }
    let cache = Cache::new();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| cache.run(CALM));
        }
    });
    let (_, yardsticks, _) = cache.run(CALM);
    assert_eq!(yardsticks[1], "n=2 1 s to 1 s in 1, kept");
    assert_eq!(cache.files().len(), 1);
    assert_eq!(cache.said(), [""; 0]);
}

#[test]
fn answers_are_kept_where_no_time_is_needed() {
    if !has_compiler() {
        return;
    }
    let cache = Cache::new();
    let absolute = || {
        doubling(|problem| {
            problem.limits.time = grader_problem::TimeRule::Absolute(CpuTime::from_millis(10_000));
        })
    };
    let (first, _, _) = Cache::run_with(CALM, &absolute(), cache.calibrations());
    let (second, yardsticks, log) = Cache::run_with(CALM, &absolute(), cache.calibrations());
    assert_eq!(first, second);
    assert_eq!(yardsticks, [""; 0]);
    assert_eq!(log, ["you 1: 40", "you 2: 1400"]);
}

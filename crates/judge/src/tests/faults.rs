//! Failures on our side: a row states the reason, and grading continues.

use grader_model::{Change, Origin, Verdict};
use grader_problem::Checker;

use super::machine::Trouble;
use super::*;

const THREE: [&str; 3] = ["twice", "twice", "twice"];

/// Each student's result: `AC 10`, or the reason why the points are open.
fn reasons(heard: &Heard) -> Vec<String> {
    let results = heard.results().into_iter();
    results
        .map(|result| {
            if result.verdict != Verdict::JudgeError {
                return format!("{} {}", result.verdict, result.points.unwrap());
            }
            assert_eq!(result.points, None);
            let mut cases = result.subtasks.iter().flat_map(|it| &*it.cases);
            let faulty = cases.find(|case| case.verdict == Verdict::JudgeError);
            let message = result.message.as_ref();
            let message = message.or_else(|| faulty?.message.as_deref());
            message.unwrap().en.clone()
        })
        .collect()
}

/// The results of a class of three when something goes wrong once; also checks that the next run recovers.
fn with_trouble(at: &'static str, trouble: Trouble) -> Vec<String> {
    let machine = Arc::new(Machine::with(&[(at, trouble)]));
    let ram = Arc::<Ram>::default();
    ram.begin();
    let (assignment, class) = (doubling(|_| ()), class(&THREE));
    let (heard, _) = Setup::new(&machine, Some(&ram)).grade(&assignment, &class);
    assert_eq!(heard.interrupted, Some(false));
    assert_eq!(ram.stored(), 3);
    let folder = machine.root.lock().unwrap().display().to_string();
    ram.begin();
    let (again, _) = Setup::new(&machine, Some(&ram)).grade(&assignment, &class);
    assert_eq!(again.verdicts(), ["AC 10"; 3]);
    let reused = Origin::Reused { run: 1 };
    let because = vec![Change::Fault];
    assert_eq!(
        again.origins(),
        [reused.clone(), Origin::Ran { because }, reused]
    );
    let reasons = reasons(&heard).into_iter();
    reasons
        .map(|reason| reason.replace(&folder, "ROOT"))
        .collect()
}

fn assert_one(at: &'static str, trouble: Trouble, reason: &str) {
    let found = with_trouble(at, trouble);
    assert_eq!(found, ["AC 10", reason, "AC 10"], "{at} {trouble:?}");
}

#[test]
fn a_launcher_that_dies_costs_one_case_and_the_next_one_is_another() {
    needs_compiler!();
    let reason = "the sandbox failed: the launcher failed: it was killed";
    assert_one("s1 n=4", Trouble::Dies, reason);
    assert_one("build s1", Trouble::Dies, reason);
}

#[test]
fn a_compiler_that_vanishes_costs_the_jobs_that_need_it_meanwhile() {
    let Ok(toolchain) = Languages::built_in().get(LanguageId::C).unwrap().find() else {
        return;
    };
    let compiler = toolchain.programs[0].display();
    let reason = format!("the sandbox failed: cannot execute `{compiler}`: entity not found");
    assert_one("build s1", Trouble::Vanishes, &reason);
}

#[test]
fn a_panic_of_ours_costs_one_job() {
    needs_compiler!();
    let reason = "the judge has a bug: a bug";
    assert_one("s1 n=4", Trouble::Panics, reason);
    assert_one("build s1", Trouble::Panics, reason);
}

#[test]
fn a_checker_that_cannot_decide_costs_its_cases() {
    needs_compiler!();
    let assignment = doubling(|problem| {
        let case = &mut problem.subtasks[1].cases[0];
        case.answer = grader_problem::Answer::None;
        case.checker = Checker::Exact;
    });
    let heard = afresh(&assignment, &class(&THREE));
    let reason = "the checker failed: checker `exact` has no expected output to compare with";
    assert_eq!(reasons(&heard), [reason; 3]);
    // The other cases have their results.
    let cases = heard.results()[0].subtasks.iter().flat_map(|it| &*it.cases);
    let codes: Vec<&str> = cases.map(|case| case.verdict.code()).collect();
    assert_eq!(codes, ["AC", "AC", "JE", "AC", "AC"]);
}

#[test]
fn a_compiler_that_fails_while_the_disk_is_full_is_not_the_students_compile_error() {
    needs_compiler!();
    let found = with_trouble("build s1", Trouble::FillsAndFails);
    assert_eq!((&*found[0], &*found[2]), ("AC 10", "AC 10"));
    let begin = "cannot write `ROOT/job-";
    assert!(found[1].starts_with(begin), "{}", found[1]);
}

/// Set in the child process that may fill its disk.
const SMALL: &str = "BITCRAFT_TEST_SMALL_DISK";

#[test]
fn a_disk_that_is_full_makes_every_later_job_a_fault_that_says_so_and_none_of_them_wrong() {
    needs_compiler!();
    if std::env::var_os(SMALL).is_some() {
        return fill_the_disk();
    }
    // Runs this test again in a child process, with its own disk for temporary files.
    let folder = tempfile::tempdir().unwrap();
    let name = "tests::faults::a_disk_that_is_full_makes_every_later_job_a_fault_that_says_so_and_none_of_them_wrong";
    let mount = "mount -t tmpfs -o size=8m none \"$TMPDIR\" || exit 99; exec \"$@\"";
    let run = std::process::Command::new("unshare")
        .args(["-rm", "sh", "-c", mount, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env("TMPDIR", folder.path())
        .env(SMALL, "yes")
        .output();
    match run {
        Ok(run) if run.status.success() => {
            let said = String::from_utf8_lossy(&run.stdout);
            assert!(said.contains("1 passed"), "{said}");
        }
        Ok(run) if String::from_utf8_lossy(&run.stderr).contains("panicked") => {
            panic!("{}", String::from_utf8_lossy(&run.stderr));
        }
        _ => eprintln!("skipped: no small disk can be mounted here"),
    }
}

fn fill_the_disk() {
    for at in ["s1 n=4", "s1 n=1", "build s1", "s0 n=5"] {
        let machine = Arc::new(Machine::with(&[(at, Trouble::Fills)]));
        let setup = Setup::new(&machine, None);
        let class = class(&["twice", "twice", "thrice", "broken"]);
        let (heard, _) = setup.grade(&doubling(|_| ()), &class);
        // If there was just enough space, the answer is right.
        let found = reasons(&heard);
        let is_full = |reason: &String| reason.contains("No space left on device");
        assert!(found[1] == "AC 10" || is_full(&found[1]), "{at}: {found:?}");
        assert!(found[2..].iter().all(is_full), "{at}: {found:?}");
        let file = std::env::temp_dir().join("full");
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_reference_that_fails_once_is_asked_again_and_costs_nobody_anything() {
    needs_compiler!();
    let once = Arc::new(Machine::with(&[("reference n=2", Trouble::Dies)]));
    let (heard, _) = Setup::new(&once, None).grade(&doubling(|_| ()), &class(&THREE));
    assert_eq!(heard.verdicts(), ["AC 10"; 3]);
    let twice = ("reference n=2", Trouble::Dies);
    let twice = Arc::new(Machine::with(&[twice, twice]));
    let (heard, _) = Setup::new(&twice, None).grade(&doubling(|_| ()), &class(&THREE));
    let reason = "the sandbox failed: the launcher failed: it was killed";
    assert_eq!(reasons(&heard), [reason; 3]);
}

#[test]
fn a_program_that_changes_its_own_files_is_not_run_again() {
    needs_compiler!();
    let heard = afresh(&doubling(|_| ()), &class(&["twice alters"]));
    assert_eq!(heard.verdicts(), ["PC 2"]);
    let second = &heard.results()[0].subtasks[0].cases[1];
    assert_eq!(second.verdict, Verdict::RuntimeError);
    let message = second.message.as_ref().unwrap();
    assert!(message.en.starts_with("not run: "), "{message:?}");
}

#[test]
fn sources_that_vanish_after_they_were_seen_are_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("s0/double.c");
    std::fs::create_dir(folder.path().join("s0")).unwrap();
    std::fs::write(&source, "int main() {}").unwrap();
    let assignment = doubling(|_| ());
    let class = grader_intake::read_class(&grader_intake::ClassSource {
        folder: folder.path(),
        assignment: &assignment,
        layout: None,
        student: None,
        roster: None,
        teams: None,
        corrections: &[],
        scratch: folder.path(),
    });
    std::fs::remove_file(source).unwrap();
    let heard = afresh(&assignment, &class.unwrap());
    let reason = "cannot read `double.c`: No such file or directory (os error 2)";
    assert_eq!(reasons(&heard), [reason]);
    assert_eq!(heard.results()[0].files, ["double.c"]);
}

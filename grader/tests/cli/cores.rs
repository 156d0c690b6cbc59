//! Programs and the processors that they share with others.

use std::fs::{self, File};
use std::process::{Child, Command};

use grader_sandbox::Cores;
use serde_json::Value;

use crate::harness::{Room, have};

/// Says on how many processors it runs, and how many threads it may start.
const COUNTS: &str = "
import os
names = 'BLIS_NUM_THREADS MKL_NUM_THREADS NUMEXPR_NUM_THREADS OMP_NUM_THREADS OPENBLAS_NUM_THREADS VECLIB_MAXIMUM_THREADS'
print(len(os.sched_getaffinity(0)), *(os.environ.get(name) for name in names.split()))
";

/// A class of one student with this program in Python, whose right answer is that.
fn room(program: &str, answer: &str, limits: &str) -> Room {
    problem(answer, limits).file("class/ann/task.py", program)
}

/// An assignment of one problem with this answer.
fn problem(answer: &str, limits: &str) -> Room {
    Room::new()
        .file(
            "assignment/assignment.toml",
            "format = 1\nid = \"cores\"\ntitle = { en = \"Cores\", zh = \"核心\" }\n[[problem]]\npath = \"task\"\npoints = 1\n",
        )
        .file(
            "assignment/task/problem.toml",
            format!(
                "format = 1\nid = \"task\"\ntitle = {{ en = \"Task\", zh = \"题\" }}\n[submission]\nfiles = [\"task.*\"]\n[limits]\n{limits}\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\n[[subtask.case]]\nname = \"only\"\nanswer = \"{answer}\"\n"
            ),
        )
}

fn graded(room: &Room, more: &[&str]) -> (Value, String) {
    let grade = ["grade", "class", "-a", "./assignment", "--json", "-"];
    let ran = room.run(&[&grade[..], more].concat());
    let results = serde_json::from_str(&ran.stdout);
    let results = results.unwrap_or_else(|error| panic!("{error}: {}", ran.stderr));
    (results, ran.stderr)
}

fn shown(results: &Value) -> String {
    let problem = &results["students"][0]["problems"][0];
    let message = &problem["subtasks"][0]["cases"][0]["message"];
    format!("{} {message}", problem["verdict"].as_str().unwrap())
}

#[test]
fn a_program_has_one_core_and_one_thread_also_beside_another_grader_which_is_said() {
    if !have(&["python3"]) {
        return;
    }
    let cores = Cores::here().order().to_vec();
    let room = room(COUNTS, "1 1 1 1 1 1 1", "time = \"10 s\"").folder("locks");
    let locks = room.path("locks");
    let room = room.env("BITCRAFT_CORE_LOCKS", locks.to_str().unwrap());
    let note = "another grader uses the cores of this machine: programs share them, so times are less fair\n";
    let is_missing = |results: &Value| {
        let missing = results["isolation"]["missing"].as_array().unwrap();
        missing.iter().any(|layer| layer == "own-cores")
    };
    let many = (cores.len() + 1).to_string();
    for jobs in ["1", &many] {
        let (results, stderr) = graded(&room, &["-j", jobs]);
        assert_eq!(shown(&results), "AC null");
        assert!(!is_missing(&results) && !stderr.contains(note), "{stderr}");
    }
    let other: Vec<File> = cores
        .iter()
        .map(|core| {
            let file = File::create(locks.join(core.to_string())).unwrap();
            file.lock().unwrap();
            file
        })
        .collect();
    let (results, stderr) = graded(&room, &["-j", "1"]);
    assert_eq!(shown(&results), "AC null");
    assert!(is_missing(&results) && stderr.contains(note), "{stderr}");
    drop(other);
}

/// Programs that use every core, until this is dropped.
struct Burners(Vec<Child>);

impl Burners {
    fn start() -> Self {
        let burner = |_| {
            let mut shell = Command::new("sh");
            shell.args(["-c", "while :; do :; done"]).spawn().unwrap()
        };
        Self((0..3 * Cores::here().order().len()).map(burner).collect())
    }
}

impl Drop for Burners {
    fn drop(&mut self) {
        for burner in &mut self.0 {
            burner.kill().unwrap();
            burner.wait().unwrap();
        }
    }
}

#[test]
fn a_program_that_dozes_is_not_excused_by_the_waiting_of_others() {
    if !have(&["gcc", "sh"]) {
        return;
    }
    // Python would take long to start where it waits for a processor.
    let dozes = "#include <time.h>\n#include <unistd.h>\nint main(void) { for (;;) { \
                 clock_t began = clock(); while (clock() < began + CLOCKS_PER_SEC / 200) { } usleep(50000); } }\n";
    let room = problem("1", "time = \"1 s\"\nwall = \"1 s\"").file("class/ann/task.c", dozes);
    let _burners = Burners::start();
    let (results, _) = graded(&room, &["-j", "1"]);
    let shown = shown(&results);
    // Perhaps after a second run, with four times the wall time: it does wait now and then.
    assert!(shown.starts_with("TLE \"stopped after "), "{shown}");
}

#[test]
fn an_argument_of_sixty_kilobytes_reaches_the_program() {
    if !have(&["python3"]) {
        return;
    }
    let room = room(
        "import sys\nprint(len(sys.argv[1]))\n",
        "60000",
        "time = \"10 s\"",
    );
    let problem = room.path("assignment/task/problem.toml");
    let text = fs::read_to_string(&problem).unwrap();
    let run = format!("[run]\narguments = [\"{}\"]\n[limits]", "x".repeat(60_000));
    fs::write(problem, text.replace("[limits]", &run)).unwrap();
    assert_eq!(shown(&graded(&room, &[]).0), "AC null");
}

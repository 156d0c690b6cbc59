//! The deadline of a graded class as it is today. It applies after judging, so it may have moved since the class was graded.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use grader_model::{AssignmentId, Deadline, Results, RunSummary, Text, text};
use grader_problem::{DiskLibrary, load_deadline};

use crate::console::Console;
use crate::error::Result;
use crate::path::{shortened, shown};
use crate::stored::StoredRuns;

/// The results of a run as they were judged, with the deadline that the assignment has today.
///
/// The assignment is looked for where `grade` looks for it: above the class, or else above this folder. If the class is the work
/// of one student, who may have written what lies around it, the deadline of the run stays.
pub fn results(stored: &StoredRuns, run: &RunSummary, console: &dyn Console) -> Result<Results> {
    let mut results = stored.results(run)?;
    let info = &mut results.assignment;
    if stored.is_of_one_student(run)? {
        return Ok(results);
    }
    match today(&run.class, &info.id) {
        Some((_, Today::Says(deadline))) if deadline == info.deadline => {}
        Some((path, Today::Says(deadline))) => {
            info.deadline = deadline;
            say_moved(&path, &results, console);
        }
        Some((path, Today::HasMistakes)) => {
            let path = shown(&path);
            console.warn(&text!(
                "`{path}` has mistakes: the deadline is the one with which the class was graded; `grader check` shows them",
                "`{path}` 有错误：采用评测时的截止时间；用 `grader check` 查看错误"
            ));
        }
        None if can_matter(&results) => console.note(&Text::new("the deadline is the one with which the class was graded: if it has moved since, run `grader grade` again", "采用评测时的截止时间：如果此后有改动，请重新运行 `grader grade`")),
        None => {}
    }
    Ok(results)
}

/// Whether another deadline would change results as they are: something is late, or is shown only after the deadline.
fn can_matter(results: &Results) -> bool {
    let Some(deadline) = &results.assignment.deadline else {
        return false;
    };
    let mut problems = results.students.iter().flat_map(|it| &it.problems);
    problems.any(|it| {
        let late = it.submitted.and_then(|it| deadline.lateness(it, None));
        late.is_some() || it.subtasks.iter().any(|it| it.hidden_until.is_some())
    })
}

/// What the file of an assignment says.
enum Today {
    /// Its deadline, if it has one.
    Says(Option<Deadline>),
    HasMistakes,
}

/// The file of the assignment with this id that is nearest to a class, and what it says.
fn today(class: &Path, id: &AssignmentId) -> Option<(PathBuf, Today)> {
    let here = env::current_dir().and_then(fs::canonicalize).ok();
    let places = [Some(class), here.as_deref()].into_iter().flatten();
    let mut unreadable = None;
    for place in places {
        let mut above = place.ancestors();
        let Some(folder) = above.find(|it| it.join("assignment.toml").is_file()) else {
            continue;
        };
        let path = shortened(folder.join("assignment.toml"));
        match load_deadline(&DiskLibrary::new(folder), "") {
            Ok((found, deadline)) if found == *id => return Some((path, Today::Says(deadline))),
            Ok(_) => {}
            Err(_) => unreadable = Some((path, Today::HasMistakes)),
        }
    }
    unreadable
}

/// Says that another deadline applies, and what it cannot know.
fn say_moved(path: &Path, results: &Results, console: &dyn Console) {
    let path = shown(path);
    let mut problems = results.students.iter().flat_map(|it| &it.problems);
    let has_unknown = problems.any(|it| it.submission.is_some() && it.submitted.is_none());
    let grade = if has_unknown && results.assignment.deadline.is_some() {
        Text::new(
            "; when some submissions were made is not known: `grader grade` reads it",
            "；部分提交的时间未知，需运行 `grader grade` 读取",
        )
    } else {
        Text::default()
    };
    console.note(&text!(
        "the deadline in `{path}` has changed since this run, and applies{grade}",
        "`{path}` 中的截止时间在这次评测之后有改动，按新的计算{grade}",
        grade
    ));
}

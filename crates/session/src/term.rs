//! The classes of a course, with the late days that students used.

use std::collections::BTreeMap;
use std::path::Path;

use grader_adjust::{Conditions, LateWork};
use grader_model::{Results, StudentId, escaped};
use grader_problem::{Course, DiskLibrary, load_course};

use crate::console::Console;
use crate::corrections::now;
use crate::error::Result;
use crate::exit::{Ended, Exit, Failure};
use crate::graded::Graded;
use crate::path::{shortened, shown};
use crate::stored::{AskedClass, StoredRuns};

/// A course, and what its classes earned.
pub struct Term {
    /// The course.
    pub course: Course,
    /// The classes, in the order of its parts.
    pub classes: Vec<Graded>,
    /// The late days that each student used.
    pub used: BTreeMap<StudentId, u32>,
}

impl Term {
    /// Reads the file of a course and its classes, and uses late days where work is late.
    ///
    /// # Errors
    /// Mistakes in the file; if a class was not graded, or by several assignments.
    pub fn read(path: &Path, asked: &AskedClass, console: &dyn Console) -> Result<Self> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let library = DiskLibrary::new(Path::new(".").join(folder));
        let course = load_course(&library, &name)?;
        let paths = course.parts.iter().flat_map(|part| &part.classes);
        let classes = paths.map(|class| {
            let stored = StoredRuns::of_course(folder.join(class), asked)?;
            let run = stored.run(None)?;
            refuse_several(&stored, &run.class)?;
            stored.say_choice(&run, console)?;
            Graded::of(stored, run, None, console)
        });
        let mut term = Self {
            classes: classes.collect::<Result<_>>()?,
            used: BTreeMap::new(),
            course,
        };
        term.use_late_days()?;
        Ok(term)
    }

    /// Uses late days where work is late, the earliest deadline first.
    fn use_late_days(&mut self) -> Result<()> {
        let due = |results: &Results| results.assignment.deadline.as_ref().map(|it| it.due);
        let mut by_due: Vec<&mut Graded> = self.classes.iter_mut().collect();
        by_due.sort_by_key(|it| due(&it.results));
        for class in by_due {
            let Some(deadline) = class.results.assignment.deadline.clone() else {
                continue;
            };
            let mut judged = class.stored.results(&class.run)?;
            judged.assignment.deadline = Some(deadline.clone());
            let attempts = class.corrections.attempts(&judged, Some(&class.stored))?;
            let mut extensions = Vec::new();
            for student in &judged.students {
                let before = self.used.entry(student.id.clone()).or_default();
                let work = LateWork {
                    student,
                    corrections: class.corrections.list(),
                    conditions: Conditions {
                        problems: &judged.assignment.problems,
                        deadline: Some(&deadline),
                        now: now(),
                    },
                    deadline: &deadline,
                    attempts: &attempts,
                };
                let (days, own) = work.late_days(self.course.late_days - *before);
                *before += days;
                extensions.extend(own);
            }
            if !extensions.is_empty() {
                class.corrections.extend(extensions);
                class.results = judged;
                class
                    .corrections
                    .apply_scoped(&mut class.results, Some(&class.stored))?;
            }
        }
        Ok(())
    }

    /// 3 if something in one of its classes could not be judged, else 0.
    pub fn exit(&self) -> Exit {
        let ended = Ended {
            has_faults: self.classes.iter().any(|it| it.exit() == Exit::Fault),
            ..Ended::default()
        };
        ended.exit()
    }
}

/// Refuses a class that was graded by several assignments: which of them the course means, it does not say.
fn refuse_several(stored: &StoredRuns, class: &Path) -> Result<()> {
    let classes = stored.classes()?.into_iter();
    let own = classes.filter(|it| it.path == class);
    let ids: Vec<String> = own
        .map(|it| escaped(it.assignment.as_str().as_bytes()))
        .collect();
    if ids.len() < 2 {
        return Ok(());
    }
    let (class, ids) = (shown(&shortened(class.to_owned())), ids.join("`, `"));
    let message = format!(
        "`{class}` was graded by several assignments, and a course does not say which it means: `{ids}`; grade it by each of them with a \
         ledger of its own (`grade --ledger FILE`), and name the ledgers in the course"
    );
    Err(Failure::usage(message).into())
}

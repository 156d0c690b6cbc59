//! Where reports and documents go: no two share a file, and none goes where it would be taken for something else.

use std::fs;
use std::path::{Path, PathBuf};

use grader_publish::{create_folders, probe_write};
use grader_report::is_page;
use grader_session::owned::{head, is_stdout, real_file, refuse_existing};
use grader_session::{Failure, shown};

/// The file that tells a folder of feedback from others.
pub(crate) const FEEDBACK_MARK: &str = ".grader-feedback";

/// The places of what one command writes.
#[derive(Default)]
pub(crate) struct Targets {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Targets {
    /// Adds standard output, which only one of them can have.
    pub(crate) fn add_stdout(&mut self) {
        self.files.push("-".into());
    }

    /// Adds a place, or refuses one that another has, however it is spelled, or that is among what students get.
    pub(crate) fn add(&mut self, path: &Path, is_folder: bool) -> Result<(), Failure> {
        let file = if is_stdout(path) {
            "-".into()
        } else {
            refuse_among_handed_out(path)?;
            if is_folder {
                refuse_zip(path)?;
            }
            real_file(path)
        };
        let is_in_folder = self.folders.iter().any(|it| file.starts_with(it));
        let is_taken = if is_folder {
            let mut inside = self.files.iter().chain(&self.folders);
            is_in_folder || inside.any(|it| it.starts_with(&file))
        } else {
            is_in_folder || self.files.contains(&file)
        };
        if is_taken {
            let message = format!("two reports would go to `{}`", shown(path));
            return Err(Failure::usage(message));
        }
        if is_folder {
            self.folders.push(file);
        } else {
            self.files.push(file);
        }
        Ok(())
    }

    /// Refuses a place in the folder of a class where it would be work of a student: a folder there is a student, and what is
    /// in it belongs to the student. `class` is a canonical path.
    pub(crate) fn refuse_in_class(&self, class: &Path) -> Result<(), Failure> {
        // A file beside the students is nobody's.
        let is_work = |file: &&PathBuf| {
            let above = file.parent();
            above.is_some_and(|it| it.starts_with(class) && it != class)
        };
        // Folders that are made in one of pages.
        let inner = ["staff", "students"];
        let holds = |folder: &&PathBuf| {
            let mut inner = inner.iter().map(|it| folder.join(it));
            folder.starts_with(class) || inner.any(|it| class.starts_with(it))
        };
        let file = self.files.iter().find(is_work);
        let folder = || self.folders.iter().find(holds);
        let Some(path) = file.or_else(folder).filter(|_| class.is_dir()) else {
            return Ok(());
        };
        let (path, class) = (shown(path), shown(class));
        Err(Failure::usage(format!(
            "what goes to `{path}` would be taken for students' work in the class `{class}`: name another place"
        )))
    }
}

/// Refuses a place among what is handed out to students: in a folder of feedback, or among their pages.
fn refuse_among_handed_out(path: &Path) -> Result<(), Failure> {
    let real = real_file(path);
    let mut above = real.ancestors().skip(1);
    let feedback = above.find(|it| it.join(FEEDBACK_MARK).exists());
    let Some(folder) = feedback.or_else(|| real.ancestors().find(|it| has_own_pages(it))) else {
        return Ok(());
    };
    let (path, folder) = (shown(path), shown(folder));
    Err(Failure::usage(format!(
        "`{path}` is in `{folder}`, whose files are for students: name another place"
    )))
}

/// Whether a folder is that of students' pages beside the page of their class.
fn has_own_pages(folder: &Path) -> bool {
    let is_called_so = folder.file_name().is_some_and(|it| it == "students");
    let class = folder.with_file_name("index.html");
    is_called_so && is_page(&String::from_utf8_lossy(&head(&class)))
}

/// Folders that were made for reports. When this is dropped, those in which nothing was written are removed.
#[derive(Default)]
pub(crate) struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    /// Makes a folder and those above it, unless they are there.
    pub(crate) fn make(&mut self, folder: &Path) -> Result<(), Failure> {
        let made = create_folders(folder).map_err(|error| {
            let shown = shown(folder);
            Failure::usage(if folder.exists() {
                format!("expected a folder, but `{shown}` is a file")
            } else {
                format!("cannot create the folder `{shown}`: {error}")
            })
        })?;
        self.0.extend(made);
        Ok(())
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // One that has files stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Refuses the name of a zip for a folder.
fn refuse_zip(path: &Path) -> Result<(), Failure> {
    if !path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("zip"))
    {
        return Ok(());
    }
    let shown = shown(path);
    Err(Failure::usage(format!(
        "`{shown}` would be a folder, not a zip: name a folder, and pack it afterwards"
    )))
}

/// Checks that a folder can be made at a path at which there is nothing yet, before what fills it is made.
pub(crate) fn check_new_folder(path: &Path) -> Result<(), Failure> {
    refuse_zip(path)?;
    refuse_existing(path)?;
    let mut made = MadeFolders::default();
    if let Some(above) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        made.make(above)?;
    }
    probe_write(path).map_err(|error| Failure::mistake(error.text()))
}

/// Refuses standard output for something that cannot go there. `what` says what it is, and `expected` what to name.
pub(crate) fn refuse_stdout(path: &Path, what: &str, expected: &str) -> Result<(), Failure> {
    if !is_stdout(path) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{what} cannot go to standard output (`-`): name {expected}"
    )))
}

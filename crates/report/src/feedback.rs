//! A student's own report, as a file or a comment shows it to them.

use grader_model::{Results, StudentResult};

use crate::audience::Audience;
use crate::style::Style;
use crate::terminal;

/// The personal reports of a class, each made of what that student may see and of nothing else.
pub struct OwnReports {
    /// The results as a student sees them, without students.
    frame: Results,
    style: Style,
}

impl OwnReports {
    /// Reports in the language, width and signs of a style, without colour.
    pub fn new(results: &Results, style: &Style) -> Self {
        let nobody = Results {
            format: results.format,
            run: None,
            assignment: results.assignment.clone(),
            host: results.host.clone(),
            isolation: results.isolation.clone(),
            students: Vec::new(),
            unused: Vec::new(),
            reference_times: Vec::new(),
            interrupted: results.interrupted,
        };
        Self {
            frame: Audience::Student.view(&nobody).into_owned(),
            style: Style {
                color: false,
                ..*style
            },
        }
    }

    /// The report of one student.
    pub fn of(&mut self, student: &StudentResult) -> String {
        self.frame.students = vec![Audience::Student.student(student).into_owned()];
        terminal::personal(&self.frame, &self.style)
    }
}

//! What `grade --dry-run` shows: which files are judged as what, and why others are not.

use std::io::{self, Write};

use grader_intake::{Class, Student};
use grader_judge::Part;
use grader_model::{Text, UnusedFile, counted, listed};
use grader_problem::{Assignment, OwnValues};
use grader_report::{item, item_of_files};

use crate::terminal::Terminal;

/// Shows the files of the part of a class. Nothing has run.
pub(super) fn show(
    class: &Class,
    assignment: &Assignment,
    part: &Part,
    terminal: &Terminal,
) -> io::Result<()> {
    let mut out = terminal.stdout();
    let is_asked = |student: &&Student| part.has_student(&student.id);
    let mut count = 0_u32;
    for student in class.students.iter().filter(is_asked) {
        count += 1;
        writeln!(out, "{}", student.id)?;
        for entry in &assignment.problems {
            let id = &entry.problem.id;
            if !part.has_problem(id) {
                continue;
            }
            let (label, style) = (format!("{id}: "), terminal.style());
            let shown = match (student.submissions.get(id), student.faults.get(id)) {
                (Some(submission), _) => item_of_files(&label, &submission.shown, &style),
                (None, Some(fault)) => {
                    item(&label, not_scored(&fault.reason).get(terminal.lang), &style)
                }
                (None, None) => {
                    let nothing = terminal.lang.pick("nothing submitted", "未提交");
                    item(&label, nothing, &style)
                }
            };
            write!(out, "{shown}")?;
            let own = entry.for_student(student.owner());
            let own = own.problem.own.iter().flat_map(OwnValues::all);
            let own = own.map(|(name, value)| format!("{name} = {value}"));
            let own = own.collect::<Vec<_>>().join(", ");
            if !own.is_empty() && !student.faults.contains_key(id) {
                write!(out, "{}", item(&label, &own, &style))?;
            }
        }
        unused(&mut out, &student.unused, terminal)?;
    }
    unused(&mut out, &class.unused, terminal)?;
    let students = counted(count, "student", "students");
    terminal.note(
        format!("{students}; nothing was judged (`--dry-run`)"),
        format!("共 {count} 名学生，没有评测（`--dry-run`）"),
    );
    Ok(())
}

fn not_scored(reason: &Text) -> Text {
    Text::new(
        format!("not scored yet: {}", reason.en),
        format!("暂未评分：{}", reason.zh),
    )
}

/// The files that belong to no submission.
fn unused(out: &mut impl Write, files: &[UnusedFile], terminal: &Terminal) -> io::Result<()> {
    let (files, more) = listed(files);
    let texts = files
        .iter()
        .map(|file| format!("{}: {}", file.path, file.reason.get(terminal.lang)));
    let more = more.map(|it| it.get(terminal.lang).to_owned());
    for text in texts.chain(more) {
        write!(out, "{}", item("- ", &text, &terminal.style()))?;
    }
    Ok(())
}

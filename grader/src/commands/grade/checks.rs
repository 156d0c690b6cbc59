//! What `grade` refuses before it judges, and what it prints beside the report.

use std::env;
use std::path::Path;

use grader_intake::{Class, Student};
use grader_judge::{Part, Shard};
use grader_model::{Results, StudentId, Text, escaped, text, typed};
use grader_problem::{Assignment, OwnValues};
use grader_report::moment;
use grader_session::{Failure, StoredRuns, lost_with_the_roster, shown};
use grader_store::Run;

use crate::terminal::Terminal;

/// Refuses a class without any submission: it belongs to another assignment, or is no class, and nobody should get 0 for it.
pub(super) fn refuse_if_nothing_matches(
    class: &Class,
    path: &Path,
    assignment: &Assignment,
) -> Result<(), Failure> {
    let students = &class.students;
    let has_work = |it: &Student| !it.submissions.is_empty() || !it.faults.is_empty();
    if students.iter().any(has_work) {
        return Ok(());
    }
    let problems = assignment.problems.iter();
    let problems: Vec<&str> = problems.map(|entry| entry.problem.id.as_str()).collect();
    let (problems, id) = (problems.join("`, `"), &assignment.id);
    let path = shown(path);
    Err(Failure::mistake(Text::new(
        format!(
            "no file in `{path}` is for a problem of the assignment `{id}` (`{problems}`), so nobody is graded: is it another \
             assignment's class? Name the assignment with `--assignment`"
        ),
        format!(
            "`{path}` 中没有文件对应作业 `{id}` 的题目（`{problems}`），因此没有评测任何人。是不是另一次作业的提交？请用 `--assignment` 指定作业"
        ),
    )))
}

/// Refuses the kit of one student for several: others have other values.
pub(super) fn refuse_kit_of_one(class: &Class, assignment: &Assignment) -> Result<(), Failure> {
    let mut problems = assignment.problems.iter().map(|it| &it.problem);
    let is_of_one = |it: &OwnValues| it.is_of_student;
    let of_one = problems.find(|it| it.own.as_ref().is_some_and(is_of_one));
    let Some(id) = of_one.map(|it| &it.id).filter(|_| class.students.len() > 1) else {
        return Ok(());
    };
    Err(Failure::mistake(text!(
        "`{id}` is from the kit of one student (`seed`), and others have other values: grade a class with your assignment",
        "`{id}` 出自一名学生的练习包（`seed`），其他学生的数值不同：请用原来的作业评测全班"
    )))
}

/// Prints which run is resumed, if one is.
pub(super) fn say_if_resumed(run: Option<&Run>, terminal: &Terminal) {
    let Some(run) = run.filter(|run| run.is_resumed()) else {
        return;
    };
    let id = run.info().id;
    let began = moment(&run.info().began);
    terminal.note(
        format!("resuming run {id}, started {began}"),
        format!("继续第 {id} 次评测（开始于 {began}）"),
    );
}

/// Warns if the run before knew more of the same work. If that cannot be read, nothing is said.
pub(super) fn warn_of_lost_roster(
    stored: &StoredRuns,
    run: u64,
    results: &Results,
    terminal: &Terminal,
) {
    let run = stored.run(Some(run));
    let before = run.and_then(|run| stored.known_students(&stored.run_before(&run)?));
    let lost = before
        .ok()
        .and_then(|it| lost_with_the_roster(&it, &results.students));
    if let Some(Text { en, zh }) = lost {
        terminal.warn(en, zh);
    }
}

/// Prints how many results are of another version of their problem, if some are: a part of a class leaves them.
pub(super) fn say_outdated(count: usize, terminal: &Terminal) {
    let results = if count == 1 {
        "result is"
    } else {
        "results are"
    };
    if count > 0 {
        terminal.note(
            format!(
                "{count} {results} from an earlier version of the problem, carried over and not graded in this run; to grade \
                 again, leave out `--student` and `--problem`"
            ),
            format!(
                "{count} 个结果来自题目的旧版本，这次没有评测：去掉 `--student` 和 `--problem` 即可重新评测"
            ),
        );
    }
}

/// Prints which of the students that were asked for are in other shards: so one command line does for all.
pub(super) fn say_elsewhere(shard: Shard, part: &Part, terminal: &Terminal) {
    let elsewhere = part.students.iter().filter(|id| !shard.has(id));
    let elsewhere: Vec<&str> = elsewhere.map(StudentId::as_str).collect();
    if !elsewhere.is_empty() {
        let ids = escaped(elsewhere.join(", ").as_bytes());
        terminal.note(
            format!("not in shard {shard}, so not graded here: {ids}"),
            format!("不在分片 {shard} 中，此处不评测：{ids}"),
        );
    }
}

/// The message about a run that was stopped, with the command that resumes it.
pub(super) fn stopped(run: Option<&Run>) -> Text {
    let words = env::args_os().filter(|word| word != "--fresh");
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let again = escaped(typed(words).as_bytes());
    match run {
        Some(_) => Text::new(
            format!("stopped; what is stored is not judged again. To resume: {again}"),
            format!("已停止；已保存的结果不会重新评测。要继续，请运行：{again}"),
        ),
        None => Text::new(
            "stopped; nothing is stored, so the next run starts over",
            "已停止；没有保存结果，下次将重新开始",
        ),
    }
}

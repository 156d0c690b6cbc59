//! `grader test`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::IsTerminal as _;

use grader_intake::{Class, IntakeError, Student, Submission, read_files};
use grader_judge::Stop;
use grader_model::{Excerpt, ProblemId, Sink, StudentId, Verdict};
use grader_problem::{Assignment, Case, Problem};
use grader_report::{Fold, TestCase, TestView};

use crate::assignment;
use crate::cli::TestArgs;
use crate::command_line::quoted;
use crate::exit::{Exit, Mistake};
use crate::isolation::{self, Programs};
use crate::judge::{self, Tools};
use crate::terminal::Terminal;

pub(crate) fn run(args: &TestArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (mut assignment, submissions) = choose(args, terminal)?;
    assignment
        .problems
        .retain(|entry| submissions.contains_key(&entry.problem.id));
    let cases = test_cases(&assignment, &submissions);
    let class = Class {
        students: vec![Student {
            id: StudentId::new(terminal.lang().pick("you", "你")),
            person: None,
            notes: Vec::new(),
            remarks: Vec::new(),
            submissions,
            faults: BTreeMap::new(),
            unused: Vec::new(),
        }],
        ..Class::default()
    };
    let runner = isolation::runner(&args.isolation, Programs::Own, terminal)?;
    let stop = Stop::new();
    // One program at a time: the cases are shown as they end, in their order.
    let judge = judge::judge(
        Tools {
            runner,
            workers: std::num::NonZeroUsize::new(1),
            overlaps: false,
            stop: &stop,
            above: None,
        },
        terminal,
    )?;
    let mut fold = Fold::new();
    let summary = {
        let mut view = TestView::new(&terminal.style(), terminal.stdout())
            .with_cases(cases)
            .live(std::io::stdout().is_terminal());
        let mut sinks: Vec<&mut dyn Sink> = vec![&mut fold, &mut view];
        judge.grade(&assignment, &class, &mut sinks)
    };
    if let Some(error) = summary.sink_errors.into_iter().next() {
        return Err(error.into());
    }
    if summary.interrupted {
        return Ok(Exit::Interrupted);
    }
    let results = fold.results();
    let mut verdicts = results
        .iter()
        .flat_map(|results| &results.students)
        .flat_map(|student| &student.problems)
        .map(|problem| problem.verdict);
    Ok(verdicts
        .try_fold(Exit::Done, |exit, verdict| match verdict {
            Verdict::JudgeError => Err(Exit::Fault),
            Verdict::Accepted => Ok(exit),
            Verdict::PartiallyCorrect
            | Verdict::PresentationError
            | Verdict::WrongAnswer
            | Verdict::TimeLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::RuntimeError
            | Verdict::CompileError
            | Verdict::Skipped => Ok(Exit::Unmet),
        })
        .unwrap_or_else(|fault| fault))
}

/// Most bytes of an input that are shown.
const MAX_INPUT_BYTES: usize = 1000;
/// Most bytes of an input that are part of a command line.
const MAX_TYPED_BYTES: usize = 100;

/// How to run each case by hand.
fn test_cases(
    assignment: &Assignment,
    submissions: &BTreeMap<ProblemId, Submission>,
) -> Vec<TestCase> {
    let mut cases = Vec::new();
    for entry in &assignment.problems {
        let problem = &entry.problem;
        let files = submissions.get(&problem.id).map(|it| &it.shown);
        let file = files.and_then(|files| files.first());
        for subtask in &problem.subtasks {
            cases.extend(subtask.cases.iter().map(|case| TestCase {
                problem: problem.id.clone(),
                subtask: subtask.name.clone(),
                name: case.name.clone(),
                hidden: subtask.hidden,
                input:
                    (!case.input.is_empty()).then(|| Excerpt::block(&case.input, MAX_INPUT_BYTES)),
                command: file.and_then(|file| command(file, problem, case)),
            }));
        }
    }
    cases
}

/// `printf '8 4\n' | ./count 8`. `None` if the input is long or no text, or comes in a file.
fn command(file: &str, problem: &Problem, case: &Case) -> Option<String> {
    let input = std::str::from_utf8(&case.input).ok()?;
    let is_plain = |c: char| c == '\n' || c == ' ' || c.is_ascii_graphic();
    if !input.is_empty() && problem.run.input_file.is_some()
        || input.len() > MAX_TYPED_BYTES
        || !input.chars().all(is_plain)
    {
        return None;
    }
    let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
    let mut words = match extension {
        "py" => vec!["python3".to_owned(), file.to_owned()],
        "java" => vec!["java".to_owned(), file.to_owned()],
        "js" => vec!["node".to_owned(), file.to_owned()],
        _ => vec![format!("./{stem}")],
    };
    words.extend(case.arguments.iter().cloned());
    let words: Vec<String> = words.iter().map(|it| quoted(OsStr::new(it))).collect();
    let command = words.join(" ");
    if input.is_empty() {
        return Some(command);
    }
    let text = input.replace('\\', r"\\").replace('%', "%%");
    let text = text.replace('\n', r"\n").replace('\'', r"'\''");
    Some(format!("printf '{text}' | {command}"))
}

/// The assignment that the files belong to: the one named, else the first that knows a problem for them.
fn choose(
    args: &TestArgs,
    terminal: &Terminal,
) -> anyhow::Result<(Assignment, BTreeMap<ProblemId, Submission>)> {
    let mut places = match &args.assignment {
        Some(name) => vec![assignment::find(name)?],
        None => assignment::all_bundled(),
    };
    places.sort_by_key(|place| place.folder != assignment::USUAL);
    let mut assignments = Vec::new();
    for place in &places {
        assignments.push(place.load_whole(terminal)?);
    }
    let known = Known::of(&assignments);
    let problem = args.problem.as_ref().map(ProblemId::new);
    if let Some(problem) = &problem {
        assignments.retain(|assignment| problems(assignment).any(|id| id == problem.as_str()));
        if assignments.is_empty() {
            return Err(known.without(problem.as_str(), terminal).into());
        }
    }
    let mut first_error = None;
    let mut unfit = None;
    for assignment in assignments {
        match read_files(
            &args.files,
            &assignment,
            problem.as_ref(),
            &grader_language::recognise,
        ) {
            Ok(submissions) => return Ok((assignment, submissions)),
            Err(IntakeError::NoProblem { path, .. }) => unfit = Some(path),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(match (first_error, unfit) {
        (Some(error), _) => error.into(),
        (None, Some(path)) => known.without_fit(&path, terminal).into(),
        (None, None) => known.without("", terminal).into(),
    })
}

fn problems(assignment: &Assignment) -> impl Iterator<Item = &str> {
    let entries = assignment.problems.iter();
    entries.map(|entry| entry.problem.id.as_str())
}

/// The problems that there are, by the ids of their assignments.
struct Known(Vec<(String, Vec<String>)>);

impl Known {
    fn of(assignments: &[Assignment]) -> Self {
        let problems = assignments.iter().map(|assignment| {
            let ids = problems(assignment).map(str::to_owned).collect();
            (assignment.info().id.to_string(), ids)
        });
        Self(problems.collect())
    }

    /// There is no problem of this id.
    fn without(&self, id: &str, terminal: &Terminal) -> Mistake {
        let near = assignment::did_you_mean(id, self.ids());
        let id = grader_model::escaped(id.as_bytes());
        let list = self.listed(terminal.error_style().width);
        Mistake::new(
            format!(
                "there is no problem `{id}`{}\nknown problems:\n{list}",
                near.en
            ),
            format!("没有题目 `{id}`{}\n已有的题目：\n{list}", near.zh),
        )
    }

    /// There is no problem for a file of this path, which is escaped already.
    fn without_fit(&self, path: &str, terminal: &Terminal) -> Mistake {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let near = assignment::did_you_mean(stem, self.ids());
        let list = self.listed(terminal.error_style().width);
        Mistake::new(
            format!(
                "`{path}` fits no problem{}\nname the problem with `--problem`:\n{list}",
                near.en
            ),
            format!(
                "`{path}` 不属于任何题目{}\n请用 `--problem` 指定题目：\n{list}",
                near.zh
            ),
        )
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|(_, ids)| ids).map(String::as_str)
    }

    /// `  n-queens: count, board`, in lines of so many columns.
    fn listed(&self, columns: usize) -> String {
        let mut lines = Vec::new();
        for (assignment, ids) in &self.0 {
            let mut line = format!("  {assignment}:");
            for (index, id) in ids.iter().enumerate() {
                let comma = if index + 1 < ids.len() { "," } else { "" };
                if line.len() + 1 + id.len() + comma.len() > columns {
                    lines.push(std::mem::replace(&mut line, "   ".to_owned()));
                }
                line.push(' ');
                line.push_str(id);
                line.push_str(comma);
            }
            lines.push(line);
        }
        lines.join("\n")
    }
}

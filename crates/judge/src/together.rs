//! Several runs of a program in one sandbox, for searches: preparing a sandbox takes longer than the run of a small
//! program. A shell starts the program again and again.
//!
//! The sandbox isolates as strictly as that of a single run, and all runs share the time and memory of one. But a run sees the system
//! folders, may see the other inputs, may print anything in place of later runs, and may leave processes that end with the sandbox.
//! So only a right answer counts, and the sandbox contains none: the program must find it itself. Whatever else happens, the run is
//! repeated alone.
//!
//! Runs begin in a folder that is read-only, and what they write in another one cannot be read later, unless they change its mode.
//! So no program is right by accident because of what an earlier run left.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::sync::Arc;

use grader_model::{Bytes, CpuTime, Limits, WallTime, typed};
use grader_problem::Case;
use grader_sandbox::{Returns, SystemFolders};

use crate::Fault;
use crate::batch_size::BatchSize;
use crate::constants::{MAX_GENERATED_INPUT, MAX_TOGETHER, MAX_TOGETHER_INPUT_BYTES};
use crate::lab::Lab;
use crate::program::Program;
use crate::workspace::output_file;

/// What follows the output and the exit status of each run.
const END: &str = "\n#bitcraft 6c1e5d0b9a7f4e32 ends a run#\n";
/// The file with all outputs: a pipe would wake the launcher for each.
const OUTPUTS: &str = "outputs";
/// Greater exit statuses are a shell's own, or those of a program that was killed.
pub(crate) const MAX_EXIT_STATUS: i32 = 125;

/// What a run is given.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// Its arguments, after those of all runs.
    pub(crate) arguments: &'a [String],
    pub(crate) stdin: &'a [u8],
}

impl<'a> Asked<'a> {
    /// The input of a case.
    pub(crate) fn case(case: &'a Case) -> Self {
        Self {
            arguments: &case.arguments,
            stdin: &case.input,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ended {
    /// Its exit status.
    pub(crate) status: i32,
    /// What it printed.
    pub(crate) output: Arc<[u8]>,
}

impl Ended {
    /// What it printed, if it ended well and that is not more than this.
    pub(crate) fn answer(self, max: Bytes) -> Option<Arc<[u8]>> {
        let is_answer = self.status == 0 && self.output.len() as u64 <= max.0;
        is_answer.then_some(self.output)
    }
}

/// Runs a program within these limits once for each of these. `None` for a run that must be repeated alone: its input is for a run
/// of its own, or it did not end within the limits.
pub(crate) fn run_together(
    lab: Lab<'_>,
    program: &Program,
    limits: Limits,
    size: &BatchSize,
    asked: &[Asked<'_>],
) -> Result<Vec<Option<Ended>>, Fault> {
    let mut runs = Vec::with_capacity(asked.len());
    // A program with data files would find them in no other folder, and a single run is quicker alone.
    while program.data.is_empty() && runs.len() + 2 <= asked.len() {
        let some = &asked[runs.len()..];
        let some = &some[..some.len().min(size.get())];
        let ended = run_some(lab, program, limits, some)?;
        let count = ended.len();
        size.learn(some.len(), count);
        let ended = some.iter().zip(ended);
        runs.extend(ended.map(|(asked, run)| is_plain(asked.stdin).then_some(run)));
        if count < 2 {
            // The others take their chance alone.
            break;
        }
        if count < some.len() {
            runs.push(None);
        }
    }
    runs.resize(asked.len(), None);
    Ok(runs)
}

/// The runs that ended.
fn run_some(
    lab: Lab<'_>,
    program: &Program,
    limits: Limits,
    asked: &[Asked<'_>],
) -> Result<Vec<Ended>, Fault> {
    let folder = lab.judge.run_folder()?;
    let directory = folder.directory.clone();
    let mut request = program.clone().request(lab, &folder, directory, limits);
    let words = [request.program.as_os_str()].into_iter();
    let words = words.chain(request.arguments.iter().map(OsString::as_os_str));
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    request.stdin = Some(folder.stdin(script(&words, asked).as_bytes())?);
    request.program = "/bin/sh".into();
    request.arguments.clear();
    request.system = SystemFolders::Whole;
    request.returns = Returns::File(OUTPUTS.to_owned());
    request.limits.processes += 1;
    request.limits.cpu = request.limits.cpu.min(CpuTime(MAX_TOGETHER));
    request.limits.wall = request.limits.wall.min(WallTime(MAX_TOGETHER * 5));
    request.files = MAX_GENERATED_INPUT;
    // Otherwise a write that fails may cut an output.
    request.scratch.0 += 2 * MAX_GENERATED_INPUT.0;
    match lab.execute(&request, None) {
        Err(Fault::Stopped) => return Err(Fault::Stopped),
        Err(_) => return Ok(Vec::new()),
        // Those that ended before a limit was exceeded count.
        Ok(_) => {}
    }
    let path = folder.directory.host.join(OUTPUTS);
    let outputs = output_file(&path, MAX_GENERATED_INPUT.0)?;
    // If this fails, the folder is not used again.
    drop(fs::remove_file(&path));
    let mut runs = ended(&outputs.unwrap_or_default());
    runs.truncate(asked.len());
    Ok(runs)
}

fn script(program: &[impl AsRef<str>], asked: &[Asked<'_>]) -> String {
    let end = typed([END]);
    let run = |Asked { arguments, stdin }: &Asked<'_>| {
        let own = program.iter().map(AsRef::as_ref);
        let command = typed(own.chain(arguments.iter().map(String::as_str)));
        let run = match str::from_utf8(stdin) {
            Ok(text) if is_plain(stdin) => {
                format!("printf %s {} >$stdin\n{command} <$stdin", typed([text]))
            }
            _ => "false".to_owned(),
        };
        format!("{run}\nprintf '\\n%s%s' $? {end}\n")
    };
    let begin =
        format!("exec >{OUTPUTS} 2>/dev/null\nstdin=$PWD/stdin\n: >stdin\ncd /\numask 777\n");
    [begin].into_iter().chain(asked.iter().map(run)).collect()
}

/// Whether a shell passes an input on as it is.
fn is_plain(stdin: &[u8]) -> bool {
    let is_text = |it: &u8| matches!(it, b'\n' | b' '..=b'~');
    stdin.len() <= MAX_TOGETHER_INPUT_BYTES && stdin.iter().all(is_text)
}

/// The runs whose end is in the outputs.
fn ended(mut outputs: &[u8]) -> Vec<Ended> {
    let mut runs = Vec::new();
    while let Some(at) = outputs
        .windows(END.len())
        .position(|it| it == END.as_bytes())
    {
        let run = &outputs[..at];
        let line = run.iter().rposition(|it| *it == b'\n').unwrap_or(0);
        let (output, status) = run.split_at(line);
        let status = str::from_utf8(status.trim_ascii()).ok();
        let Some(status) = status.and_then(|it| it.parse().ok()) else {
            break;
        };
        runs.push(Ended {
            status,
            output: output.into(),
        });
        outputs = &outputs[at + END.len()..];
    }
    runs
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn each_run_has_its_own_arguments_input_and_output() {
        let program = [
            "sh",
            "-c",
            "test \"$1\" != fails && printf %s \"$1\" && cat",
            "x",
        ];
        let calls = [
            (vec!["a b", "$HOME"], "3\n1 2 3\n", 0, "a b3\n1 2 3\n"),
            (vec!["it's"], "%s\\n'\n\n", 0, "it's%s\\n'\n\n"),
            (vec!["fails"], "", 1, ""),
            (vec![""], "-1", 0, "-1"),
            (vec![""], "", 0, ""),
            // Not an input that a shell passes on.
            (vec!["é"], "1\0", 1, ""),
            (vec!["é"], "1", 0, "é1"),
        ];
        let words = calls
            .each_ref()
            .map(|(words, ..)| words.iter().map(ToString::to_string));
        let words = words.map(Vec::from_iter);
        let all = words.iter().zip(&calls);
        let all = all.map(|(words, (_, stdin, ..))| Asked {
            arguments: words,
            stdin: stdin.as_bytes(),
        });
        let script = script(&program, &all.collect::<Vec<_>>());
        let folder = tempfile::tempdir().unwrap();
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &script]).current_dir(folder.path());
        assert!(shell.status().unwrap().success());
        let outputs = fs::read(folder.path().join(OUTPUTS)).unwrap();
        let expected = calls.map(|(.., status, it)| Ended {
            status,
            output: it.as_bytes().into(),
        });
        assert_eq!(ended(&outputs), expected);
        // The last did not end.
        assert_eq!(ended(&outputs[..outputs.len() - 1]), expected[..6]);
    }
}

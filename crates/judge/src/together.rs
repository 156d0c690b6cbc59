//! Several runs of an author's program in one sandbox, for searches: preparing a sandbox takes longer than the run of
//! a small program. A shell starts the program again and again. Submissions never run like this.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grader_model::{CpuTime, WallTime, typed};
use grader_sandbox::{Request, SystemFolders};

use crate::Fault;
use crate::constants::{MAX_GENERATED_INPUT, MAX_TOGETHER, MAX_TOGETHER_INPUT_BYTES};
use crate::context::{CoreTurn, RunContext};
use crate::judge::Worker;
use crate::workspace::{RunFolder, read_start};

/// What follows the output and the exit status of each run.
const END: &str = "\n#bitcraft 6c1e5d0b9a7f4e32 ends a run#\n";

/// The arguments and the standard input of a run.
type Call<'a> = (&'a [String], &'a [u8]);

/// Runs a request's program once for each of these calls. Returns what each printed, or `None` if it failed or its input
/// is for a run of its own. If the program is too slow for this, or anything else goes wrong, returns nothing and sets
/// `are_alone`, which keeps it from being tried again.
pub(crate) fn run_together<'a>(
    worker: Worker<'_>,
    are_alone: &AtomicBool,
    request: impl FnOnce(&RunFolder<'_>) -> Request,
    calls: impl Iterator<Item = Call<'a>>,
) -> Result<Vec<Option<Arc<[u8]>>>, Fault> {
    let calls: Vec<_> = calls.collect();
    if calls.is_empty() || are_alone.load(Ordering::Relaxed) {
        return Ok(Vec::new());
    }
    let folder = worker.judge.run_folder()?;
    let mut request = request(&folder);
    let words = [request.program.as_os_str()].into_iter();
    let words = words.chain(request.arguments.iter().map(OsString::as_os_str));
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    request.stdin = Some(folder.stdin(script(&words, &calls).as_bytes())?);
    request.program = "/bin/sh".into();
    request.arguments.clear();
    request.system = SystemFolders::Whole;
    request.limits.processes += 1;
    request.limits.cpu = CpuTime(MAX_TOGETHER);
    request.limits.wall = WallTime(MAX_TOGETHER * 5);
    (request.files, request.limits.output) = (MAX_GENERATED_INPUT, MAX_GENERATED_INPUT);
    let turn = CoreTurn::new(RunContext::beside(worker), None);
    let output = match turn.execute(&request) {
        Err(Fault::Stopped) => return Err(Fault::Stopped),
        Ok(it) if it.breach.is_none() && it.end.is_success() => {
            String::from_utf8(read_start(&request.stdout, MAX_GENERATED_INPUT.0)?).ok()
        }
        Ok(_) | Err(_) => None,
    };
    let outputs = output.and_then(|it| outputs(&it, calls.len()));
    are_alone.fetch_or(outputs.is_none(), Ordering::Relaxed);
    Ok(outputs.unwrap_or_default())
}

fn script(program: &[impl AsRef<str>], calls: &[Call<'_>]) -> String {
    let end = typed([END]);
    let run = |(arguments, stdin): &Call<'_>| {
        let own = program.iter().map(AsRef::as_ref);
        let command = typed(own.chain(arguments.iter().map(String::as_str)));
        // A shell does not pass every byte on.
        let is_text = |it: &u8| matches!(it, b'\n' | b' '..=b'~');
        let is_plain = stdin.len() <= MAX_TOGETHER_INPUT_BYTES && stdin.iter().all(is_text);
        let run = match str::from_utf8(stdin) {
            Ok(stdin) if is_plain => {
                format!("printf %s {} >stdin\n{command} <stdin", typed([stdin]))
            }
            _ => "false".to_owned(),
        };
        format!("{run}\nprintf '\\n%s%s' $? {end}\n")
    };
    calls.iter().map(run).collect()
}

/// The outputs of the runs that ended with exit status 0.
fn outputs(all: &str, count: usize) -> Option<Vec<Option<Arc<[u8]>>>> {
    let runs = all.split_terminator(END).map(|run| {
        let (output, status) = run.rsplit_once('\n')?;
        (status == "0").then(|| output.as_bytes().into())
    });
    let runs: Vec<_> = runs.collect();
    (runs.len() == count).then_some(runs)
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
            (vec!["a b", "$HOME"], "3\n1 2 3\n", Some("a b3\n1 2 3\n")),
            (vec!["it's"], "%s\\n'\n\n", Some("it's%s\\n'\n\n")),
            (vec!["fails"], "", None),
            (vec![""], "-1", Some("-1")),
            (vec![""], "", Some("")),
            (vec!["é"], "1\0", None),
            (vec!["é"], "1", Some("é1")),
        ];
        let words = calls
            .each_ref()
            .map(|(words, ..)| words.iter().map(ToString::to_string));
        let words = words.map(Vec::from_iter);
        let all = words.iter().zip(&calls);
        let all = all.map(|(words, (_, stdin, _))| (&words[..], stdin.as_bytes()));
        let script = script(&program, &all.collect::<Vec<_>>());
        let folder = tempfile::tempdir().unwrap();
        let ran = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.path())
            .output();
        let output = String::from_utf8(ran.unwrap().stdout).unwrap();
        let expected = calls
            .each_ref()
            .map(|(.., it)| it.map(|it| it.as_bytes().into()));
        assert_eq!(outputs(&output, calls.len()), Some(expected.to_vec()));
        assert_eq!(outputs(&output, calls.len() + 1), None);
    }
}

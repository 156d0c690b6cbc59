//! Cost of a run in the sandbox, compared with a plain fork, exec and wait of the same program.
//!
//! So do `bwrap`, `nsjail`, `firejail`, `runc` and `crun`, where they are installed and work. Everything is timed in one
//! interleaved loop, so that other load affects all alike. As root, the loop runs again as an ordinary user.
//!
//! ```text
//! cargo run --release -p grader-sandbox --example launch-cost
//! ```

#![expect(clippy::print_stdout, reason = "prints its figures")]
#![expect(unsafe_code, reason = "a plain fork to compare with")]

use std::error::Error;
use std::ffi::CString;
use std::fs::Permissions;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use grader_model::{Bytes, CpuTime, Limits, WallTime};
use grader_sandbox::{
    LauncherCommand, Layer, LimitsOnlyRunner, MountPoint, Request, Returns, Runner, StrictRunner,
    SystemFolders, launcher_main,
};

/// Number of rounds, and of runs per way and round: one at a time, in series that are long compared with what a slow way
/// leaves in the caches; two at a time, in series that are long compared with the cost of starting threads.
const ONE_AT_A_TIME: (usize, usize) = (30, 10);
const TWO_AT_A_TIME: (usize, usize) = (9, 60);
const LAUNCH: &str = "launch";
/// Environment variable that marks the ordinary user's part.
const AGAIN: &str = "again";
/// The ordinary user.
const USER: u32 = 1000;

type Way<'a> = (
    &'static str,
    Box<dyn Fn(usize) -> Result<(), Box<dyn Error>> + Sync + 'a>,
);

fn main() -> Result<ExitCode, Box<dyn Error>> {
    match env::args().nth(1).as_deref() {
        Some(LAUNCH) => return Ok(launcher_main()),
        Some(AGAIN) => {
            measure()?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => measure()?,
    }
    // SAFETY: no arguments, cannot fail.
    if unsafe { libc::geteuid() } == 0 {
        as_user()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures again as an ordinary user, with a copy of this program where that user can read it.
fn as_user() -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("launch-cost-{}", std::process::id()));
    fs::create_dir(&folder)?;
    fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
    let copy = folder.join("launch-cost");
    fs::copy(env::current_exe()?, &copy)?;
    let user = USER.to_string();
    let status = Command::new("setpriv")
        .args(["--reuid", &user, "--regid", &user, "--clear-groups"])
        .arg(&copy)
        .arg(AGAIN)
        .current_dir("/")
        .status();
    fs::remove_dir_all(&folder)?;
    match status {
        Ok(_) => {}
        Err(error) => println!("\nnot measured as an ordinary user: setpriv: {error}"),
    }
    Ok(())
}

fn measure() -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("launch-cost-run-{}", std::process::id()));
    fs::create_dir(&folder)?;
    fs::set_permissions(&folder, Permissions::from_mode(0o755))?;
    let measured = measure_in(&folder);
    fs::remove_dir_all(&folder)?;
    measured
}

fn measure_in(folder: &Path) -> Result<(), Box<dyn Error>> {
    let program = program(folder)?;
    // SAFETY: no arguments, cannot fail.
    let user = unsafe { libc::geteuid() };
    println!("user {user}, program `{}`", program.display());
    let launcher = LauncherCommand {
        program: env::current_exe()?,
        arguments: vec![LAUNCH.into()],
    };
    let strict = StrictRunner::start(&launcher, Layer::ALL)?;
    let isolation = strict.isolation();
    println!("layers of strict: {}", isolation.layers.join(", "));
    if !isolation.missing.is_empty() {
        println!("missing: {}", isolation.missing.join(", "));
    }
    let basic = LimitsOnlyRunner::start(&launcher)?;
    for thread in 0..2 {
        fs::create_dir_all(folder.join(thread.to_string()).join("box"))?;
    }
    let run = |runner: &dyn Runner, thread: usize| -> Result<(), Box<dyn Error>> {
        let outcome = runner.run(
            &(),
            &request(runner, &program, &folder.join(thread.to_string())),
        )?;
        if !outcome.end.is_success() || outcome.breach.is_some() {
            return Err(format!("the program did not do nothing: {outcome:?}").into());
        }
        Ok(())
    };
    let c_program = CString::new(program.as_os_str().as_bytes())?;
    let mut ways: Vec<Way<'_>> = vec![
        ("plain fork, exec, wait", Box::new(|_| fork(&c_program))),
        ("basic", Box::new(|thread| run(&basic, thread))),
        ("strict", Box::new(|thread| run(&strict, thread))),
    ];
    for (name, arguments) in peers(&program, folder)? {
        let way = move |thread: usize| {
            let mut command = Command::new(name);
            command.args(&arguments);
            // A container has a name.
            if arguments[0] == "run" {
                command.arg(format!("launch-cost-{thread}"));
            }
            let output = command.output()?;
            if output.status.success() {
                Ok(())
            } else {
                let message = String::from_utf8_lossy(&output.stderr).into_owned();
                Err(format!("{}: {}", output.status, message.trim()).into())
            }
        };
        ways.push((name, Box::new(way)));
    }
    // Sandboxes that are missing or fail for this user have no figures.
    ways.retain(|(name, way)| match way(0) {
        Ok(()) => true,
        Err(error) => {
            println!("not measured: {name}: {error}");
            false
        }
    });
    println!("{:<24}{:>22}{:>22}", "", "one at a time", "two at a time");
    let one = rounds(&ways, 1, ONE_AT_A_TIME)?;
    let two = rounds(&ways, 2, TWO_AT_A_TIME)?;
    for (index, (name, _)) in ways.iter().enumerate() {
        let cell = |times: &[Duration]| {
            let ratio = times[index].as_secs_f64() / times[0].as_secs_f64();
            format!("{:.0} us {ratio:>6.2} x", times[index].as_secs_f64() * 1e6)
        };
        println!("{name:<24}{:>22}{:>22}", cell(&one), cell(&two));
    }
    Ok(())
}

/// Median wall time per run of each way, with this many threads.
fn rounds(
    ways: &[Way<'_>],
    threads: usize,
    (rounds, turn): (usize, usize),
) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for ((_, way), times) in ways.iter().zip(&mut times) {
            let begun = Instant::now();
            if threads == 1 {
                (0..turn).try_for_each(|_| way(0))?;
                times.push(begun.elapsed() / u32::try_from(turn)?);
                continue;
            }
            thread::scope(|scope| {
                let turns: Vec<_> = (0..threads)
                    .map(|thread| {
                        scope.spawn(move || {
                            (0..turn)
                                .try_for_each(|_| way(thread).map_err(|error| error.to_string()))
                        })
                    })
                    .collect();
                turns
                    .into_iter()
                    .try_for_each(|turn| turn.join().map_err(|_| "a thread panicked".to_owned())?)
            })?;
            times.push(begun.elapsed() / u32::try_from(turn * threads)?);
        }
    }
    Ok(times
        .into_iter()
        .map(|mut times| {
            times.sort();
            times[times.len() / 2]
        })
        .collect())
}

/// The names and arguments of other sandboxes: new namespaces of all kinds, a file system with the program and little
/// else, no network.
fn peers(program: &Path, folder: &Path) -> io::Result<Vec<(&'static str, Vec<String>)>> {
    let bundle = folder.join("bundle");
    fs::create_dir_all(bundle.join("root"))?;
    fs::copy(program, bundle.join("root/program"))?;
    fs::write(bundle.join("config.json"), CONTAINER)?;
    let (program, bundle) = (program.display(), bundle.display());
    let commands = [
        (
            "bwrap",
            format!(
                "--unshare-all --ro-bind {program} /program --ro-bind /usr /usr --proc /proc --tmpfs /tmp /program"
            ),
        ),
        (
            "nsjail",
            format!("-Mo --really_quiet -R {program}:/program -R /usr -T /tmp -- /program"),
        ),
        (
            "firejail",
            format!("--quiet --noprofile --net=none --private {program}"),
        ),
        ("runc", format!("run --bundle {bundle}")),
        ("crun", format!("run --bundle {bundle}")),
    ];
    Ok(commands
        .map(|(name, line)| (name, line.split(' ').map(str::to_owned).collect()))
        .into())
}

/// What `runc` and `crun` run: see <https://github.com/opencontainers/runtime-spec/blob/main/config.md>.
const CONTAINER: &str = r#"{
  "ociVersion": "1.0.0",
  "process": { "args": ["/program"], "cwd": "/", "user": { "uid": 0, "gid": 0 }, "noNewPrivileges": true },
  "root": { "path": "root", "readonly": true },
  "mounts": [
    { "destination": "/proc", "type": "proc", "source": "proc" },
    { "destination": "/dev", "type": "tmpfs", "source": "tmpfs" }
  ],
  "linux": {
    "namespaces": [{ "type": "pid" }, { "type": "network" }, { "type": "ipc" }, { "type": "uts" }, { "type": "mount" }]
  }
}"#;

/// A program that does nothing, as small as possible.
fn program(folder: &Path) -> io::Result<PathBuf> {
    let (source, program) = (folder.join("nothing.c"), folder.join("nothing"));
    fs::write(&source, "int main(void) { return 0; }\n")?;
    let compiled = Command::new("cc")
        .args(["-O1", "-static", "-o"])
        .args([&program, &source])
        .status();
    if compiled.is_ok_and(|status| status.success()) {
        fs::set_permissions(&program, Permissions::from_mode(0o755))?;
        Ok(program)
    } else {
        Ok("/bin/true".into())
    }
}

fn request(runner: &dyn Runner, program: &Path, folder: &Path) -> Request {
    let program = runner.mount(MountPoint::Program, program);
    Request {
        program: program.inside.clone(),
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: runner.mount(MountPoint::Work, &folder.join("box")),
        returns: Returns::Nothing,
        readable: vec![program],
        system: SystemFolders::Runtime,
        scratch: Bytes(16 << 20),
        reserves_memory: false,
        stdin: None,
        stdout: folder.join("stdout"),
        stderr: folder.join("stderr"),
        files: Bytes(1 << 16),
        limits: Limits {
            cpu: CpuTime::from_millis(1000),
            wall: WallTime::from_millis(10_000),
            memory: Bytes(64 << 20),
            output: Bytes(1 << 16),
            processes: 1,
        },
        core: None,
    }
}

/// Fork, exec and wait.
fn fork(program: &CString) -> Result<(), Box<dyn Error>> {
    let arguments = [program.as_ptr(), std::ptr::null()];
    let environment = [std::ptr::null()];
    let mut status = 0;
    // SAFETY: the child makes one system call on data prepared before, and ends.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
            libc::_exit(127);
        }
        if child == -1 || libc::waitpid(child, &raw mut status, 0) == -1 {
            return Err(io::Error::last_os_error().into());
        }
    }
    if status == 0 {
        Ok(())
    } else {
        Err(format!("the program ended with {status}").into())
    }
}

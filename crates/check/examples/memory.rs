//! The peak memory of each checker on outputs that are meant to need much, as a table in MiB beside the output
//! and the answer. Fails when a number is above the bar.
//!
//! ```text
//! cargo run --release -p grader-check --example memory [-- <MiB of output>]
//! ```
//!
//! Each measurement is a process of its own: the peak of a process never falls. Linux only (`VmHWM`).

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use std::error::Error;
use std::fmt::Write as _;
use std::process::{Command, ExitCode};

use grader_model::Mark;
use grader_problem::{Checker, GrayOrder};

type Failure = Box<dyn Error>;

const MIB: usize = 1024 * 1024;
/// What a checker may take beside the output, in MiB.
const BAR: f64 = 64.0;
/// What comparing may take beside the output, in sizes of the answer, on top of that.
const TIMES: f64 = 8.0;
/// Size of the large answers, in bytes.
const LARGE: usize = 9_000_000;

/// What the outputs repeat, and what the table calls them.
const OUTPUTS: [(&str, &[u8]); 14] = [
    ("1\\n", b"1\n"),
    ("Q#######\\n", b"Q#######\n"),
    ("Q", b"Q"),
    ("blanks, then x", b" "),
    ("line feeds, then x", b"\n"),
    ("1 ", b"1 "),
    ("a\\n", b"a\n"),
    ("000\\n", b"000\n"),
    ("0 ", b"0 "),
    ("[1,", b"[1,"),
    (". Q . . . . . .\\n", b". Q . . . . . .\n"),
    ("1\\n\\0", b"1\n\0"),
    ("ESC[m Q", b"\x1b[mQ"),
    ("0xff", b"\xff"),
];

/// The answers of the comparing checkers: a few tokens, and large ones of one byte and of many words.
const ANSWERS: [&str; 3] = ["short", "large, alike", "large, all different"];

fn output(index: usize, size: usize) -> Vec<u8> {
    let piece = OUTPUTS[index].1;
    let mut bytes = Vec::with_capacity(size + 2);
    bytes.extend(piece.iter().cycle().take(size / piece.len() * piece.len()));
    if piece[0].is_ascii_whitespace() {
        bytes.extend(b"x\n");
    }
    bytes
}

fn answer(index: usize) -> Vec<u8> {
    let mut bytes = match index {
        0 => return b"1 0 0 2 10 4 40 92\n".to_vec(),
        1 => b"1\n".repeat(LARGE / 2),
        _ => {
            let mut bytes = Vec::with_capacity(LARGE + 16);
            for number in 0.. {
                if bytes.len() >= LARGE {
                    break;
                }
                bytes.extend(format!("{number}\n").bytes());
            }
            bytes
        }
    };
    bytes.extend(b"9\n");
    bytes
}

fn checkers() -> Vec<Checker> {
    vec![
        Checker::Exact,
        Checker::Lines,
        Checker::Tokens {
            case_sensitive: true,
        },
        Checker::Numbers {
            absolute: 1e-6,
            relative: 0.0,
            case_sensitive: true,
        },
        Checker::QueensBoard {
            size: 8,
            queen: "Q".to_owned(),
            blank: "#".to_owned(),
            separator: String::new(),
        },
        Checker::QueensColumns { size: 8, base: 1 },
        Checker::GrayCode {
            bits: 3,
            order: GrayOrder::Any,
        },
        Checker::GrayGrid {
            rows: 1,
            columns: 2,
        },
    ]
}

/// The peak of this process, in bytes.
fn peak() -> Result<usize, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kib: Option<usize> = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    Ok(kib.ok_or("expected `VmHWM` in /proc/self/status, found none")? * 1024)
}

/// Judges once, and prints what it took beside the output and the answer, in bytes.
fn measure(size: usize, shape: usize, checker: usize, answer_index: usize) -> Result<(), Failure> {
    let checker = &checkers()[checker];
    let (output, answer) = (output(shape, size), answer(answer_index));
    let judgement = grader_check::judge(checker, &output, Some(&answer))?;
    if judgement.mark == Mark::Right {
        return Err("a hostile output was judged right".into());
    }
    let held = output.len()
        + if checker.needs_answer() {
            answer.len()
        } else {
            0
        };
    println!("{}", peak()?.saturating_sub(held));
    Ok(())
}

fn measured(size: usize, place: [usize; 3]) -> Result<f64, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg(size.to_string())
        .args(place.map(|it| it.to_string()));
    let done = command.output()?;
    let text = String::from_utf8_lossy(&done.stdout);
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into());
    }
    Ok(text.trim().parse::<usize>()? as f64 / MIB as f64)
}

/// Prints the table. Whether all numbers are below the bar.
fn table(size: usize) -> Result<bool, Failure> {
    let checkers = checkers();
    println!(
        "peak beside {} MiB of output and the answer, in MiB",
        size / MIB
    );
    let mut good = true;
    for (answer_index, name) in ANSWERS.iter().enumerate() {
        let shown: Vec<usize> = (0..checkers.len())
            .filter(|index| answer_index == 0 || checkers[*index].needs_answer())
            .collect();
        let large = if answer_index > 0 { LARGE } else { 0 };
        let bar = BAR + TIMES * large as f64 / MIB as f64;
        let heads = shown
            .iter()
            .map(|index| format!("{:>15}", checkers[*index].name()));
        println!("\n{name:<20}{}", heads.collect::<String>());
        for (shape, (label, _)) in OUTPUTS.iter().enumerate() {
            let mut line = format!("{label:<20}");
            for checker in &shown {
                let mib = measured(size, [shape, *checker, answer_index])?;
                good &= mib <= bar;
                write!(line, "{mib:>15.1}")?;
            }
            println!("{line}");
        }
    }
    Ok(good)
}

fn main() -> Result<ExitCode, Failure> {
    let numbers: Vec<usize> = std::env::args()
        .skip(1)
        .map(|argument| argument.parse())
        .collect::<Result<_, _>>()?;
    let good = match numbers[..] {
        [] => table(128 * MIB)?,
        [mib] => table(mib * MIB)?,
        [size, shape, checker, answer] => {
            measure(size, shape, checker, answer)?;
            true
        }
        _ => return Err("expected at most one argument: the size of the output in MiB".into()),
    };
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        println!("\nsome are above the bar");
        ExitCode::FAILURE
    })
}

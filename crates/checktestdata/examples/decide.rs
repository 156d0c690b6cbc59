//! Decides on inputs: reads lines of a program's path, a tab and an input's path, and prints `accepts`, `rejects` or
//! `wrong` with the reason. For `grader/examples/same-decisions.py`.

use std::io::BufRead;

use grader_checktestdata::Program;

#[expect(clippy::print_stdout, reason = "this is what it is for")]
fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (program, input) = line.split_once('\t').unwrap_or((&line, "/dev/null"));
        let program = Program::parse(&std::fs::read(program)?);
        let input = std::fs::read(input)?;
        match program.and_then(|program| program.check(&input)) {
            Ok(Ok(())) => println!("accepts"),
            Ok(Err(rejection)) => println!("rejects {rejection}"),
            Err(mistake) => println!("wrong {mistake}"),
        }
    }
    Ok(())
}

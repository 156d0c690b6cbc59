//! Writes the pages of a large class that is made of a small one, and prints how long that takes and how large they are.
//!
//! ```console
//! $ cargo run --release -p grader-report --example pages -- RESULTS.json 500 FOLDER
//! ```
//!
//! `RESULTS.json` is what `grader report --format json` writes.

#![expect(clippy::print_stdout, reason = "prints its figures")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use grader_model::{Lang, ProblemId, Results, StudentId};
use grader_report::{PageInput, write_pages};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let mut word = || {
        words
            .next()
            .ok_or("usage: pages RESULTS.json STUDENTS FOLDER")
    };
    let mut results: Results = serde_json::from_str(&fs::read_to_string(word()?)?)?;
    let (count, folder): (usize, PathBuf) = (word()?.parse()?, word()?.into());
    // Those with the most to show first.
    results.students.sort_by_key(|student| {
        std::cmp::Reverse(
            student
                .problems
                .iter()
                .map(|it| it.subtasks.len())
                .sum::<usize>(),
        )
    });
    results
        .students
        .truncate((results.students.len() / 2).max(1));
    let few = results.students;
    let many = few.iter().cycle().take(count).enumerate();
    let many = many.map(|(index, student)| {
        let mut student = student.clone();
        student.id = StudentId::new(format!("s{index:04}-{}", student.id));
        student
    });
    results.students = many.collect();
    let sources = |_: &StudentId, _: &ProblemId| Ok(Vec::new());
    let input = PageInput {
        results: &results,
        against: None,
        sources: &sources,
        explorer: None,
        lang: Lang::En,
    };
    let began = Instant::now();
    write_pages(&folder, &input)?;
    println!(
        "{count} students written in {:.2} s",
        began.elapsed().as_secs_f64()
    );
    let began = Instant::now();
    write_pages(&folder, &input)?;
    println!(
        "again, unchanged, in {:.2} s",
        began.elapsed().as_secs_f64()
    );
    println!("index.html {} KB", size(&folder.join("index.html"))? / 1000);
    for inner in ["staff", "students"] {
        let mut sizes = Vec::new();
        for entry in fs::read_dir(folder.join(inner))? {
            sizes.push(size(&entry?.path())?);
        }
        sizes.sort_unstable();
        let (median, most) = (sizes[sizes.len() / 2] / 1000, sizes[sizes.len() - 1] / 1000);
        println!(
            "{inner}: median {median} KB, largest {most} KB, all {} MB",
            sizes.iter().sum::<u64>() / 1_000_000
        );
    }
    Ok(())
}

fn size(path: &Path) -> Result<u64, Box<dyn Error>> {
    Ok(fs::metadata(path)?.len())
}

//! Writes the pages of a large class that is made of a small one, and prints how long that takes.
//!
//! ```console
//! $ cargo run --release -p grader-publish --example pages -- RESULTS.json 500 FOLDER
//! ```
//!
//! `RESULTS.json` is what `grader report --json FILE` writes. The single file is written beside the folder, with
//! `.html` at its end. `.ci/browser/report.mjs` holds both to their budgets (A20).

#![expect(clippy::print_stdout, reason = "prints its figures")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use grader_model::{Lang, ProblemId, Results, SourceFile, StudentId};
use grader_publish::{PageInput, PageScope, write_page, write_pages};
use grader_view::Visible;

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
    // About as long as what students submit.
    let program = SourceFile::new("program.rs", include_bytes!("pages.rs").to_vec());
    let sources = |_: &StudentId, _: &ProblemId| Ok(vec![program.clone()]);
    let visible = Visible::Staff(&results);
    let class = visible.view();
    let input = PageInput {
        results: &results,
        against: None,
        sources: &sources,
        statements: &BTreeMap::new(),
        explorer: None,
        scope: PageScope::Class,
        lang: Lang::En,
    };
    let began = Instant::now();
    write_pages(&folder, &class, &input)?;
    println!(
        "{count} students written in {:.2} s",
        began.elapsed().as_secs_f64()
    );
    let began = Instant::now();
    write_pages(&folder, &class, &input)?;
    println!(
        "again, unchanged, in {:.2} s",
        began.elapsed().as_secs_f64()
    );
    let began = Instant::now();
    write_page(&folder.with_extension("html"), &class, &input)?;
    println!("as one file in {:.2} s", began.elapsed().as_secs_f64());
    Ok(())
}

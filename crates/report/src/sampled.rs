//! Samples as findings: where each fails and why, as for a student's work.

use grader_model::{Lang, Mismatch, SampleOutcome, Verification};
use grader_view::{SampleView, SampledProblem, SamplesView};

use crate::findings::{Finding, FindingState};
use crate::github::{Spot, reproduction_of};
use crate::junit;
use crate::verification::sample_details;
use crate::words::Words;

/// The samples of an assignment, and what is wrong with its problems.
pub fn findings(verification: &Verification) -> Vec<Finding> {
    let view = SamplesView::of(verification);
    let problems = view.problems.iter().flat_map(|problem| {
        let group = format!("{}.{}", view.assignment, problem.id);
        let file = |name: &str| problem.folder.map(|folder| format!("{folder}/{name}"));
        let own = Finding {
            name: "problem".to_owned(),
            file: file("problem.toml"),
            state: state_of(problem.mismatches),
            messages: sentences(problem.mismatches),
            ..Finding::default()
        };
        let samples = problem.samples.iter().map(|it| of_sample(problem, it));
        let all: Vec<Finding> = [own].into_iter().chain(samples).collect();
        all.into_iter().map(move |it| Finding {
            group: group.clone(),
            ..it
        })
    });
    problems.collect()
}

fn state_of(mismatches: &[Mismatch]) -> FindingState {
    match mismatches {
        [] => FindingState::Right,
        all if all.iter().any(|it| it.fault) => FindingState::Fault,
        _ => FindingState::Wrong,
    }
}

fn sentences(mismatches: &[Mismatch]) -> Vec<String> {
    let lines = mismatches.iter();
    lines
        .map(|it| format!("{}: {}", it.place, it.message))
        .collect()
}

/// A sample: where it fails and why, as of a student's work.
fn of_sample(problem: &SampledProblem<'_>, sample: &SampleView<'_>) -> Finding {
    let (found, path) = (&sample.found, sample.path);
    let mut messages = sentences(sample.mismatches);
    let state = match sample.outcome {
        SampleOutcome::AsExpected if sample.warning.is_some() => FindingState::Doubtful,
        SampleOutcome::AsExpected => FindingState::Right,
        SampleOutcome::Unexpected => FindingState::Wrong,
        SampleOutcome::Fault => FindingState::Fault,
        SampleOutcome::NotRun => {
            let why = found.message.map(|it| it.get(Lang::En).to_owned());
            messages.extend(why);
            FindingState::NotTried
        }
    };
    messages.extend(sample.warning.map(str::to_owned));
    let is_wrong = matches!(state, FindingState::Wrong | FindingState::Fault);
    let (mut spot, mut reproduction, mut details) = (Spot::default(), None, String::new());
    if is_wrong {
        let (place, compiler) = Spot::of(found);
        spot = place;
        messages.extend(compiler);
        let case = sample.explaining_case();
        reproduction = case.and_then(|it| reproduction_of(it, Words::of(Lang::En)));
        details = sample_details(sample).text(&junit::STYLE);
    }
    // A sample is a file, or a folder of them.
    let is_file = found.files == [path.rsplit('/').next().unwrap_or(path)];
    let inner = spot.file.filter(|_| !is_file);
    let inner = inner.map_or_else(String::new, |it| format!("/{it}"));
    let outcomes = found.cases().filter_map(|(_, case)| case.outcome());
    let points = found.standing.points().map(|it| ("points", it.to_string()));
    Finding {
        name: path.to_owned(),
        file: problem
            .folder
            .map(|folder| format!("{folder}/submissions/{path}{inner}")),
        line: spot.line,
        column: spot.column,
        state,
        messages,
        details,
        reproduction,
        properties: [
            ("expected", sample.expected.code().to_owned()),
            ("verdict", found.verdict.code().to_owned()),
        ]
        .into_iter()
        .chain(points)
        .collect(),
        time: outcomes.map(|it| it.wall.0).reduce(|a, b| a + b),
        ..Finding::default()
    }
}

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
    let mut findings = Vec::new();
    for SampledProblem {
        problem, samples, ..
    } in &view.problems
    {
        let group = format!("{}.{}", view.assignment, problem.id);
        let folder = problem.folder.as_ref();
        findings.push(Finding {
            file: folder.map(|folder| format!("{folder}/problem.toml")),
            state: state_of(&problem.mismatches),
            messages: sentences(&problem.mismatches),
            ..Finding::right(&group, "problem")
        });
        findings.extend(samples.iter().map(|sample| {
            let found = of_sample(&group, sample);
            Finding {
                file: folder
                    .zip(found.file)
                    .map(|(folder, file)| format!("{folder}/submissions/{file}")),
                ..found
            }
        }));
    }
    findings
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

/// A sample: where it fails and why, as of a student's work. Its file is below `submissions/`.
fn of_sample(group: &str, view: &SampleView<'_>) -> Finding {
    let (sample, found) = (view.sample, &view.found);
    let mut finding = Finding {
        state: match view.outcome {
            SampleOutcome::AsExpected if sample.warning.is_some() => FindingState::Doubtful,
            SampleOutcome::AsExpected => FindingState::Right,
            SampleOutcome::Unexpected => FindingState::Wrong,
            SampleOutcome::Fault => FindingState::Fault,
            SampleOutcome::NotRun => FindingState::NotTried,
        },
        messages: sentences(&sample.mismatches),
        ..Finding::right(group, &sample.path)
    };
    finding.messages.extend(sample.warning.clone());
    let mut file = sample.path.clone();
    match finding.state {
        FindingState::Right | FindingState::Doubtful => {}
        FindingState::NotTried => {
            let why = found.message.map(|it| it.get(Lang::En).to_owned());
            finding.messages.extend(why);
        }
        FindingState::Wrong | FindingState::Fault => {
            let (spot, compiler) = Spot::of(found);
            finding.messages.extend(compiler);
            (finding.line, finding.column) = (spot.line, spot.column);
            // A sample is a file, or a folder of them.
            let inner = spot.file.filter(|it| !file.ends_with(&format!("/{it}")));
            file.extend(inner.map(|it| format!("/{it}")));
            let case = view.explaining_case();
            finding.reproduction = case.and_then(|it| reproduction_of(it, Words::of(Lang::En)));
            finding.details = sample_details(view).text(&junit::STYLE);
        }
    }
    finding.file = Some(file);
    let points = found.standing.points().map(|it| ("points", it.to_string()));
    let verdicts = [("expected", sample.expected), ("verdict", found.verdict)];
    let verdicts = verdicts.map(|(key, it)| (key, it.code().to_owned()));
    finding.properties = verdicts.into_iter().chain(points).collect();
    let outcomes = found.cases().filter_map(|(_, case)| case.outcome());
    finding.time = outcomes.map(|it| it.wall.0).reduce(|a, b| a + b);
    finding
}

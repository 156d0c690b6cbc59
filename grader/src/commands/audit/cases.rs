//! Which cases of a class tell programs apart.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{ProblemId, Results, counted, escaped};
use grader_report::AlikeCases;
use grader_view::is_failing;

use crate::terminal::Terminal;

/// Cases that are named in a line; the others are counted.
const MAX_NAMED: usize = 8;

/// The cases of a problem that no program of the class failed, and those that always failed together.
pub(super) fn alike(results: &Results, problem: &ProblemId) -> Vec<AlikeCases> {
    // The programs that failed each case that ran, in the order of the cases.
    let mut cases: Vec<(String, BTreeSet<&str>)> = Vec::new();
    let mut places = BTreeMap::new();
    let own = results.students.iter().filter_map(|it| it.problem(problem));
    for result in own {
        let Some(name) = result.submission.as_deref() else {
            continue;
        };
        for subtask in &result.subtasks {
            for case in subtask.cases.iter().filter(|it| it.outcome.is_some()) {
                let key = format!("{}/{}", subtask.name, case.name);
                let place = *places.entry(key.clone()).or_insert_with(|| {
                    cases.push((escaped(key.as_bytes()), BTreeSet::new()));
                    cases.len() - 1
                });
                if is_failing(case.verdict) {
                    cases[place].1.insert(name);
                }
            }
        }
    }
    let mut alike: BTreeMap<BTreeSet<&str>, Vec<String>> = BTreeMap::new();
    for (name, failed) in cases {
        alike.entry(failed).or_default().push(name);
    }
    let alike = alike.into_iter();
    let alike = alike.filter(|(failed, names)| failed.is_empty() || names.len() > 1);
    let alike = alike.map(|(failed, cases)| AlikeCases {
        problem: problem.clone(),
        cases,
        failed_by: failed.len(),
    });
    alike.collect()
}

/// The same as people read it.
pub(super) fn line(alike: &AlikeCases, terminal: &Terminal) -> String {
    let AlikeCases { problem, .. } = alike;
    let named = named(&alike.cases, terminal);
    let programs = match alike.failed_by {
        0 => {
            return terminal.lang.pick(
                format!("{problem}: no program fails {named}"),
                format!("{problem}：没有程序在以下测试点出错：{named}"),
            );
        }
        1 => "the same program fails".to_owned(),
        count => format!("the same {count} programs fail"),
    };
    let count = alike.failed_by;
    terminal.lang.pick(
        format!("{problem}: {programs} {named}"),
        format!("{problem}：同样的 {count} 个程序在以下测试点出错：{named}"),
    )
}

fn named(names: &[String], terminal: &Terminal) -> String {
    let shown = names[..names.len().min(MAX_NAMED)].join(terminal.lang.pick(", ", "、"));
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown,
        more => terminal.lang.pick(
            format!("{shown} and {}", counted(more, "more case", "more cases")),
            format!("{shown} 等 {} 个", names.len()),
        ),
    }
}

//! The table of the tests: wrong programs by cases, and what can be read off it.

use grader_model::{ProblemVerification, Verdict};

/// Which wrong program fails which case of a problem.
pub(super) struct Table {
    /// The cases, as `subtask/case`, in order.
    pub(super) cases: Vec<String>,
    /// The wrong samples, then the mutants.
    pub(super) programs: Vec<Program>,
}

/// A wrong program: one row.
pub(super) struct Program {
    /// `wrong-answer/off-by-one.c`, or `mutants/one-diagonal-forgotten`.
    pub(super) name: String,
    /// Its verdict in each case.
    pub(super) verdicts: Vec<Verdict>,
    /// Whether it is a mutant, which is failed by what it prints only.
    is_mutant: bool,
}

impl Program {
    /// Whether a case fails it.
    pub(super) fn is_failed_by(&self, case: usize) -> bool {
        match self.verdicts[case] {
            Verdict::PresentationError | Verdict::WrongAnswer | Verdict::PartiallyCorrect => true,
            Verdict::TimeLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::RuntimeError => !self.is_mutant,
            Verdict::Accepted | Verdict::CompileError | Verdict::Skipped | Verdict::JudgeError => {
                false
            }
        }
    }
}

impl Table {
    /// The table of a problem; nothing where there is no wrong program or no case.
    ///
    /// Samples that must not compile are left out: no case is needed for them.
    pub(super) fn of(problem: &ProblemVerification) -> Option<Self> {
        let samples = problem
            .samples
            .iter()
            .filter(|sample| !matches!(sample.expected, Verdict::Accepted | Verdict::CompileError));
        let mut cases = Vec::new();
        let mut programs = Vec::new();
        let mut add = |name: String, is_mutant, results: Vec<(String, Verdict)>| {
            let (names, verdicts) = results.into_iter().unzip();
            cases = names;
            programs.push(Program {
                name,
                verdicts,
                is_mutant,
            });
        };
        for sample in samples {
            let subtasks = sample.found.subtasks.iter();
            let results = subtasks.flat_map(|subtask| {
                let of_case = |case: &grader_model::CaseResult| {
                    (format!("{}/{}", subtask.name, case.name), case.verdict)
                };
                subtask.cases.iter().map(of_case)
            });
            add(sample.path.clone(), false, results.collect());
        }
        for mutant in &problem.mutants {
            let cases = mutant.cases.iter();
            let results = cases.map(|case| (case.name.clone(), case.verdict));
            add(format!("mutants/{}", mutant.name), true, results.collect());
        }
        // A row for every case, whatever became of a program.
        let whole = programs
            .iter()
            .all(|program| program.verdicts.len() == cases.len());
        (whole && !cases.is_empty()).then_some(Self { cases, programs })
    }

    /// The cases in order of their first, those of a subtask together that no program tells apart.
    pub(super) fn columns(&self) -> Vec<Vec<usize>> {
        let mut columns: Vec<Vec<usize>> = Vec::new();
        for case in 0..self.cases.len() {
            let alike = columns.iter_mut().find(|column| {
                self.subtask(column[0]) == self.subtask(case)
                    && self
                        .programs
                        .iter()
                        .all(|program| program.verdicts[column[0]] == program.verdicts[case])
            });
            match alike {
                Some(column) => column.push(case),
                None => columns.push(vec![case]),
            }
        }
        columns
    }

    /// The subtask of a case.
    pub(super) fn subtask(&self, case: usize) -> &str {
        let name = &self.cases[case];
        name.split_once('/').map_or(name, |(subtask, _)| subtask)
    }

    /// The name of a case within its subtask.
    pub(super) fn short(&self, case: usize) -> &str {
        let name = &self.cases[case];
        name.split_once('/').map_or(name, |(_, case)| case)
    }

    /// The cases that fail no program.
    pub(super) fn idle(&self) -> Vec<usize> {
        let idle = |case: &usize| !self.programs.iter().any(|it| it.is_failed_by(*case));
        (0..self.cases.len()).filter(idle).collect()
    }

    /// Groups of programs with the same verdict in every case, without those that are accepted throughout.
    pub(super) fn alike(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, program) in self.programs.iter().enumerate() {
            if program.verdicts.iter().all(|it| *it == Verdict::Accepted) {
                continue;
            }
            let group = groups
                .iter_mut()
                .find(|group| self.programs[group[0]].verdicts == program.verdicts);
            match group {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        groups.retain(|group| group.len() > 1);
        groups
    }

    /// The programs that some case fails.
    pub(super) fn failed(&self) -> Vec<usize> {
        let failed = |program: &usize| {
            (0..self.cases.len()).any(|case| self.programs[*program].is_failed_by(case))
        };
        (0..self.programs.len()).filter(failed).collect()
    }

    /// Cases that together fail all programs that any case fails: always the one that fails most of those that are
    /// left. To find the fewest would mean to try all sets; this is at most a few more.
    pub(super) fn enough(&self) -> Vec<usize> {
        let mut left = self.failed();
        let mut enough = Vec::new();
        while !left.is_empty() {
            let fails = |case: &usize| {
                let failed = left
                    .iter()
                    .filter(|it| self.programs[**it].is_failed_by(*case));
                failed.count()
            };
            // Of equals the first.
            let Some(best) = (0..self.cases.len()).rev().max_by_key(fails) else {
                break;
            };
            left.retain(|program| !self.programs[*program].is_failed_by(best));
            enough.push(best);
        }
        enough.sort_unstable();
        enough
    }
}

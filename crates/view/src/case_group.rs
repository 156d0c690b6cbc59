//! Cases of a subtask with the same mistake, which is told once.

use grader_model::CaseName;

use crate::case::CaseView;

/// Cases that one of them explains.
#[derive(Clone, Debug)]
pub struct CaseGroup<'v, 'a> {
    /// The case that is told.
    pub first: &'v CaseView<'a>,
    /// The number of cases.
    pub count: usize,
    /// The cases, in their order.
    pub ranges: Vec<CaseRange<'a>>,
    /// The place of the last case in its subtask.
    last: usize,
}

/// Cases that follow each other: `n=4 … n=12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseRange<'a> {
    /// The first.
    pub first: &'a CaseName,
    /// The last.
    pub last: &'a CaseName,
    /// The number of cases.
    pub count: usize,
}

impl<'v, 'a> CaseGroup<'v, 'a> {
    /// A group of the case at this place of its subtask.
    pub(crate) fn new(index: usize, case: &'v CaseView<'a>) -> Self {
        Self {
            first: case,
            count: 1,
            ranges: vec![CaseRange::of(case)],
            last: index,
        }
    }

    /// Adds a case that comes later.
    pub(crate) fn push(&mut self, index: usize, case: &CaseView<'a>) {
        match self.ranges.last_mut() {
            Some(range) if self.last + 1 == index => {
                range.last = case.name();
                range.count += 1;
            }
            _ => self.ranges.push(CaseRange::of(case)),
        }
        self.count += 1;
        self.last = index;
    }
}

impl<'a> CaseRange<'a> {
    const fn of(case: &CaseView<'a>) -> Self {
        Self {
            first: case.name(),
            last: case.name(),
            count: 1,
        }
    }
}

#[cfg(test)]
mod tests;

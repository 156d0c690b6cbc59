//! Which rows or columns of a board are drawn.

/// A place along a side of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// This row or column, from 0.
    At(u32),
    /// Some are left out here.
    Gap,
}

/// How many rows or columns are drawn on either side of what is pointed at.
const MARGIN: u32 = 2;
/// How many are drawn when a board is large and nothing is pointed at.
const CORNER: u32 = 10;

/// The rows or columns that are drawn: all of a board of at most `whole`, else those near the foci.
pub(crate) fn slots(size: u32, whole: u32, mut foci: Vec<u32>) -> Vec<Slot> {
    if size <= whole {
        return (0..size).map(Slot::At).collect();
    }
    foci.sort_unstable();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for focus in foci {
        let start = focus.saturating_sub(MARGIN);
        let end = focus.saturating_add(MARGIN + 1).min(size);
        match ranges.last_mut() {
            // A gap takes a place too: leave out two at least.
            Some((_, last)) if start <= last.saturating_add(1) => *last = end,
            _ => ranges.push((start, end)),
        }
    }
    if ranges.is_empty() {
        ranges.push((0, CORNER.min(size)));
    }
    let mut slots = Vec::new();
    let mut next = 0;
    for (start, end) in ranges {
        if start > next {
            slots.push(Slot::Gap);
        }
        slots.extend((start..end).map(Slot::At));
        next = end;
    }
    if next < size {
        slots.push(Slot::Gap);
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(size: u32, foci: &[u32]) -> String {
        slots(size, 4, foci.to_vec())
            .into_iter()
            .map(|slot| match slot {
                Slot::At(index) => format!(" {index}"),
                Slot::Gap => " …".to_owned(),
            })
            .collect()
    }

    #[test]
    fn small_boards_are_drawn_whole_and_large_ones_near_the_foci() {
        assert_eq!(drawn(4, &[3]), " 0 1 2 3");
        assert_eq!(drawn(100, &[]), " 0 1 2 3 4 5 6 7 8 9 …");
        assert_eq!(drawn(100, &[50, 1]), " 0 1 2 3 … 48 49 50 51 52 …");
        assert_eq!(
            drawn(100, &[50, 56]),
            " … 48 49 50 51 52 53 54 55 56 57 58 …"
        );
        assert_eq!(drawn(100, &[99]), " … 97 98 99");
    }
}

//! Half a board, its squares and its diagonals.

/// How the board of n rows is cut, and which bit stands for which diagonal.
///
/// The board is cut along the vertical line in the middle; of an odd board the centre column is
/// taken out first. Both halves are described alike, as an `n` by `columns` board whose column 0
/// touches the cut, so the west half is seen in a mirror:
///
/// ```text
///    west        east          n = 6
///  2 1 0 | 0 1 2   column
///  . . . | . . .   row 0       north: the upper rows
///  . . . | . . .       1
///  . . . | . . .       2
///  . . . | . . .       3       south: the lower rows
///  . . . | . . .       4
///  . . . | . . .       5
/// ```
///
/// A queen of one half attacks squares of the other half along two lines: the one that crosses the
/// cut on its way *down* (`row + column` is the same for all its squares in the queen's half) and
/// the one that crosses it on its way *up* (`row - column` is the same). In the mirror, down and up
/// are exchanged: what leaves the east half as the i-th line down enters the west half as its i-th
/// line up.
///
/// There are n - 2 lines of either kind that matter, numbered 0 to n - 3 from the top. (On an even
/// board there is one more of either kind, the main diagonals. They need no bit: see
/// [`Square::main`].) A placement of queens on half a board is then one number, its *pattern*: the
/// set of lines on which it attacks the other half. The i-th line down and the i-th line up have
/// neighbouring bits, so that looking into the mirror is to exchange neighbours. The lines in the
/// middle, which most placements use, have the highest bits.
///
/// ```text
///  n = 6    down     up        line   0 1 2 3
///  row 0    0 1 *    - - -     down   0 4 6 2   bits
///      1    1 * 2    0 - -     up     1 5 7 3
///      2    * 2 3    1 0 -
///      3    2 3 -    * 1 0     *  main diagonal
///      4    3 - -    2 * 1     -  none: it leaves the board before the cut
///      5    - - -    3 2 *
/// ```
///
/// A queen in row 4 and column 0 uses line 3 down and line 2 up: its pattern is `1000_0100`.
///
/// Patterns also tell whether two placements on the blocks of *one* half attack each other, if
/// they have no column in common: a diagonal from the upper into the lower block is never a main
/// one, which enters the other half where four blocks meet, and it goes on into the other half, so
/// that it has a bit (or is [`SHORT`]). The pattern of both placements together is the union.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    /// Rows of the board, 4 to 23.
    pub(super) n: u32,
    /// Columns of half a board.
    pub(super) columns: u32,
}

/// What a queen on one square of half a board attacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Square {
    /// The lines towards the other half, and the [`SHORT`] one.
    pub(super) lines: u64,
    /// Whether the square is on a main diagonal of an even board.
    ///
    /// Only pairs of halves are counted of which one has no such queen: see *The quarter turn* at
    /// the top of `meet_in_the_middle`. They cannot meet on a main diagonal.
    pub(super) main: bool,
}

/// On an odd board, the line `row - column = 1` joins the upper and the lower block of a half but
/// misses the other half by one row. It has this bit, which halves do not compare.
pub(super) const SHORT: u64 = 1 << 63;

impl Geometry {
    pub(super) fn new(n: u32) -> Self {
        assert!((4..=23).contains(&n), "n must be 4 to 23");
        Self { n, columns: n / 2 }
    }

    /// Whether a column in the centre was taken out.
    pub(super) fn is_odd(self) -> bool {
        self.n % 2 == 1
    }

    /// Rows of the upper block; the lower one has the others.
    pub(super) fn north_rows(self) -> u32 {
        self.n / 2
    }

    /// The number of bits of a pattern.
    pub(super) fn bits(self) -> u32 {
        2 * self.lines()
    }

    /// The number of lines of either kind.
    fn lines(self) -> u32 {
        self.n - 2
    }

    /// What a queen in `row` and `column` of half a board attacks.
    pub(super) fn square(self, row: u32, column: u32) -> Square {
        let mut square = Square::default();
        // The cut is 1 column wide for an odd board: a line moves on by one more row.
        let step = 1 + u32::from(self.is_odd());
        let mut add = |number: u32, up: bool| {
            if self.is_odd() {
                if number < self.lines() {
                    square.lines |= self.bit(number, up);
                }
                return;
            }
            // The main diagonal is left out of the numbering.
            let main = self.columns - 1;
            if number == main {
                square.main = true;
            } else if number <= self.lines() {
                square.lines |= self.bit(number - u32::from(number > main), up);
            }
        };
        add(row + column, false);
        if row >= column + step {
            add(row - column - step, true);
        } else if self.is_odd() && row == column + 1 {
            square.lines |= SHORT;
        }
        square
    }

    /// What a queen in `row` of the centre column attacks in each half; the board is odd, and the
    /// row is not below the middle one.
    pub(super) fn lines_of_centre(self, row: u32) -> u64 {
        match row.checked_sub(1) {
            None => SHORT,
            Some(line) => self.bit(line, false) | self.bit(line, true),
        }
    }

    /// The bit of a line: the nearer to the middle, the higher.
    fn bit(self, line: u32, up: bool) -> u64 {
        let from_edge = line.min(self.lines() - 1 - line);
        let lower_half = u32::from(line > self.lines() - 1 - line);
        1 << (4 * from_edge + 2 * lower_half + u32::from(up))
    }
}

//! The line that is printed.

use std::io::{self, Write};

/// Writes the columns, given counted from 0, as one line of numbers counted from 1.
///
/// The digits are made here, from the last to the first: `write!` takes several times as long,
/// which shows when there are millions of queens. `output` should be buffered.
pub(crate) fn write_line(columns: &[u32], output: &mut dyn Write) -> io::Result<()> {
    for (row, &column) in columns.iter().enumerate() {
        if row > 0 {
            output.write_all(b" ")?;
        }
        // The largest number, 2^32, has ten digits.
        let mut digits = [0; 10];
        let mut start = digits.len();
        let mut rest = u64::from(column) + 1;
        while rest > 0 {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        output.write_all(&digits[start..])?;
    }
    output.write_all(b"\n")?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_from_one() {
        let mut output = Vec::new();
        write_line(&[0, 8, 9, 98, 99, 1_234_566, u32::MAX], &mut output).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&output),
            "1 9 10 99 100 1234567 4294967296\n"
        );
    }
}

//! The line that is printed.

use std::io::{self, Write};

/// How many numbers are made before they are written: 44 KiB, which the nearest caches hold.
const NUMBERS_AT_ONCE: usize = 4096;
/// The room one number needs: the largest, 2^32, has ten digits, and a blank follows.
const ROOM: usize = 11;

/// Writes the columns, given counted from 0, as one line of numbers counted from 1.
///
/// The digits are made here, eight at once: `write!` takes several times as long, which shows when
/// there are millions of queens. The numbers are written some thousands at a time.
///
/// # Errors
///
/// Those of `output`.
pub fn write_line(columns: &[u32], output: &mut dyn Write) -> io::Result<()> {
    let mut text = vec![0; NUMBERS_AT_ONCE * ROOM];
    let mut first = true;
    for some in columns.chunks(NUMBERS_AT_ONCE) {
        let mut end = 0;
        for &column in some {
            end += put_number(&mut text[end..], u64::from(column) + 1);
            text[end] = b' ';
            end += 1;
        }
        if !first {
            output.write_all(b" ")?;
        }
        first = false;
        output.write_all(&text[..end - 1])?;
    }
    output.write_all(b"\n")
}

/// Puts the digits of `number`, 1 to 2^32, at the beginning of `text`, and returns how many they
/// are. What is behind them, up to eight bytes from the beginning of the last group, is overwritten
/// too.
fn put_number(text: &mut [u8], number: u64) -> usize {
    const GROUP: u64 = 100_000_000;
    if number < GROUP {
        return put_group(text, number, true);
    }
    let start = put_group(text, number / GROUP, true);
    start + put_group(&mut text[start..], number % GROUP, false)
}

/// Puts the digits of `number`, below 10^8, at the beginning of `text`: all eight, or those that
/// remain without the zeros in front. Returns how many they are.
fn put_group(text: &mut [u8], number: u64, without_zeros: bool) -> usize {
    let digits = eight_digits(number);
    // The first digit is in the lowest byte. A number above 0 has a digit other than 0.
    let zeros = if without_zeros {
        digits.trailing_zeros() / 8
    } else {
        0
    };
    let letters = (digits | 0x3030_3030_3030_3030) >> (8 * zeros);
    text[..8].copy_from_slice(&letters.to_le_bytes());
    8 - zeros as usize
}

/// The eight digits of `number`, below 10^8, one in each byte, the first in the lowest byte.
///
/// The number is halved three times, and both halves of all parts at once, since a part never
/// reaches into its neighbour:
///
/// ```text
/// 12345678                          one part of 64 bits
///     5678    1234                  two of 32: the first four digits are the lower part
///   78  56  34  12                  four of 16
///  8 7 6 5 4 3 2 1                  eight of 8
/// ```
///
/// In each step a part `x` becomes `x / d` in its lower half and `x % d` in its upper half, which
/// is `x / d + (x - d * (x / d)) * 2^half`. The division is a multiplication by `2^k / d`, rounded
/// up, which is exact for all `x` below d * d.
fn eight_digits(number: u64) -> u64 {
    let front = number / 10_000;
    let two = front + ((number - 10_000 * front) << 32);
    let fronts = ((two * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let four = fronts + ((two - 100 * fronts) << 16);
    let fronts = ((four * 103) >> 10) & 0x000f_000f_000f_000f;
    fronts + ((four - 10 * fronts) << 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(columns: &[u32]) -> String {
        let mut output = Vec::new();
        write_line(columns, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn every_number_is_printed_as_the_standard_library_does() {
        // All with four digits, in both halves, and those around the powers of ten.
        let mut columns: Vec<u32> = (0..20_000).chain((1..10_000).map(|i| i * 10_000)).collect();
        for power in 0..10 {
            let power = 10_u32.pow(power);
            columns.extend([power - 1, power, power + 1, power.saturating_mul(4) + 321]);
        }
        let expected: Vec<String> = columns
            .iter()
            .map(|&column| (u64::from(column) + 1).to_string())
            .collect();
        assert_eq!(line(&columns), expected.join(" ") + "\n");
    }
}

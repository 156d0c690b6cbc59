fn main() {
    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    for i in 0..(1usize << n) {
        let gray = i ^ (i >> 1);
        let mut line = String::new();
        for b in (0..n).rev() {
            let bit: u32 = gray >> b & 1;
            line.push(if bit == 1 { '1' } else { '0' });
        }
        println!("{}", line);
    }
}

fn main() {
    let args: Vec<usize> = std::env::args()
        .skip(1)
        .map(|a| a.parse().expect("two numbers"))
        .collect();
    let (m, n) = (args[0], args[1]);
    let gray = |i: usize| i ^ (i >> 1);
    let all = (1usize << (m + n)) - 1;
    for i in 0..1usize << m {
        // Turning every digit over keeps the distances.
        let cells: Vec<String> = (0..1usize << n)
            .map(|j| format!("{:0width$b}", all ^ (gray(i) << n | gray(j)), width = m + n))
            .collect();
        println!("{}", cells.join(" "));
    }
}

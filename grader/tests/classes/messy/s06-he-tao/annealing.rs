use rand::Rng;

fn energy(queens: &[usize]) -> usize {
    let mut sum = 0;
    for i in 0..queens.len() {
        for j in 0..i {
            if queens[i].abs_diff(queens[j]) == i - j {
                sum += 1;
            }
        }
    }
    sum
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut rng = rand::thread_rng();
    let mut queens: Vec<usize> = (1..=n).collect();
    let mut now = energy(&queens);
    let mut temperature: f64 = 1.0;
    while now > 0 {
        let (i, j) = (rng.gen_range(0..n), rng.gen_range(0..n));
        queens.swap(i, j);
        let then = energy(&queens);
        if then <= now || rng.gen::<f64>() < ((now as f64 - then as f64) / temperature).exp() {
            now = then;
        } else {
            queens.swap(i, j);
        }
        temperature = (temperature * 0.999).max(0.2);
    }
    let words: Vec<String> = queens.iter().map(|q| q.to_string()).collect();
    println!("{}", words.join(" "));
}

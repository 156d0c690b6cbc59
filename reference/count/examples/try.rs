use reference_count::{host::Simd, meet_in_the_middle::MeetInTheMiddle, plan::Plan};
use std::sync::atomic::{AtomicUsize, Ordering};
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e6
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u32 = a[1].parse().unwrap();
    let frac: usize = std::env::var("FRAC").map_or(1, |f| f.parse().unwrap());
    let threads: usize = std::env::var("T").map_or(1, |f| f.parse().unwrap());
    for simd in Simd::all() {
        if a.len() > 2 && !a[2].contains(simd.name()) { continue; }
        let reps = a.get(3).map_or(3, |r| r.parse().unwrap());
        let mut best = (1e9f64, 1e9f64, 1e9f64);
        let mut total = 0;
        for _ in 0..reps {
        let w0 = std::time::Instant::now();
        let t = cpu();
        let p = MeetInTheMiddle::new(n, simd);
        let t1 = cpu();
        let next = AtomicUsize::new(0);
        let go = || { let mut w = p.worker(); let mut s = 0; loop { let i = next.fetch_add(frac, Ordering::Relaxed); if i >= p.parts() { break s } s += w.count(i); } };
        let s: u64 = std::thread::scope(|s| { let h: Vec<_> = (1..threads).map(|_| s.spawn(go)).collect(); go() + h.into_iter().map(|h| h.join().unwrap()).sum::<u64>() });
        total = p.total(s);
        best = (best.0.min(cpu() - t), best.1.min(t1 - t), best.2.min(w0.elapsed().as_secs_f64() * 1e3));
        }
        println!("{} {} {} {:.2} ms (setup {:.2}) wall {:.2}", n, simd.name(), total, best.0, best.1, best.2);
    }
}

// Would leave a file and a process outside, were it run while the program is built.
// See `12-build-script.rs`.
fn main() {
    let _ = std::fs::write("@HOST@/12-build-script", "ran");
    let _ = std::process::Command::new("sleep").arg("1000").spawn();
}

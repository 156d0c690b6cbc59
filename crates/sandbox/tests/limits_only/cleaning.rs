//! No process outlives its run.

use std::fs;

use grader_model::{Breach, Bytes, End};

use crate::harness::Bench;
use crate::is_alive;

#[test]
fn all_processes_end_with_the_run() {
    // Each script writes process ids to this many files, and exits with this status or exceeds the output limit.
    for (many, end, script) in [
        // Forked twice, in its own session; its parent ends before the program.
        (1, Some(5), "(setsid sh -c 'echo $$ > pid; exec sleep 600' &)
            until [ -s pid ]; do :; done; exit 5"),
        (6, Some(0), "for i in 1 2 3; do
                setsid sh -c \"echo \\$\\$ > a$i; setsid sh -c 'trap \\\"\\\" TERM; echo \\$\\$ > b$i; sleep 600' & sleep 600\" &
            done
            for f in a1 a2 a3 b1 b2 b3; do until [ -s $f ]; do :; done; done"),
        // It reaches its limit only after the child has started.
        (1, None, "setsid sh -c 'echo $$ > pid; exec sleep 600' &
            until [ -s pid ]; do :; done; exec cat /dev/zero"),
        // Each link of the chain starts the next in a new session and ends.
        (2, Some(0), "echo 'echo $$ > last; setsid sh chain & exit' > chain; sh chain
            until [ -s last ]; do :; done"),
        (1, Some(0), "sh -c 'echo $$ > pid; kill -STOP $$' & until [ -s pid ]; do :; done"),
    ] {
        let bench = Bench::shell(script).limits(|limits| limits.output = Bytes(1000));
        let outcome = bench.run().outcome;
        match end {
            Some(status) => assert_eq!(outcome.end, End::Exited(status), "{script}"),
            None => assert_eq!(outcome.breach, Some(Breach::Output), "{script}"),
        }
        let pids: Vec<String> = fs::read_dir(bench.inside("."))
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        assert_eq!(pids.len(), many, "{script}: {pids:?}");
        assert!(!pids.iter().any(|pid| is_alive(pid)), "{script}: {pids:?}");
    }
}

//! Files that are read after a run, whatever became of their names.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt;

use grader_model::End;
use grader_sandbox::Returns;

use crate::harness::Bench;

#[test]
fn a_kept_file_is_read_even_if_its_name_was_deleted_or_reused() {
    for (script, content, name) in [
        ("true", "", "the same file"),
        ("echo right >report", "right\n", "the same file"),
        (
            "exec 3>report; rm report; echo right >&3",
            "right\n",
            "none",
        ),
        (
            "exec 3>report; rm report; echo right >&3; echo forged >report",
            "right\n",
            "another file",
        ),
        ("mv report other; echo forged >report", "", "another file"),
        ("rm report; mkdir report", "", "another file"),
        ("rm report; ln -s /etc/passwd report", "", "another file"),
    ] {
        let mut bench = Bench::shell(script);
        let path = bench.inside("report");
        fs::write(&path, "").unwrap();
        let mut kept = File::open(&path).unwrap();
        bench.request.returns = Returns::Kept("report".to_owned());
        assert_eq!(bench.run().outcome.end, End::Exited(0), "{script}");
        let mut found = String::new();
        kept.read_to_string(&mut found).unwrap();
        let is_same = |found: fs::Metadata| found.ino() == kept.metadata().unwrap().ino();
        let found_name = match fs::symlink_metadata(&path).map(is_same) {
            Ok(true) => "the same file",
            Ok(false) => "another file",
            Err(_) => "none",
        };
        assert_eq!((&*found, found_name), (content, name), "{script}");
    }
}

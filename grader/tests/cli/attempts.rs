//! Cases that are run several times.

use crate::class::squares;

/// The square of n, behind a number of empty lines that the clock gives: accepted, and never twice the same.
const RIGHT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int c, char **v)
{
    struct timespec now;
    (void)c;
    clock_gettime(CLOCK_REALTIME, &now);
    for (long i = now.tv_nsec / 1000 % 30000; i > 0; i--)
        putchar('\n');
    printf("%d\n", atoi(v[1]) * atoi(v[1]));
    return 0;
}
"#;

/// A number that the clock gives, which is wrong.
const WRONG: &str = r#"
#include <stdio.h>
#include <time.h>
int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%ld\n", 1000 + now.tv_nsec);
    return 0;
}
"#;

#[test]
fn a_case_is_run_until_its_outcome_is_certain_and_the_report_states_the_rule() {
    let room = squares()
        .replace(
            "squares/square/problem.toml",
            "points = 10\n",
            "points = 10\nattempts = { runs = 5, at-least = 2 }\n",
        )
        .file("class/ann/square.c", RIGHT)
        .file("class/bob/square.c", WRONG);
    let explained = |student: &str| {
        let ran = room.run(&["grade", "class", "-a", "./squares", "--explain", student]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout
    };
    let ann = explained("ann");
    let rule = "    each case: 2 of at most 5 attempts must be accepted\n";
    assert_eq!(ann.matches(rule).count(), 1, "{ann}");
    let met = "    n=1, n=2, n=3: 2 of 2 attempts accepted; rate 100 % (95 %: 34 % to 100 %)\n";
    assert!(ann.contains(met), "{ann}");
    let bob = explained("bob");
    assert_eq!(bob.matches(rule).count(), 1, "{bob}");
    let missed = "        0 of 4 attempts accepted; rate 0 % (95 %: 0 % to 49 %)\n";
    assert_eq!(bob.matches(missed).count(), 3, "{bob}");
}

#[test]
fn points_may_follow_the_rate() {
    let room = squares()
        .replace(
            "squares/square/problem.toml",
            "points = 10\n",
            "points = 10\nattempts = { runs = 3, score = \"rate\" }\n",
        )
        .file("class/ann/square.c", RIGHT);
    let (status, results) = room.json(&["grade", "class", "-a", "./squares", "--format", "json"]);
    assert_eq!(status, 0);
    assert_eq!(results["students"][0]["points"], 10);
    let ran = room.run(&["grade", "class", "-a", "./squares", "--explain", "ann"]);
    let rule = "    each case: 3 attempts; points in proportion to those accepted\n";
    let all = "    n=1, n=2, n=3: 3 of 3 attempts accepted; rate 100 % (95 %: 44 % to 100 %)\n";
    let lines = format!("{rule}{all}");
    assert!(ran.stdout.contains(&lines), "{}", ran.stdout);
}

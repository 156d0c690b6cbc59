//! Sockets that a run sends to itself and never receives end with it.

use grader_sandbox::{Runner as _, StrictRunner};

use crate::harness::{Bench, launcher};

/// Leaves names in sockets that only each other's queues still hold, or counts how many are taken.
const NOTES: &str = r#"
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
static void pass(int by, int given) {
    char byte = 0, space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &given, sizeof given);
    if (sendmsg(by, &message, 0) != 1) perror("sendmsg");
}
int main(int count, char **words) {
    int taken = 0;
    for (int note = 0; note < 16; note++) {
        int named = socket(AF_UNIX, SOCK_DGRAM, 0), pair[2];
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        int length = sprintf(name.sun_path + 1, "note-%d", note) + 1;
        if (bind(named, (void *)&name, offsetof(struct sockaddr_un, sun_path) + length)) taken++;
        if (count > 1 && !strcmp(words[1], "leave") && !socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) {
            pass(pair[0], pair[1]);
            pass(pair[0], named);
        }
    }
    printf("%d\n", taken);
    return 0;
}
"#;

#[test]
fn a_run_sees_no_socket_of_the_run_before() {
    let Some(mut bench) = Bench::c(NOTES) else {
        return;
    };
    // Of its own, so that both runs have the same launcher.
    let runner = StrictRunner::start(&launcher(), &crate::WAIVED).unwrap();
    for round in 0..20 {
        for word in ["leave", "look"] {
            bench = bench.arguments([word]);
            let outcome = runner.run(&(), &bench.request).unwrap();
            let stdout = std::fs::read_to_string(&bench.request.stdout).unwrap();
            let stderr = std::fs::read_to_string(&bench.request.stderr).unwrap();
            assert!(outcome.end.is_success(), "{outcome:?}");
            assert_eq!((&*stdout, &*stderr), ("0\n", ""), "round {round}: {word}");
        }
    }
}

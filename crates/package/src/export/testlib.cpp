// Lets a program of testlib serve as an output validator: it starts itself again with the arguments of testlib, and
// its exit status is translated.
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

static const bool IS_INTERACTIVE = INTERACTIVE_VALUE;
static const char *const STARTED = "AS_OUTPUT_VALIDATOR";

static void end(int status, void *) {
    fflush(nullptr);
    switch (status) {
    case 0: _exit(42);
    case 1: case 2: case 4: case 7: case 8: _exit(43);  // 7, a partial score, is not accepted
    default: _exit(1);
    }
}

static void write_to(const std::string &path, int descriptor) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(1);
    close(file);
}

__attribute__((constructor)) static void as_output_validator(int argc, char **argv) {
    if (const char *feedback = getenv(STARTED)) {
        write_to(std::string(feedback) + "/judgemessage.txt", 2);
        on_exit(end, nullptr);
        return;
    }
    if (argc < 4) return;
    std::string output = std::string(argv[3]) + "/output.txt";
    if (!IS_INTERACTIVE) {
        // Checkers of testlib read the output from a file.
        static char bytes[65536];
        const int standard_output = dup(1);
        write_to(output, 1);
        for (ssize_t length; (length = read(0, bytes, sizeof bytes)) > 0;)
            if (write(1, bytes, length) != length) _exit(1);
        dup2(standard_output, 1);
    }
    std::vector<char *> words = {argv[0], argv[1], &output[0], argv[2]};
    // BAPCtools puts these in front of the arguments when it validates answers.
    int first = 4;
    const auto is = [&](const char *word) { return first < argc && std::string(argv[first]) == word; };
    while (is("case_sensitive") || is("space_change_sensitive")) first++;
    words.insert(words.end(), argv + first, argv + argc);
    words.push_back(nullptr);
    setenv(STARTED, argv[3], 1);
    execv("/proc/self/exe", words.data());
    _exit(1);
}

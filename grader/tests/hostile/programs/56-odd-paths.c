// Opens paths that are no text, too long, formats, or nowhere, as clumsy programs do.
// The system answers as it does outside, and the program goes on.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static char path[10000];
int main(void) {
    int right = 0;
    right += syscall(SYS_openat, AT_FDCWD, 0, O_RDONLY) < 0 && errno == EFAULT;
    right += syscall(SYS_openat, AT_FDCWD, -1L, O_RDONLY) < 0 && errno == EFAULT;
    memset(path, 'a', sizeof path - 1);
    right += open(path, O_RDONLY) < 0 && errno == ENAMETOOLONG;
    right += open("", O_RDONLY) < 0 && errno == ENOENT;
    right += open("%s%s%s%n", O_CREAT | O_WRONLY, 0600) >= 0;
    right += open("\xff\xfe\x80", O_CREAT | O_WRONLY, 0600) >= 0;
    right += open("two\nlines\033[31m", O_CREAT | O_WRONLY, 0600) >= 0;
    if (right == 7) puts("42");
    else printf("%d of 7\n", right);
    return 0;
}

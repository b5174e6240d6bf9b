/* child.c - see child.h. */
#include "child.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/tap.h"

#define DESCRIPTORS 256

static char message[4096], folder[4096], errors[4200];
static pid_t owner;

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(void)
{
    if (getpid() == owner)
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_folder(void)
{
    if (folder[0] != '\0')
        return folder;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/scankit-test-XXXXXX", parent == NULL ? "/tmp" : parent);
    if (mkdtemp(folder) == NULL)
        tap_bail_out("cannot make %s", folder);
    snprintf(errors, sizeof errors, "%s.errors", folder);
    owner = getpid();
    atexit(remove_folder);
    return folder;
}

size_t nameless_files(int *descriptors, size_t most)
{
    size_t count = 0;
    for (int i = 3; i < DESCRIPTORS && count < most; i++) {
        struct stat status;
        if (fstat(i, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0)
            descriptors[count++] = i;
    }
    return count;
}

/* ---- children ---- */

pid_t child_start(void (*work)(void *argument), void *argument)
{
    test_folder();
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        tap_bail_out("cannot fork");
    if (child > 0)
        return child;
    int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, STDERR_FILENO) < 0)
        _exit(99);
    close(file);
    work(argument);
    _exit(0);
}

int child_end(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        ;
    message[0] = '\0';
    FILE *file = fopen(errors, "r");
    if (file != NULL) {
        message[fread(message, 1, sizeof message - 1, file)] = '\0';
        fclose(file);
    }
    unlink(errors);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_run(void (*work)(void *argument), void *argument)
{
    return child_end(child_start(work, argument));
}

const char *child_message(void)
{
    return message;
}

void child_must_fail(void (*work)(void *argument), void *argument, const char *text)
{
    int status = child_run(work, argument);
    const char *line = strchr(message, '\n');
    if (status != 2)
        tap_fail("status %d: %s", status, message);
    else if (strstr(message, text) == NULL)
        tap_fail("'%s' is not in: %s", text, message);
    else if (line == NULL || line[1] != '\0')
        tap_fail("not one line: %s", message);
}

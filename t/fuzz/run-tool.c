/* run-tool.c - see run-tool.h */
#include "run-tool.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/sanitizer.h"
#include "support/tap.h"

#define MEMORY ((rlim_t)400 << 20)
#define PROCESSOR_SECONDS 20
#define SECONDS 60
#define PIPE_HOLDS 60000

static char program[4096];

/* libtool leaves a script where the program should be, if its library is shared: the program itself, beside, starts
 * in a third of the time. */
void tool_find(const char *name)
{
    const char *folder = getenv("builddir");
    char libraries[4096];
    folder = folder != NULL ? folder : ".";
    snprintf(program, sizeof program, "%s/.libs/%s", folder, name);
    if (access(program, X_OK) == 0) {
        snprintf(libraries, sizeof libraries, "%s/lib/.libs", folder);
        setenv("LD_LIBRARY_PATH", libraries, 1);
    } else {
        snprintf(program, sizeof program, "%s/%s", folder, name);
    }
    if (access(program, X_OK) != 0)
        tap_bail_out("there is no %s", program);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=400", 1);
}

static void limit(int resource, rlim_t most)
{
    struct rlimit limits = {most, most};
    if (setrlimit(resource, &limits) != 0)
        _exit(125);
}

static void become_tool(char *const *arguments, const int files[3])
{
    for (int k = 0; k < 3; k++)
        if (dup2(files[k], k) < 0)
            _exit(125);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, TOOL_OUTPUT_LIMIT);
    limit(RLIMIT_CPU, PROCESSOR_SECONDS);
#if !HAS_ADDRESS_SANITIZER
    limit(RLIMIT_AS, MEMORY);
#endif
    signal(SIGPIPE, SIG_DFL);
    alarm(SECONDS);
    execv(program, arguments);
    _exit(127);
}

static int new_file(void)
{
    int file = memfd_create("scankit-test", MFD_CLOEXEC);
    if (file < 0)
        tap_bail_out("no file in memory");
    return file;
}

static void write_all(int file, const byte_string *input)
{
    for (size_t done = 0; done < input->size;) {
        ssize_t wrote = write(file, input->bytes + done, input->size - done);
        if (wrote <= 0)
            tap_bail_out("the input cannot be written");
        done += (size_t)wrote;
    }
}

static int input_file(const byte_string *input, bool piped)
{
    int ends[2];
    if (!piped || input->size > PIPE_HOLDS) {
        int file = new_file();
        write_all(file, input);
        lseek(file, 0, SEEK_SET);
        return file;
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        tap_bail_out("no pipe");
    write_all(ends[1], input);
    close(ends[1]);
    return ends[0];
}

static size_t read_back(int file, void *memory, size_t room)
{
    ssize_t got = pread(file, memory, room, 0);
    close(file);
    return got > 0 ? (size_t)got : 0;
}

tool_run tool_try(char *const *arguments, const byte_string *input, bool piped)
{
    static char output[TOOL_OUTPUT_LIMIT + 1];
    int files[3] = {input_file(input, piped), new_file(), new_file()}, status = 0;
    pid_t child = fork();
    if (child == 0)
        become_tool(arguments, files);
    if (child < 0 || waitpid(child, &status, 0) != child)
        tap_bail_out("cannot start %s", program);
    close(files[0]);
    tool_run run = {.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                    .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                    .output = output};
    run.output_size = read_back(files[1], output, sizeof output);
    run.message[read_back(files[2], run.message, sizeof run.message - 1)] = '\0';
    return run;
}

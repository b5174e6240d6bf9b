/* host-memory.c - the memory that a process may use, from made-up files of /proc and of control groups. */
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cpu/host_memory.h"
#include "support/tap.h"

#define MIB (UINT64_C(1) << 20)

static char root[PATH_MAX];

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

/* A new empty tree. */
static void start(void)
{
    const char *folder = getenv("TMPDIR");
    if (root[0] != '\0')
        nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    snprintf(root, sizeof root, "%s/scankit-XXXXXX", folder != NULL ? folder : "/tmp");
    if (mkdtemp(root) == NULL)
        tap_bail_out("cannot make %s", root);
}

/* Writes a file and its folders. */
static void put(const char *name, const char *text)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *c = path + strlen(root) + 1; (c = strchr(c, '/')) != NULL; *c++ = '/') {
        *c = '\0';
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        tap_bail_out("cannot write %s", path);
}

static void put_mib(const char *name, uint64_t mib)
{
    char text[32];
    snprintf(text, sizeof text, "%llu\n", (unsigned long long)(mib * MIB));
    put(name, text);
}

/* A machine of 1000 MiB with 600 available. */
static void machine(const char *groups, const char *mounts)
{
    start();
    put("proc/meminfo", "MemTotal:        1024000 kB\nMemFree:          102400 kB\nMemAvailable:     614400 kB\n");
    if (groups != NULL)
        put("proc/self/cgroup", groups);
    if (mounts != NULL)
        put("proc/self/mountinfo", mounts);
}

/* A group of version 2. A limit of 0: none. */
static void group(const char *folder, uint64_t limit, uint64_t used, uint64_t cached)
{
    char name[PATH_MAX], text[128];
    snprintf(name, sizeof name, "%s/memory.max", folder);
    if (limit == 0)
        put(name, "max\n");
    else
        put_mib(name, limit);
    snprintf(name, sizeof name, "%s/memory.current", folder);
    put_mib(name, used);
    snprintf(name, sizeof name, "%s/memory.stat", folder);
    snprintf(text, sizeof text, "anon 4096\ninactive_file %llu\ninactive_anon 77777777777\n",
             (unsigned long long)(cached * MIB));
    put(name, text);
}

static void is(uint64_t available, uint64_t total, const char *what)
{
    sk_host_memory memory = sk_host_memory_below(root);
    if (!tap_ok(memory.available == available * MIB && memory.total == total * MIB, "%s", what))
        tap_diag("available %llu, total %llu", (unsigned long long)memory.available, (unsigned long long)memory.total);
}

#define MOUNT_2 "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"

static void version_2(void)
{
    machine("0::/user/job\n", MOUNT_2);
    is(600, 1000, "groups without files");
    group("sys/fs/cgroup/user/job", 0, 50, 10);
    is(600, 1000, "no limit");
    group("sys/fs/cgroup/user/job", 300, 100, 0);
    is(200, 300, "the limit of the group itself");
    group("sys/fs/cgroup/user/job", 300, 100, 80);
    is(280, 300, "cached files are free");
    group("sys/fs/cgroup/user/job", 300, 100, 180);
    is(300, 300, "more cached than used");
    group("sys/fs/cgroup/user", 250, 240, 90);
    is(100, 250, "the limit of the group above");
    group("sys/fs/cgroup/user", 2000, 0, 0);
    group("sys/fs/cgroup/user/job", 5000, 0, 0);
    is(600, 1000, "limits beyond the machine");
    group("sys/fs/cgroup/user/job", 300, 400, 0);
    is(0, 300, "more used than allowed");
    group("sys/fs/cgroup/user/job", 300, 100, 0);
    put_mib("sys/fs/cgroup/user/job/memory.high", 150);
    is(50, 150, "memory.high");
    put("sys/fs/cgroup/user/job/memory.high", "max\n");
    put("sys/fs/cgroup/user/job/memory.stat",
        "inactive_file 10485760\nactive_file 20971520\nslab_reclaimable 1048576\n");
    is(231, 300, "all that the kernel can free");
}

static void namespaces(void)
{
    machine("0::/\n", MOUNT_2);
    group("sys/fs/cgroup", 300, 100, 0);
    is(200, 300, "the root of a namespace");
    machine("0::/docker/a\\b\n", "29 23 0:26 /docker /sys/fs/with\\040space rw - cgroup2 cgroup2 rw\n");
    group("sys/fs/with space/a\\b", 300, 100, 0);
    is(200, 300, "a mount below the root, at a path with a space");
    machine("0::/docker/abc\n", "29 23 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    group("sys/fs/cgroup", 300, 100, 0);
    is(200, 300, "the group itself is mounted");
    machine("0::/docker/abcd\n", "29 23 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    group("sys/fs/cgroup", 300, 100, 0);
    is(200, 300, "a group outside of the mount");
    machine("0::/../other\n", MOUNT_2);
    group("sys/fs/cgroup", 300, 100, 0);
    is(200, 300, "a group outside of the namespace");
}

static void version_1(void)
{
    static const char mounts[] = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
                                 "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                                 "35 31 0:32 / /sys/fs/cgroup/memory rw shared:1 - cgroup cgroup rw,xattr,memory\n"
                                 "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    machine("9:cpu:/elsewhere\n4:hugetlb,memory:/job\n0::/\n", mounts);
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    put_mib("sys/fs/cgroup/memory/job/memory.usage_in_bytes", 100);
    is(600, 1000, "version 1: no limit");
    put_mib("sys/fs/cgroup/memory/job/memory.limit_in_bytes", 300);
    is(200, 300, "version 1: a limit");
    put("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 104857600\ntotal_inactive_file 10485760\n");
    is(210, 300, "version 1: cached files of the group and those below");
    put_mib("sys/fs/cgroup/memory/memory.limit_in_bytes", 150);
    is(150, 150, "version 1: the group above");
    put("sys/fs/cgroup/memory/memory.use_hierarchy", "0\n");
    is(210, 300, "version 1: a group above that does not count its children");
    put_mib("sys/fs/cgroup/cpu/elsewhere/memory.limit_in_bytes", 1);
    is(210, 300, "version 1: other controllers do not matter");
    group("sys/fs/cgroup/unified", 120, 0, 0);
    is(120, 120, "both versions");
}

static void damaged(void)
{
    machine(NULL, NULL);
    is(600, 1000, "no control groups");
    machine("0::/job\n", NULL);
    is(600, 1000, "no mounts");
    machine("0::/job\n", "29 23\n\n - cgroup2\n1 2 3 4 - cgroup2 cgroup2 rw\n - - - -\n");
    is(600, 1000, "damaged mounts");
    machine("\n0\n0:\n::::\n0::\n", MOUNT_2);
    group("sys/fs/cgroup", 300, 100, 0);
    put("sys/fs/cgroup/memory.current", "");
    put("sys/fs/cgroup/memory.stat", "inactive_file\n\ninactive_file -\n12 12\n");
    is(300, 300, "damaged groups");
    start();
    sk_host_memory memory = sk_host_memory_below(root);
    tap_ok(memory.available == UINT64_MAX && memory.total == UINT64_MAX, "nothing is known");
    put("proc/meminfo", "MemTotal: 1024000 kB\nMemFree: 102400 kB\n");
    is(100, 1000, "a kernel without an estimate");
}

int main(void)
{
    version_2();
    namespaces();
    version_1();
    damaged();
    nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    memset(root, 0, sizeof root);

    sk_host_memory now = sk_host_memory_now();
    tap_ok(now.available > 0 && now.available <= now.total && now.total < UINT64_MAX, "this process");
    return tap_finish();
}

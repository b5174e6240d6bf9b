/* host_memory.c - see host_memory.h. */
#include "host_memory.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Lines longer than this are cut. */
#define LINE_BYTES ((size_t)PATH_MAX + 512)

static void lower(uint64_t *value, uint64_t limit)
{
    if (limit < *value)
        *value = limit;
}

/* ---- files of the kernel ---- */

static FILE *open_file(const char *folder, const char *name)
{
    char path[2 * PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < 0 || (size_t)length >= sizeof path ? NULL : fopen(path, "re");
}

/* The number in a file; otherwise (no such file, or "max") the given value. */
static uint64_t read_number(const char *folder, const char *name, uint64_t otherwise)
{
    unsigned long long number;
    FILE *file = open_file(folder, name);
    bool found = file != NULL && fscanf(file, "%llu", &number) == 1;
    if (file != NULL)
        (void)fclose(file);
    return found ? number : otherwise;
}

/* Adds up the rows of a table whose names are listed: "name number" or "name: number". *found counts them. */
static uint64_t sum_rows(const char *folder, const char *table, const char *const *names, unsigned *found)
{
    char line[256], name[64];
    unsigned long long number;
    uint64_t sum = 0;
    FILE *file = open_file(folder, table);
    *found = 0;
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL)
        for (const char *const *n = names; *n != NULL && sscanf(line, "%63[^: ]%*[: ]%llu", name, &number) == 2; n++)
            if (strcmp(name, *n) == 0) {
                sum += number;
                ++*found;
            }
    (void)fclose(file);
    return sum;
}

static uint64_t meminfo(const char *root, const char *row)
{
    const char *const rows[] = {row, NULL};
    unsigned found;
    uint64_t kib = sum_rows(root, "proc/meminfo", rows, &found);
    return found > 0 ? kib << 10 : UINT64_MAX;
}

/* ---- control groups ---- */

/* The files of a version of control groups. */
typedef struct group_files {
    const char *file_system;
    const char *limits[3], *usage;
    const char *cached[4];    /* rows of memory.stat: what the kernel frees before it reaches a limit */
    const char *hierarchical; /* holds 0 in a group that does not count its children; NULL: all do */
} group_files;

static const group_files version_1 = {
    .file_system = "cgroup",
    .limits = {"memory.limit_in_bytes"},
    .usage = "memory.usage_in_bytes",
    .cached = {"total_inactive_file", "total_active_file"},
    .hierarchical = "memory.use_hierarchy",
};
static const group_files version_2 = {
    .file_system = "cgroup2",
    .limits = {"memory.max", "memory.high"},
    .usage = "memory.current",
    .cached = {"inactive_file", "active_file", "slab_reclaimable"},
};

static void limit_by_group(sk_host_memory *memory, const group_files *files, const char *folder)
{
    unsigned found;
    uint64_t used = read_number(folder, files->usage, 0);
    uint64_t cached = sum_rows(folder, "memory.stat", files->cached, &found);
    used -= cached < used ? cached : used;
    for (const char *const *name = files->limits; *name != NULL; name++) {
        uint64_t limit = read_number(folder, *name, UINT64_MAX);
        lower(&memory->total, limit);
        lower(&memory->available, limit > used ? limit - used : 0);
    }
}

/* From the group at `mount` + `path` up to the group at `mount`. */
static void limit_by_groups(sk_host_memory *memory, const group_files *files, const char *mount, char *path)
{
    char folder[2 * PATH_MAX];
    for (bool counted = true; counted;) {
        int length = snprintf(folder, sizeof folder, "%s%s", mount, path);
        if (length >= 0 && (size_t)length < sizeof folder)
            limit_by_group(memory, files, folder);
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            return;
        *slash = '\0';
        snprintf(folder, sizeof folder, "%s%s", mount, path);
        counted = files->hierarchical == NULL || read_number(folder, files->hierarchical, 1) != 0;
    }
}

/* ---- where the groups are ---- */

/* True if the list of words with commas between them has this word. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; *list != '\0'; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",\n") == length && memcmp(list, word, length) == 0)
            return true;
    return false;
}

/* Copies the path of the process's group: from a line "ID:CONTROLLERS:PATH" of /proc/self/cgroup. Version 2 has no
 * controllers. */
static bool find_group(const char *root, const group_files *files, char path[LINE_BYTES])
{
    bool found = false;
    FILE *file = open_file(root, "proc/self/cgroup");
    while (file != NULL && !found && fgets(path, (int)LINE_BYTES, file) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        char *controllers = strchr(path, ':'), *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL)
            continue;
        *group = '\0';
        found = files == &version_2 ? controllers[1] == '\0' : has_word(controllers + 1, "memory");
        if (found)
            memmove(path, group + 1, strlen(group + 1) + 1);
    }
    if (file != NULL)
        (void)fclose(file);
    return found;
}

/* Replaces \ooo, as spaces are written in mountinfo. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; to++)
        if (from[0] == '\\' && strspn(from + 1, "01234567") >= 3) {
            *to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 4;
        } else {
            *to = *from++;
        }
    *to = '\0';
}

/* Cuts a line of mountinfo, "ID PARENT DEVICE ROOT POINT OPTIONS... - TYPE SOURCE OPTIONS", into what matters. */
static bool parse_mount(char *line, const group_files *files, char **mounted, char **point)
{
    char *fields[5], *end = strstr(line, " - "), *rest = line;
    if (end == NULL)
        return false;
    *end = '\0';
    for (int i = 0; i < 5; i++)
        if ((fields[i] = strtok_r(rest, " ", &rest)) == NULL)
            return false;
    char *type = strtok_r(end + 3, " \n", &rest), *source = strtok_r(NULL, " \n", &rest);
    char *options = source == NULL ? NULL : strtok_r(NULL, " \n", &rest);
    if (options == NULL || strcmp(type, files->file_system) != 0 ||
        (files == &version_1 && !has_word(options, "memory")))
        return false;
    unescape(*mounted = fields[3]);
    unescape(*point = fields[4]);
    return true;
}

/* The part of a group's path that lies below the group that is mounted. A group outside of the mount is not visible:
 * then the mounted one counts. */
static char *path_below(char *path, const char *mounted)
{
    size_t length = strcmp(mounted, "/") == 0 ? 0 : strlen(mounted);
    bool below = strncmp(path, mounted, length) == 0 && (path[length] == '/' || path[length] == '\0');
    path += below ? length : strlen(path);
    return strcmp(path, "/") == 0 || strncmp(path, "/..", 3) == 0 ? path + strlen(path) : path;
}

static void limit_by_version(sk_host_memory *memory, const group_files *files, const char *root)
{
    char path[LINE_BYTES], line[LINE_BYTES], mount[2 * PATH_MAX], *mounted, *point;
    if (!find_group(root, files, path))
        return;
    FILE *file = open_file(root, "proc/self/mountinfo");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = parse_mount(line, files, &mounted, &point);
    if (file != NULL)
        (void)fclose(file);
    if (!found)
        return;
    snprintf(mount, sizeof mount, "%s%s", root, point);
    limit_by_groups(memory, files, mount, path_below(path, mounted));
}

sk_host_memory sk_host_memory_below(const char *root)
{
    sk_host_memory memory = {meminfo(root, "MemAvailable"), meminfo(root, "MemTotal")};
    if (memory.available == UINT64_MAX) /* a kernel before 3.14 */
        memory.available = meminfo(root, "MemFree");
    limit_by_version(&memory, &version_1, root);
    limit_by_version(&memory, &version_2, root);
    return memory;
}

/* ---- limits of the process ---- */

static void limit_by_resource(sk_host_memory *memory, int resource, uint64_t used)
{
    struct rlimit limit;
    if (getrlimit((__typeof__(RLIMIT_AS))resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    lower(&memory->total, limit.rlim_cur);
    lower(&memory->available, limit.rlim_cur > used ? limit.rlim_cur - used : 0);
}

sk_host_memory sk_host_memory_now(void)
{
    sk_host_memory memory = sk_host_memory_below("");
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    lower(&memory.total, (uint64_t)sysconf(_SC_PHYS_PAGES) * page);
    if (memory.available == UINT64_MAX)
        memory.available = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * page;

    unsigned long long space = 0, data = 0; /* pages: address space, and its private writable part */
    FILE *file = open_file("/proc/self", "statm");
    if (file != NULL && fscanf(file, "%llu %*u %*u %*u %*u %llu", &space, &data) != 2)
        space = data = 0;
    if (file != NULL)
        (void)fclose(file);
    limit_by_resource(&memory, RLIMIT_AS, space * page);
    limit_by_resource(&memory, RLIMIT_DATA, data * page);
    return memory;
}

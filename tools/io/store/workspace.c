/* workspace.c - see workspace.h. */
#include "workspace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cli.h"

static const char manifest_name[] = "scankit-manifest";
static const char new_name[] = "scankit-manifest.new";
static const char lock_name[] = "scankit-lock";

#define RUN_NAME "scankit-run-%" PRIu64
#define NAME_BYTES ((size_t)48)
#define MANIFEST_MAX ((off_t)1 << 30)

static NO_RETURN void refuse(const struct workspace *workspace, const char *what)
{
    fail(workspace->path, "%s", what);
}

static NO_RETURN void give_up(const struct workspace *workspace, const char *what, int error)
{
    fail(workspace->path, "cannot %s the workspace: %s", what, strerror(error));
}

/* ---- names ---- */

static void run_name(char name[NAME_BYTES], uint64_t number)
{
    snprintf(name, NAME_BYTES, RUN_NAME, number);
}

static bool is_run(const char *name, uint64_t *number)
{
    char same[NAME_BYTES];
    if (sscanf(name, RUN_NAME, number) != 1)
        return false;
    run_name(same, *number);
    return strcmp(same, name) == 0;
}

static bool is_own(const char *name)
{
    uint64_t number;
    return strcmp(name, manifest_name) == 0 || strcmp(name, new_name) == 0 || strcmp(name, lock_name) == 0 ||
           is_run(name, &number);
}

/* Calls visit() for each file. */
static void visit_files(struct workspace *workspace, void (*visit)(struct workspace *workspace, const char *name))
{
    int copy = openat(workspace->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    if (folder == NULL)
        give_up(workspace, "read", errno);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(workspace, entry->d_name);
    closedir(folder);
}

static void refuse_foreign(struct workspace *workspace, const char *name)
{
    if (!is_own(name))
        fail(workspace->path, "holds '%s', so it is not a workspace", name);
}

/* ---- the lock ---- */

/* A process that ends removes its lock. Then the file that is locked may not be the one in the folder. */
static bool is_current(const struct workspace *workspace)
{
    struct stat held, named;
    return fstat(workspace->lock, &held) == 0 && fstatat(workspace->folder, lock_name, &named, 0) == 0 &&
           held.st_ino == named.st_ino;
}

static void lock_folder(struct workspace *workspace)
{
    for (;;) {
        workspace->lock = openat(workspace->folder, lock_name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (workspace->lock < 0)
            give_up(workspace, "write to", errno);
        if (flock(workspace->lock, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK)
                refuse(workspace, "another process is using this workspace");
            give_up(workspace, "lock", errno);
        }
        if (is_current(workspace))
            return;
        close(workspace->lock);
    }
}

/* ---- the manifest ---- */

static void write_text(const struct workspace *workspace, int descriptor, const char *text, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t written = write(descriptor, text + done, bytes - done);
        if (written < 0 && errno != EINTR)
            give_up(workspace, "write to", errno);
        done += written > 0 ? (size_t)written : 0;
    }
}

/* The new text becomes the manifest only when it is on disk. Then the folder is synced, for the manifest's name and for
 * the name of a new run; a run without a name would only be made again. Not every file system can sync a folder. */
static void write_manifest(const struct workspace *workspace)
{
    size_t bytes;
    char *text = manifest_text(&workspace->manifest, &bytes);
    int file = openat(workspace->folder, new_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        give_up(workspace, "write to", errno);
    write_text(workspace, file, text, bytes);
    if (fsync(file) != 0 || close(file) != 0)
        give_up(workspace, "write to", errno);
    if (renameat(workspace->folder, new_name, workspace->folder, manifest_name) != 0)
        give_up(workspace, "write to", errno);
    fsync(workspace->folder);
    free(text);
}

/* Returns the manifest's text, or NULL if there is none. */
static char *read_manifest(const struct workspace *workspace, size_t *bytes)
{
    int file = openat(workspace->folder, manifest_name, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 && errno == ENOENT)
        return NULL;
    if (file < 0 || fstat(file, &status) != 0)
        give_up(workspace, "read", errno);
    if (!S_ISREG(status.st_mode) || status.st_size > MANIFEST_MAX)
        refuse(workspace, "its manifest is not that of a workspace");
    char *text = get_memory((size_t)status.st_size + 1);
    *bytes = 0;
    for (ssize_t got; *bytes < (size_t)status.st_size; *bytes += (size_t)got)
        if ((got = read(file, text + *bytes, (size_t)status.st_size - *bytes)) <= 0)
            give_up(workspace, "read", got < 0 ? errno : EIO);
    close(file);
    return text;
}

static void check_manifest(const struct workspace *workspace, const struct manifest *found, enum manifest_state state,
                           const char *key, size_t element)
{
    if (state == MANIFEST_FOREIGN)
        refuse(workspace, "its manifest is not that of a workspace");
    if (state == MANIFEST_DAMAGED)
        refuse(workspace, "its manifest is damaged; remove the folder to start from the beginning");
    if (state == MANIFEST_OTHER_VERSION)
        refuse(workspace, "another version of this tool left it; remove the folder to start from the beginning");
    if (strcmp(found->key, key) != 0 || found->element != element)
        refuse(workspace, "holds runs of another job: its input or its options were others; name another folder, or "
                          "remove this one");
}

/* ---- resuming ---- */

static bool reopen_run(struct workspace *workspace, const struct manifest_run *run, struct run_file *file)
{
    char name[NAME_BYTES];
    run_name(name, run->number);
    int descriptor = openat(workspace->folder, name, (workspace->lock < 0 ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    if (run_file_reopen(file, descriptor, run->packed, run->bytes, run->size, run->checksum))
        return true;
    run_file_close(file);
    return false;
}

/* Longer ranges come before those that they contain. */
static int compare_ranges(const void *a, const void *b)
{
    const struct manifest_run *left = a, *right = b;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    if (left->end != right->end)
        return left->end > right->end ? -1 : 1;
    return left->number > right->number ? -1 : left->number < right->number;
}

/* Moves good runs, none of which overlaps another, from `found` into the workspace's manifest. A merge is good only if
 * all of it is there, and its parts are kept only if it is not. */
static void resume_runs(struct workspace *workspace, struct manifest *found)
{
    uint64_t covered = 0;
    bool same_codec = strcmp(found->codec, workspace->manifest.codec) == 0;
    if (found->count > 1)
        qsort(found->runs, found->count, sizeof found->runs[0], compare_ranges);
    workspace->files = get_memory((found->count + 1) * sizeof *workspace->files);
    for (size_t i = 0; i < found->count; i++) {
        const struct manifest_run *run = &found->runs[i];
        struct run_file *file = &workspace->files[workspace->manifest.count];
        if ((run->packed && !same_codec) || run->begin < covered || !reopen_run(workspace, run, file))
            continue;
        covered = run->end;
        manifest_add(&workspace->manifest, run);
    }
    workspace->resumed = workspace->manifest.count;
}

static bool is_named(const struct workspace *workspace, uint64_t number)
{
    for (size_t i = 0; i < workspace->manifest.count; i++)
        if (workspace->manifest.runs[i].number == number)
            return true;
    return false;
}

static void remove_incomplete(struct workspace *workspace, const char *name)
{
    uint64_t number;
    bool run = is_run(name, &number);
    if (strcmp(name, new_name) == 0 || (run && !is_named(workspace, number)))
        unlinkat(workspace->folder, name, 0);
    else if (run && number >= workspace->next)
        workspace->next = number + 1;
}

static void open_folder(struct workspace *workspace)
{
    workspace->manifest.made = mkdir(workspace->path, 0700) == 0;
    if (!workspace->manifest.made && errno != EEXIST)
        give_up(workspace, "make", errno);
    workspace->folder = open(workspace->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (workspace->folder < 0)
        give_up(workspace, "open", errno);
}

/* Takes over what the folder's manifest names. */
static void resume_manifest(struct workspace *workspace)
{
    struct manifest found;
    size_t bytes;
    char *text = read_manifest(workspace, &bytes);
    if (text == NULL)
        return;
    enum manifest_state state = manifest_parse(&found, text, bytes);
    check_manifest(workspace, &found, state, workspace->manifest.key, workspace->manifest.element);
    workspace->manifest.made = found.made;
    resume_runs(workspace, &found);
    manifest_free(&found);
    free(text);
}

static void begin(struct workspace *workspace, const char *path, const char *key, size_t element)
{
    *workspace = (struct workspace){.path = path, .folder = -1, .lock = -1, .next = 1};
    workspace->manifest =
        (struct manifest){.element = element, .codec = copy_text(block_codec()), .key = copy_text(key)};
}

void workspace_open(struct workspace *workspace, const char *path, const char *key, size_t element)
{
    begin(workspace, path, key, element);
    open_folder(workspace);
    visit_files(workspace, refuse_foreign);
    lock_folder(workspace);
    resume_manifest(workspace);
    write_manifest(workspace); /* before files go that the old one names */
    visit_files(workspace, remove_incomplete);
}

void workspace_open_kept(struct workspace *workspace, const char *path, const char *key, size_t element)
{
    begin(workspace, path, key, element);
    workspace->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (workspace->folder >= 0)
        resume_manifest(workspace);
    else if (errno != ENOENT)
        give_up(workspace, "open", errno);
}

/* ---- runs ---- */

int workspace_create(struct workspace *workspace, uint64_t *number)
{
    char name[NAME_BYTES];
    *number = workspace->next++;
    run_name(name, *number);
    int descriptor = openat(workspace->folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0)
        give_up(workspace, "write to", errno);
    return descriptor;
}

char *workspace_path(const struct workspace *workspace, uint64_t number)
{
    char *path;
    if (asprintf(&path, "%s/" RUN_NAME, workspace->path, number) < 0)
        fail(NULL, "out of memory");
    return path;
}

void workspace_add(struct workspace *workspace, const struct manifest_run *run)
{
    manifest_add(&workspace->manifest, run);
    write_manifest(workspace);
}

void workspace_remove(struct workspace *workspace, uint64_t number)
{
    char name[NAME_BYTES];
    run_name(name, number);
    unlinkat(workspace->folder, name, 0);
    for (size_t i = 0; i < workspace->manifest.count; i++)
        if (workspace->manifest.runs[i].number == number) {
            manifest_remove(&workspace->manifest, i);
            return;
        }
}

static void remove_run(struct workspace *workspace, const char *name)
{
    uint64_t number;
    if (is_run(name, &number))
        unlinkat(workspace->folder, name, 0);
}

static void release(struct workspace *workspace)
{
    if (workspace->folder >= 0)
        close(workspace->folder);
    if (workspace->lock >= 0)
        close(workspace->lock);
    manifest_free(&workspace->manifest);
    free(workspace->files);
    *workspace = (struct workspace){.folder = -1, .lock = -1};
}

/* The manifest goes before the runs: if it ends in between, the rest is known to be useless. The lock goes last. */
void workspace_close(struct workspace *workspace)
{
    unlinkat(workspace->folder, manifest_name, 0);
    visit_files(workspace, remove_run);
    unlinkat(workspace->folder, lock_name, 0);
    if (workspace->manifest.made)
        rmdir(workspace->path);
    release(workspace);
}

void workspace_leave(struct workspace *workspace)
{
    if (workspace->lock >= 0)
        unlinkat(workspace->folder, lock_name, 0);
    release(workspace);
}

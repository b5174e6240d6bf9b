/* figures.c - see figures.h. */
#include "figures.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"

#define HEAD "scankit figures 1\n"
#define END "end\n"

/* ---- the text: HEAD, the key, a line for each measured figure, END ---- */

void figures_print(const struct figures *figures, const char *key, char text[FIGURES_TEXT_BYTES])
{
    char name[FIGURE_NAME_BYTES];
    size_t used = (size_t)snprintf(text, FIGURES_TEXT_BYTES, "%s%s", HEAD, key);
    for (int i = 0; i < FIGURE_COUNT; i++)
        if (figures->measured[i]) {
            figure_name(i, name);
            used += (size_t)snprintf(text + used, FIGURES_TEXT_BYTES - used, "%s %.6g\n", name, figures->value[i]);
        }
    snprintf(text + used, FIGURES_TEXT_BYTES - used, "%s", END);
}

/* Returns the rest of the text after the prefix; NULL if it does not begin so. */
static const char *skip(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Takes a line. Returns the next one, or NULL if the line is wrong. */
static const char *parse_line(struct figures *figures, const char *line)
{
    char name[FIGURE_NAME_BYTES], *end;
    for (int i = 0; i < FIGURE_COUNT; i++) {
        figure_name(i, name);
        const char *number = skip(line, name);
        if (number == NULL || *number != ' ')
            continue;
        double value = strtod(number, &end);
        if (end == number || *end != '\n' || !figure_possible(i, value))
            return NULL;
        figures->value[i] = value;
        figures->measured[i] = true;
        return end + 1;
    }
    return NULL;
}

bool figures_parse(struct figures *figures, const char *text, const char *key)
{
    struct figures found = *figures;
    const char *line = skip(text, HEAD);
    line = line == NULL ? NULL : skip(line, key);
    while (line != NULL && strcmp(line, END) != 0)
        line = parse_line(&found, line);
    if (line != NULL)
        *figures = found;
    return line != NULL;
}

/* ---- the file ---- */

/* The folder of caches: "/home/name/.cache/scankit". */
static bool find_folder(char folder[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *off = getenv("SCANKIT_NO_CACHE");
    int length = -1;
    if (off != NULL && off[0] != '\0')
        return false;
    if (cache != NULL && cache[0] == '/')
        length = snprintf(folder, PATH_MAX, "%s/scankit", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(folder, PATH_MAX, "%s/.cache/scankit", home);
    return length > 0 && length < PATH_MAX - 64;
}

/* FNV-1a, so that each machine that shares a home has its own file. */
static uint64_t hash(const char *text)
{
    uint64_t value = 0xcbf29ce484222325;
    for (; *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3;
    return value;
}

const char *figures_path(void)
{
    static char path[PATH_MAX];
    if (!find_folder(path))
        return NULL;
    sprintf(path + strlen(path), "/figures-%016llx", (unsigned long long)hash(machine_key()));
    return path;
}

/* A file that is too long gives a damaged text. Returns false with errno. */
static bool read_file(const char *path, char text[FIGURES_TEXT_BYTES])
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    ssize_t got = read(file, text, FIGURES_TEXT_BYTES - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    return true;
}

/* Returns NULL, or why the file is ignored. */
static const char *load(struct figures *figures)
{
    char text[FIGURES_TEXT_BYTES];
    const char *path = figures_path();
    figures_default(figures, machine_processors());
    if (path == NULL)
        return NULL;
    if (!read_file(path, text))
        return errno == ENOENT ? NULL : strerror(errno);
    return figures_parse(figures, text, machine_key()) ? NULL : "damaged, or of another machine";
}

const struct figures *figures_now(const char **ignored)
{
    static struct figures figures;
    static const char *why;
    if (figures.processors == 0)
        why = load(&figures);
    if (ignored != NULL)
        *ignored = why;
    return &figures;
}

/* Makes the folders above a path. An error shows when the file is made. */
static void make_folders(char *path)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        (void)mkdir(path, 0700);
    }
}

static bool write_file(const char *path, const char *text)
{
    size_t bytes = strlen(text);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool done = write(file, text, bytes) == (ssize_t)bytes;
    return close(file) == 0 && done;
}

/* Replaces the file at once, so that other processes see the old text or the new one. */
static bool replace_file(const char *path, const char *text)
{
    char temporary[PATH_MAX];
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    make_folders(temporary);
    if (write_file(temporary, text) && rename(temporary, path) == 0)
        return true;
    int error = errno;
    unlink(temporary);
    errno = error;
    return false;
}

/* The file is read again: others may have written it meanwhile. */
const char *figures_update(bool (*update)(struct figures *figures, void *state), void *state)
{
    char text[FIGURES_TEXT_BYTES];
    struct figures figures;
    const char *path = figures_path();
    if (path == NULL)
        return "no folder for caches";
    (void)load(&figures);
    if (!update(&figures, state))
        return NULL;
    figures_print(&figures, machine_key(), text);
    return replace_file(path, text) ? NULL : strerror(errno);
}

/* machine.c - see machine.h. */
#include "machine.h"

#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "scankit.h"

#define VALUE_MOST 200
#define KEY_BYTES 2048

unsigned machine_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

/* Copies the value of the first line "NAME: value" of a file; "unknown" if there is none. */
static void read_value(const char *path, const char *name, char value[VALUE_MOST])
{
    char line[512];
    FILE *file = fopen(path, "re");
    snprintf(value, VALUE_MOST, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *text = strchr(line, ':');
        if (text == NULL || strncmp(line, name, strlen(name)) != 0)
            continue;
        text += 1 + strspn(text + 1, " \t");
        text[strcspn(text, "\n")] = '\0';
        snprintf(value, VALUE_MOST, "%.*s", VALUE_MOST - 1, text);
        break;
    }
    if (file != NULL)
        (void)fclose(file);
}

/* The driver lists the GPUs without being started. */
static void add_gpus(char *key)
{
    glob_t found = {0};
    char model[VALUE_MOST];
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    size_t count = glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    for (size_t i = 0; i < count && strlen(key) < KEY_BYTES / 2; i++) {
        read_value(found.gl_pathv[i], "Model", model);
        sprintf(key + strlen(key), "gpu %s\n", model);
    }
    if (visible != NULL)
        sprintf(key + strlen(key), "visible %.*s\n", VALUE_MOST, visible);
    globfree(&found);
}

const char *machine_key(void)
{
    static char key[KEY_BYTES];
    char model[VALUE_MOST];
    struct utsname host;
    if (key[0] != '\0')
        return key;
    if (uname(&host) != 0)
        snprintf(host.nodename, sizeof host.nodename, "unknown");
    read_value("/proc/cpuinfo", "model name", model);
    snprintf(key, KEY_BYTES, "host %s\ncpu %s\nprocessors %u\nversion %s\n", host.nodename, model, machine_processors(),
             scankit_version());
    add_gpus(key);
    return key;
}

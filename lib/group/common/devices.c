/* devices.c - lists of devices: "cuda:all", "cuda:0,1", "cpu:2,2". */
#include "devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The devices of PREFIX:LIST, comma-separated; 0 if the text has another form. */
static size_t count_listed(const char *text)
{
    const char *list = strchr(text, ':');
    if (list == NULL || strchr(list, ',') == NULL)
        return 0;
    size_t count = 1;
    for (const char *c = list; *c != '\0'; c++)
        count += *c == ',';
    return count;
}

static bool is_all(const char *text)
{
    return strcmp(text, "cuda:all") == 0;
}

size_t sk_count_devices(const char *text)
{
    if (is_all(text))
        return (size_t)scankit_cuda_device_count();
    size_t listed = count_listed(text);
    return listed > 0 ? listed : 1;
}

#define NAME_BYTES 32

/* Device i of the list. False if it is longer than any device's name. */
static bool name_device(const char *text, size_t i, char name[NAME_BYTES])
{
    if (is_all(text))
        return snprintf(name, NAME_BYTES, "cuda:%zu", i) < NAME_BYTES;
    if (count_listed(text) == 0)
        return snprintf(name, NAME_BYTES, "%s", text) < NAME_BYTES;
    const char *item = strchr(text, ':') + 1;
    int prefix = (int)(item - text);
    for (; i > 0; i--)
        item = strchr(item, ',') + 1;
    return snprintf(name, NAME_BYTES, "%.*s%.*s", prefix, text, (int)strcspn(item, ","), item) < NAME_BYTES;
}

scankit_error sk_open_devices(const char *text, scankit_context **contexts, size_t count)
{
    char name[NAME_BYTES];
    for (size_t i = 0; i < count; i++) {
        scankit_error error = name_device(text, i, name) ? scankit_open(&contexts[i], name) : SCANKIT_E_SYNTAX;
        if (error != SCANKIT_OK) {
            sk_close_devices(contexts, i);
            return error;
        }
    }
    return SCANKIT_OK;
}

void sk_close_devices(scankit_context **contexts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        scankit_close(contexts[i]);
}

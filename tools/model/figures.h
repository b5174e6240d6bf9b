/* figures.h - the figures of this machine, kept in a file that all tools share: $XDG_CACHE_HOME/scankit/, by default
 * ~/.cache/scankit/. A file that cannot be used is ignored. */
#ifndef FIGURES_H
#define FIGURES_H

#include "model.h"

/* Writes the file's text. The key is machine_key()'s. */
#define FIGURES_TEXT_BYTES ((size_t)8 << 10)
void figures_print(const struct figures *figures, const char *key, char text[FIGURES_TEXT_BYTES]);

/* Takes the figures from a file's text. Returns false and changes nothing if it is damaged or of another machine. */
bool figures_parse(struct figures *figures, const char *text, const char *key);

/* The figures of this machine, read at the first call: built-in ones where nothing was measured. Sets *ignored, unless
 * it is NULL: why the file was not used, or NULL. */
const struct figures *figures_now(const char **ignored);

/* Calls update(), which changes figures and returns true if they are worth keeping; then replaces the file. Returns
 * NULL, or why they are not kept (the text is valid until the next call). */
const char *figures_update(bool (*update)(struct figures *figures, void *state), void *state);

/* Where the figures are kept, or NULL: SCANKIT_NO_CACHE is set, or there is no home. */
const char *figures_path(void);

#endif

/* figures.h - the figures of this machine, kept in a file that all tools share: $XDG_CACHE_HOME/scankit/, by default
 * ~/.cache/scankit/. A file that cannot be used is ignored. */
#ifndef FIGURES_H
#define FIGURES_H

#include "model.h"

/* The file's text. The key is machine_key()'s. get_memory()'d. */
char *figures_text(const struct figures *figures, const char *key);

/* Takes the figures from a file's text. Returns false and changes nothing if it is damaged or of another machine. */
bool figures_parse(struct figures *figures, const char *text, const char *key);

/* The figures of this machine, read at the first call: built-in ones where nothing was measured. verbose: says why a
 * file is ignored. */
const struct figures *figures_now(bool verbose);

/* Calls update(), which changes figures and returns true if they are worth keeping; then replaces the file. Returns
 * NULL, or why they are not kept (the text is valid until the next call). */
const char *figures_update(bool (*update)(struct figures *figures, void *state), void *state);

/* Where the figures are kept, or NULL: SCANKIT_NO_CACHE is set, or there is no home. */
const char *figures_path(void);

#endif

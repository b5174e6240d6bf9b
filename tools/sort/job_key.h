/* job_key.h - what tells a sort from all others, for a workspace. */
#ifndef JOB_KEY_H
#define JOB_KEY_H

#include "request.h"

/* The inputs, with their sizes and times, and the options that the runs depend on; one line each; get_memory()'d. Fails
 * unless all inputs are regular files. */
char *job_key(const struct sort_request *request, const struct input *inputs, size_t count,
              const struct schema *schema);

#endif

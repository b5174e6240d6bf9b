/* arrow_input.h - inputs in Arrow's format. */
#ifndef ARROW_INPUT_H
#define ARROW_INPUT_H

#include "input.h"

/* Opens the column of --column, or the only one, if the content is an Arrow file or stream. */
void look_for_arrow(struct input *input, const struct common *common);

#endif

/* choice.h - which device a tool uses. */
#ifndef CHOICE_H
#define CHOICE_H

#include "device.h"

/* Sets the device's name and kind: as --device or the environment says, otherwise by the model. --verbose prints the
 * estimates and the reason. */
void choose_device(struct device *device, const struct common *common, uint64_t bytes, enum work work);

#endif

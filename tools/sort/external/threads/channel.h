/* channel.h - a bounded queue of pointers between threads. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>

struct channel;

struct channel *channel_create(size_t room);
void channel_destroy(struct channel *channel);

/* Waits while the channel is full. */
void channel_put(struct channel *channel, void *item);

/* Takes the oldest item. Waits while the channel is empty. */
void *channel_take(struct channel *channel);

#endif

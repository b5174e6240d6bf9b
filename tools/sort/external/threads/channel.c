/* channel.c - see channel.h. */
#include "channel.h"

#include <pthread.h>
#include <stdlib.h>

#include "common/cli.h"

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t room, put, taken; /* put and taken count items since the start */
    void *items[];
};

struct channel *channel_create(size_t room)
{
    struct channel *channel = get_memory(sizeof *channel + room * sizeof channel->items[0]);
    *channel = (struct channel){.room = room};
    pthread_mutex_init(&channel->lock, NULL);
    pthread_cond_init(&channel->changed, NULL);
    return channel;
}

void channel_destroy(struct channel *channel)
{
    pthread_cond_destroy(&channel->changed);
    pthread_mutex_destroy(&channel->lock);
    free(channel);
}

void channel_put(struct channel *channel, void *item)
{
    pthread_mutex_lock(&channel->lock);
    while (channel->put - channel->taken == channel->room)
        pthread_cond_wait(&channel->changed, &channel->lock);
    channel->items[channel->put++ % channel->room] = item;
    pthread_cond_broadcast(&channel->changed);
    pthread_mutex_unlock(&channel->lock);
}

void *channel_take(struct channel *channel)
{
    pthread_mutex_lock(&channel->lock);
    while (channel->put == channel->taken)
        pthread_cond_wait(&channel->changed, &channel->lock);
    void *item = channel->items[channel->taken++ % channel->room];
    pthread_cond_broadcast(&channel->changed);
    pthread_mutex_unlock(&channel->lock);
    return item;
}

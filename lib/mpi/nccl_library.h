/* nccl_library.h - NCCL, if this machine has it. It is loaded when it is needed, so that nothing depends on it. */
#ifndef SK_NCCL_LIBRARY_H
#define SK_NCCL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* The part of NCCL's binary interface that sends between two ranks; it has been the same since version 2.7. */
typedef struct sk_nccl_comm sk_nccl_comm;
typedef struct sk_nccl_id {
    char bytes[128];
} sk_nccl_id;

enum { SK_NCCL_OK = 0, SK_NCCL_IN_PROGRESS = 7, SK_NCCL_BYTES = 0 };

/* The last argument of send and receive is the stream; NULL is CUDA's default stream. */
typedef struct sk_nccl {
    int (*get_id)(sk_nccl_id *id);
    int (*open)(sk_nccl_comm **comm, int ranks, sk_nccl_id id, int rank);
    int (*close)(sk_nccl_comm *comm);
    int (*send)(const void *data, size_t count, int type, int to, sk_nccl_comm *comm, void *stream);
    int (*receive)(void *data, size_t count, int type, int from, sk_nccl_comm *comm, void *stream);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*async_error)(sk_nccl_comm *comm, int *error);
    const char *(*error_string)(int error);
} sk_nccl;

/* NULL: there is none, or SCANKIT_NCCL=off. SCANKIT_NCCL=PATH in the environment names another file than the system's. */
const sk_nccl *sk_nccl_find(void);

#endif

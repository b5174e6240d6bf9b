/* session.h - one picture in, one out: what the commands share. */
#ifndef SESSION_H
#define SESSION_H

#include "file/format.h"
#include "request.h"

struct session {
    const struct image_request *request;
    struct job *job;
    const char *in, *out;                /* out: as output_open() takes it */
    const struct format *format;         /* of the output; NULL: that of the input */
    const struct format *default_format; /* of standard output; NULL: that of the input */
    struct output output;
    scankit_context *context;
};

/* Takes IN and OUT from the operands, and the output's format from the options. Opens no file. */
void session_start(struct session *session, char *const *paths, size_t count);

/* Opens the output. */
void session_open_output(struct session *session);

/* Reads a picture, and counts its bytes. */
const struct format *session_read_file(struct session *session, const char *path, struct picture *picture);

/* Reads IN, starts the device, and waits for it. Fails unless the type is u8, u16, f16 or f32. */
void session_read(struct session *session, struct picture *picture);

/* Reads a map for the picture: f32, one channel, of the same size. Integers keep their values in the file. */
void session_read_map(struct session *session, const char *path, const struct picture *like, struct picture *map);

/* Ends the work on the device. */
void session_worked(struct session *session);

/* Writes the picture to the output, which is complete then. */
void session_write(struct session *session, const struct picture *picture);

#endif

/* run-time.c - what a predicate is compiled with at run time compiles, for each kind of kernel: NVRTC needs no GPU. It
 * takes less than nvcc does; so a change of these files can break compiled predicates alone. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/tap.h"

static const struct source {
    const char *name, *text;
} sources[] = {
#include <cuda/embedded.inc>
};
enum { SOURCES = sizeof sources / sizeof *sources };

/* ---- NVRTC ---- */

typedef void *nvrtc_program;

static struct {
    int (*create)(nvrtc_program *, const char *text, const char *name, int headers, const char *const *texts,
                  const char *const *names);
    int (*compile)(nvrtc_program, int options, const char *const *option);
    int (*log_size)(nvrtc_program, size_t *);
    int (*log)(nvrtc_program, char *);
    int (*destroy)(nvrtc_program *);
} nvrtc;

/* POSIX lets a function's address pass through a pointer to data, C does not. */
static int find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* The one beside nvcc, or the system's. */
static int open_nvrtc(void)
{
    static const char *const places[] = {"/../lib64/", "/../lib/"};
    const char *end = strrchr(NVCC, '/');
    void *library = NULL;
    for (int p = 0; p < 2 && library == NULL && end != NULL; p++) {
        char path[1024];
        snprintf(path, sizeof path, "%.*s%slibnvrtc.so", (int)(end - NVCC), NVCC, places[p]);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL)
        library = dlopen("libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
    return library != NULL && find(library, "nvrtcCreateProgram", &nvrtc.create) &&
           find(library, "nvrtcCompileProgram", &nvrtc.compile) &&
           find(library, "nvrtcGetProgramLogSize", &nvrtc.log_size) &&
           find(library, "nvrtcGetProgramLog", &nvrtc.log) && find(library, "nvrtcDestroyProgram", &nvrtc.destroy);
}

static void show_log(nvrtc_program program)
{
    size_t size = 0;
    if (nvrtc.log_size(program, &size) != 0 || size == 0)
        return;
    char *log = malloc(size);
    if (log != NULL && nvrtc.log(program, log) == 0)
        tap_diag("%.900s", log);
    free(log);
}

static int compiles(const char *text, const char *architecture)
{
    const char *names[SOURCES], *texts[SOURCES], *options[] = {architecture, "--std=c++20", "--fmad=false"};
    for (int i = 0; i < SOURCES; i++) {
        names[i] = sources[i].name;
        texts[i] = sources[i].text;
    }
    nvrtc_program program;
    if (nvrtc.create(&program, text, "predicate.cu", SOURCES, texts, names) != 0)
        return 0;
    int error = nvrtc.compile(program, 3, options);
    if (error != 0)
        show_log(program);
    nvrtc.destroy(&program);
    return error == 0;
}

/* ---- kernels ---- */

/* A kernel as cuda/compact/source.cu writes it. */
static void check(const char *header, const char *bounds, const char *more, const char *call, const char *architecture)
{
    char text[2048];
    snprintf(text, sizeof text,
             "#include \"compact/%s\"\n"
             "struct predicate {\n"
             "    template <class Element>\n"
             "    static __device__ __forceinline__ bool matches(const Element &element, int64_t position, const "
             "set_range *ranges)\n"
             "    {\n"
             "        return loaded(element.template get<uint8_t>(0, false)) < position;\n"
             "    }\n"
             "};\n"
             "extern \"C\" __global__ void __launch_bounds__(%s) kernel(compact_arguments to%s)\n"
             "{\n"
             "    match_compiled<predicate> match;\n"
             "    %s;\n"
             "}\n",
             header, bounds, more, call);
    tap_ok(compiles(text, architecture), "%s, %s", call, architecture);
}

int main(void)
{
    static const char *const words[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    static const char *const units[] = {"uint8_t", "uint32_t", "uint64_t", "uint4"};
    const char *oldest = "--gpu-architecture=sm_75", *newer = "--gpu-architecture=sm_90";
    const char *blocks = "COMPACT_THREADS, COMPACT_BLOCKS";
    char call[64];
    if (!open_nvrtc()) {
        tap_skip("no NVRTC", "predicates compiled at run time");
        return tap_finish();
    }
    for (int w = 0; w < 4; w++) {
        snprintf(call, sizeof call, "compact_scalars<%s>(to, match)", words[w]);
        check("compact_tiles.cuh", blocks, "", call, oldest);
        check("compact_tiles.cuh", blocks, "", call, newer);
        snprintf(call, sizeof call, "compact_on_ring<%s>(over, to, match)", words[w]);
        check("ring_compact.cuh", "compact_shape::THREADS, 1", ", ring_arguments over", call, newer);
        snprintf(call, sizeof call, "compact_records<%s>(to, match)", units[w]);
        check("compact_tiles.cuh", blocks, "", call, newer);
    }
    check("compact_tiles.cuh", blocks, ", uint8_t *flags", "flag_records(to, match, flags)", newer);
    return tap_finish();
}

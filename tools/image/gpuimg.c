/* gpuimg.c - gpuimg's options. */
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "request.h"

/* In the order of the table below. */
enum {
    CODE_RADIUS = 384,
    CODE_PASSES,
    CODE_RADIUS_MAP,
    CODE_EDGE,
    CODE_DEPTH,
    CODE_FOCUS,
    CODE_APERTURE,
    CODE_RADIUS_MAX,
    CODE_LEVEL,
    CODE_ALL,
    CODE_ATLAS,
    CODE_LINEAR,
    CODE_METHOD,
    CODE_MEANS,
    CODE_CHECK,
    CODE_TO,
    CODE_TYPE,
    CODE_END
};

#define NAME(enumerator, name, text) name " "
#define EDGE_NAMES SCANKIT_EDGES(NAME)
#define METHOD_NAMES SCANKIT_TABLE_METHODS(NAME)

static const struct cli_option options[] = {
    {CODE_RADIUS, "radius", "R", "blur: mean over R pixels to each side"},
    {CODE_PASSES, "passes", "N", "blur: N times; three are near a Gaussian"},
    {CODE_RADIUS_MAP, "radius-map", "FILE", "blur: each pixel's radius, a picture of one channel"},
    {CODE_EDGE, "edge", "NAME", "blur: what lies beyond the edges, one of\n" EDGE_NAMES},
    {CODE_DEPTH, "depth", "FILE", "dof: each pixel's distance, a picture of one channel"},
    {CODE_FOCUS, "focus", "Z", "dof: the distance that is sharp"},
    {CODE_APERTURE, "aperture", "A", "dof: the radius of the blur at infinity, in pixels"},
    {CODE_RADIUS_MAX, "radius-max", "R", "dof: the largest radius, in pixels"},
    {CODE_LEVEL, "level", "L", "mipmap: write level L, by default 1"},
    {CODE_ALL, "all", NULL, "mipmap: write all levels; OUT holds %d for the level,\nor it is put before the suffix"},
    {CODE_ATLAS, "atlas", NULL, "mipmap: write all levels as one picture"},
    {CODE_LINEAR, "linear", NULL, "mipmap: integers are linear, not sRGB"},
    {CODE_METHOD, "method", "NAME", "sat: one of\n" METHOD_NAMES},
    {CODE_MEANS, "subtract-mean", "FILE",
     "sat: sum the differences from each channel's mean;\nwrite the means to FILE"},
    {CODE_CHECK, "check", NULL, "sat: verify the table; exit with 1 if it is wrong"},
    {CODE_TO, "to", "FORMAT", "write png, pgm, ppm, pfm, pam or npy; by default\nwhat OUT's suffix says"},
    {CODE_TYPE, "type", "TYPE", "sat: sums are u32, u64, f32 or f64"},
    {0},
};

struct command {
    const char *name;
    uint32_t options; /* the bits in `given` that it takes */
    int (*run)(const struct image_request *request, char *const *paths, size_t count, struct job *job);
};

#define BIT(code) (1U << (CODE_##code - CODE_RADIUS))

static const struct command commands[] = {
    {"sat", BIT(METHOD) | BIT(MEANS) | BIT(CHECK) | BIT(TO) | BIT(TYPE), run_sat},
    {"blur", BIT(RADIUS) | BIT(PASSES) | BIT(RADIUS_MAP) | BIT(EDGE) | BIT(TO), run_blur},
    {"dof", BIT(DEPTH) | BIT(FOCUS) | BIT(APERTURE) | BIT(RADIUS_MAX) | BIT(TO), run_dof},
    {"mipmap", BIT(LEVEL) | BIT(ALL) | BIT(ATLAS) | BIT(LINEAR) | BIT(TO), run_mipmap},
    {"info", 0, run_info},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

/* A finite number that is not negative. */
static double number_of(const char *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value < 1e300))
        fail_usage("--%s takes a number that is not negative, not '%s'", option, text);
    return value;
}

static bool handle_names(struct image_request *request, int code, const char *argument)
{
    switch (code) {
    case CODE_EDGE:
        if (scankit_edge_from_name(&request->edge, argument) != SCANKIT_OK)
            fail_usage("--edge=%s: no such edge; there are " EDGE_NAMES, argument);
        break;
    case CODE_METHOD:
        if (scankit_table_method_from_name(&request->method, argument) != SCANKIT_OK)
            fail_usage("--method=%s: no such method; there are " METHOD_NAMES, argument);
        break;
    case CODE_RADIUS_MAP: request->radius_map = argument; break;
    case CODE_DEPTH: request->depth = argument; break;
    case CODE_MEANS: request->means = argument; break;
    case CODE_TO: request->to = argument; break;
    case CODE_TYPE: request->type = argument; break;
    default: return false;
    }
    return true;
}

static bool handle(void *state, int code, const char *argument)
{
    struct image_request *request = state;
    if (code >= CODE_RADIUS && code < CODE_END)
        request->given |= 1U << (code - CODE_RADIUS);
    switch (code) {
    case CODE_RADIUS: request->radius = number_of("radius", argument); break;
    case CODE_FOCUS: request->focus = number_of("focus", argument); break;
    case CODE_APERTURE: request->aperture = number_of("aperture", argument); break;
    case CODE_RADIUS_MAX: request->radius_max = number_of("radius-max", argument); break;
    case CODE_PASSES: request->passes = (unsigned)cli_number("passes", argument, 1, 64); break;
    case CODE_LEVEL: request->level = (unsigned)cli_number("level", argument, 0, 63); break;
    case CODE_ALL: request->all = true; break;
    case CODE_ATLAS: request->atlas = true; break;
    case CODE_LINEAR: request->linear = true; break;
    case CODE_CHECK: request->check = true; break;
    default: return handle_names(request, code, argument);
    }
    return true;
}

static bool check(void *state)
{
    const struct image_request *request = state;
    const struct common *common = &request->common;
    if (common->format != NULL || common->big_endian || common->skip > 0 || common->raw)
        fail_usage("--format, --endian, --skip and --raw are not for pictures");
    if (common->from_text || common->to_text)
        fail_usage("--from-text and --to-text are not for pictures");
    return false;
}

static void refuse_others(const struct command *command, const struct image_request *request)
{
    for (int i = 0; options[i].code != 0; i++)
        if ((request->given & ~command->options) >> i & 1)
            fail_usage("--%s is not for %s", options[i].name, command->name);
}

/* What each command needs and excludes. */
static void refuse_contradictions(const struct command *command, const struct image_request *request)
{
    const uint32_t radii = BIT(RADIUS) | BIT(RADIUS_MAP), lens = BIT(DEPTH) | BIT(FOCUS) | BIT(APERTURE);
    const struct cli_pair pairs[] = {
        {request->given & BIT(RADIUS), request->radius_map != NULL, "--radius", "--radius-map"},
        {request->all, request->atlas, "--all", "--atlas"},
        {request->all, request->given & BIT(LEVEL), "--all", "--level"},
        {request->atlas, request->given & BIT(LEVEL), "--atlas", "--level"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    if (command->run == run_blur && (request->given & radii) == 0)
        fail_usage("blur needs --radius or --radius-map");
    if (command->run == run_blur && request->radius > SCANKIT_RADIUS_MAX)
        fail_usage("--radius takes no more than %g", SCANKIT_RADIUS_MAX);
    if (command->run == run_dof && (request->given & lens) != lens)
        fail_usage("dof needs --depth, --focus and --aperture");
    if (command->run == run_dof && !(request->focus > 0))
        fail_usage("--focus takes a number above 0");
}

static int run(const void *state, char *const *operands, size_t count, struct job *job)
{
    const struct image_request *request = state;
    size_t i = 0;
    if (count == 0)
        fail_usage("no command: sat, blur, dof, mipmap or info");
    while (i < COMMANDS && strcmp(commands[i].name, operands[0]) != 0)
        i++;
    if (i == COMMANDS)
        fail_usage("'%s' is no command; there are sat, blur, dof, mipmap and info", operands[0]);
    refuse_others(&commands[i], request);
    refuse_contradictions(&commands[i], request);
    return commands[i].run(request, operands + 1, count - 1, job);
}

static const struct tool tool = {
    .cli = {.name = "gpuimg",
            .synopsis = "gpuimg sat|blur|dof|mipmap [OPTION]... IN [OUT]\n       gpuimg info [OPTION]... FILE...",
            .summary = "Summed-area tables, box blurs, depth of field and mip-maps of pictures: PNG, PGM,\n"
                       "PPM, PFM, PAM and .npy. IN may be -, standard input. Without OUT, or where it is -,\n"
                       "write to standard output. info prints the size and type of each FILE.",
            .options = options,
            .handle = handle},
    .commands = true,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    struct image_request request = {.common = COMMON_DEFAULTS, .passes = 1, .level = 1};
    return tool_main(argc, argv, &tool, &request, &request.common);
}

/* where.c - see where.h. */
#include "where.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define WINDOW 72     /* columns of an expression that are shown */
#define NAMES_MAX 160 /* bytes of field names that are listed */

/* ---- the place of an error ---- */

/* A character: the bytes to show for it, its own bytes, and its columns. Control characters and invalid UTF-8 take one
 * column. */
struct cell {
    const char *shown;
    size_t shown_bytes, bytes, columns;
};

static struct cell look(const char *at)
{
    mbstate_t state = {0};
    wchar_t wide;
    size_t bytes = mbrtowc(&wide, at, strlen(at), &state);
    if (bytes == 0 || bytes > MB_CUR_MAX)
        return (struct cell){"?", 1, 1, 1};
    int columns = wcwidth(wide);
    if (columns < 0)
        return (struct cell){" ", 1, bytes, 1};
    return (struct cell){at, columns > 0 ? bytes : 0, bytes, (size_t)columns};
}

static size_t columns(const char *text, size_t bytes)
{
    size_t count = 0;
    for (const char *at = text; at < text + bytes;) {
        struct cell cell = look(at);
        count += cell.columns;
        at += cell.bytes;
    }
    return count;
}

/* Prints the expression, or a window of it, with a caret below the place. */
static void show_place(FILE *file, const char *text, size_t where)
{
    size_t place = columns(text, where), all = columns(text, strlen(text)), column = 0;
    size_t first = all <= WINDOW || place <= WINDOW / 2 ? 0 : place - WINDOW / 2;
    const char *before = first > 0 ? "  ..." : "  ";
    fputs(before, file);
    for (const char *at = text; *at != '\0';) {
        struct cell cell = look(at);
        if (column >= first && column + cell.columns <= first + WINDOW)
            fwrite(cell.shown, 1, cell.shown_bytes, file);
        else if (column < first && column + cell.columns > first)
            fputc(' ', file); /* the second half of a wide character */
        column += cell.columns;
        at += cell.bytes;
    }
    fprintf(file, "%s\n%*s^", all > first + WINDOW ? "..." : "", (int)(strlen(before) + place - first), "");
}

/* ---- a name that is not there ---- */

/* True if a name needs no back quotes. */
static bool is_word(const char *name)
{
    bool word = isalpha((unsigned char)*name) || *name == '_';
    for (; *name != '\0'; name++)
        word = word && (isalnum((unsigned char)*name) || *name == '_');
    return word;
}

static void list_fields(FILE *file, const scankit_layout *layout)
{
    size_t bytes = 0;
    fputs("\nThe elements have the fields", file);
    for (size_t i = 0; i < scankit_layout_count(layout); i++) {
        const char *name = scankit_layout_field(layout, i)->name;
        if (*name == '\0')
            continue;
        const char *quote = is_word(name) ? "" : "`";
        if (bytes + strlen(name) > NAMES_MAX) {
            fputs(", ...", file);
            break;
        }
        fprintf(file, "%s %s%s%s", bytes == 0 ? "" : ",", quote, name, quote);
        bytes += strlen(name) + 2;
    }
    fputs(", and i is the position.", file);
}

static void hint(FILE *file, const char *reason, const scankit_layout *layout)
{
    if (strstr(reason, "field") == NULL)
        return;
    if (scankit_layout_count(layout) == 1 && scankit_layout_find(layout, SCALAR_NAME) != NULL)
        fputs("\nThe value is called " SCALAR_NAME ", its position i.", file);
    else
        list_fields(file, layout);
}

/* ---- compiling ---- */

static NO_RETURN void refuse(const char *text, size_t where, const char *reason, const struct schema *schema)
{
    char *message = NULL;
    size_t bytes, length = strlen(text);
    FILE *file = open_memstream(&message, &bytes);
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (utf8 != (locale_t)0)
        uselocale(utf8);
    if (where > length)
        where = length;
    if (file == NULL)
        fail(NULL, "out of memory");
    show_place(file, text, where);
    hint(file, reason, schema->layout);
    if (fclose(file) != 0)
        fail(NULL, "out of memory");
    fail(NULL, "--where: %s\n%s", reason, message);
}

scankit_predicate *where_compile(const char *text, const struct schema *schema)
{
    scankit_predicate *predicate;
    size_t where = 0;
    const char *reason = "";
    scankit_error error = scankit_predicate_compile_records(&predicate, schema->layout, text, &where, &reason);
    if (error == SCANKIT_E_SYNTAX)
        refuse(text, where, reason, schema);
    if (error != SCANKIT_OK)
        fail(NULL, "--where: %s", scankit_error_string(error));
    return predicate;
}

// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Splits a line of text into fields and trims them.
#include <stddef.h>

static int blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Start of the text after leading blanks. */
const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && blank(*p)) // truth: parallel
        p++;
    return p;
}

/* End of the text before trailing blanks. */
const char *trim_end(const char *start, const char *end)
{
    while (end > start && blank(end[-1])) // truth: parallel
        --end;
    return end;
}

/* Cuts the line at commas outside of quotes; stores where each field starts. */
size_t split_fields(char *line, char **fields, size_t max)
{
    size_t count = 0;
    int quoted = 0;
    char *start = line;
    char *p = line;

    if (max == 0)
        return 0;
    for (; *p != '\0'; p++) { // truth: sequential
        if (*p == '"') {
            quoted = !quoted;
        } else if (*p == ',' && !quoted) {
            *p = '\0';
            if (count < max)
                fields[count++] = start;
            start = p + 1;
        }
    }
    if (count < max)
        fields[count++] = start;
    return count;
}

void lower_case(char *p, size_t n)
{
    char *end = p + n;
    while (p != end) { // truth: parallel
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p + ('a' - 'A'));
        p++;
    }
}

size_t count_commas(const char *p, size_t n)
{
    size_t commas = 0;
    while (n--) // truth: parallel
        commas += *p++ == ',';
    return commas;
}

// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Finds last occurrences in texts and logs.
#include <stddef.h>
#include <stdint.h>

typedef struct log_line {
    int64_t stamp;
    int level;
    int source;
} log_line;

/* Runs from the front and remembers the last match. */
int last_error(const log_line *log, int n, int level)
{
    int last = -1;
    for (int i = 0; i < n; i++) { // truth: parallel
        if (log[i].level >= level)
            last = i;
    }
    return last;
}

/* Runs from the end and stops at the first match. */
const log_line *last_of_source(const log_line *log, int n, int source)
{
    for (int i = n - 1; i >= 0; i--) // truth: parallel
        if (log[i].source == source)
            return &log[i];
    return NULL;
}

const char *file_part(const char *path, size_t len)
{
    size_t i = len;
    while (i > 0 && path[i - 1] != '/' && path[i - 1] != '\\') // truth: parallel
        i--;
    return path + i;
}

/* Time stamp of the last line with each level, lines being unordered. */
void latest_stamps(const log_line *log, int n, int64_t *latest, int levels)
{
    for (int l = 0; l < levels; l++) // truth: parallel
        latest[l] = INT64_MIN;
    for (int i = 0; i < n; i++) { // truth: parallel
        int l = log[i].level;
        if (l >= 0 && l < levels && log[i].stamp > latest[l])
            latest[l] = log[i].stamp;
    }
}

/* Line of the last start of each source; a source may start again. */
void start_lines(const log_line *log, int n, int *line)
{
    for (int i = 0; i < n; i++) // truth: sequential
        if (log[i].level == 0)
            line[log[i].source] = i;
}

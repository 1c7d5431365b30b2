// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reading of records from a text file, conversion of the fields, and a report written line by line.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char name[16]; double lat, lon, height; } Station;

static double radians(double deg) { return deg * 0.017453292519943295; }

static double distance(const Station *a, const Station *b)
{
    const double u = sin(0.5 * (a->lat - b->lat)), v = sin(0.5 * (a->lon - b->lon));
    return 2.0 * asin(sqrt(u * u + cos(a->lat) * cos(b->lat) * v * v));
}

int stations_read(FILE *f, Station *s, int max)
{
    char line[160];
    int n = 0;
    while (n < max && fgets(line, sizeof line, f) != NULL) { // truth: sequential
        if (line[0] == '#')
            continue;
        if (sscanf(line, "%15s %lf %lf %lf", s[n].name, &s[n].lat, &s[n].lon, &s[n].height) != 4)
            return -1;
        n++;
    }
    for (int i = 0; i < n; i++) { // truth: parallel
        s[i].lat = radians(s[i].lat);
        s[i].lon = radians(s[i].lon);
    }
    return n;
}

void stations_nearest(const Station *s, int n, int *nearest, double *gap)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        nearest[i] = -1;
        gap[i] = INFINITY;
        for (int j = 0; j < n; j++) { // truth: parallel
            if (j == i)
                continue;
            const double d = distance(&s[i], &s[j]);
            if (d < gap[i]) {
                gap[i] = d;
                nearest[i] = j;
            }
        }
    }
}

int stations_write(FILE *f, const Station *s, int n)
{
    for (int i = 0; i < n; i++) // truth: sequential
        if (fprintf(f, "%s %.3f\n", s[i].name, s[i].height) < 0)
            return -1;
    return 0;
}

// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Packs vertex attributes into one interleaved buffer.
#include <stddef.h>

typedef struct { float x, y, z; } vec3;

/* Five floats per vertex: position, then texture coordinates. */
size_t pack_vertices(const vec3 *pos, const float *uv, float *out, int count)
{
    int k = 0, t = 0;

    if (!pos || !uv || !out)
        return 0;
    for (int i = 0; i < count; i++) { // truth: parallel
        out[k] = pos[i].x;
        out[k + 1] = pos[i].y;
        out[k + 2] = pos[i].z;
        out[k + 3] = uv[t];
        out[k + 4] = 1.0f - uv[t + 1];
        k += 5;
        t += 2;
    }
    return (size_t)k;
}

/* Positions only, `inc` floats from one vertex to the next. */
int unpack_positions(const float *in, int inc, vec3 *pos, int count)
{
    if (inc < 3)
        return -1;
    int k = 0;
    for (int i = 0; i < count; i++) { // truth: parallel
        pos[i].x = in[k];
        pos[i].y = in[k + 1];
        pos[i].z = in[k + 2];
        k += inc;
    }
    return 0;
}

void set_alpha(float *rgba, int inc, int count, float alpha)
{
    int k = 3;
    if (inc <= 0)
        return;
    for (int i = 0; i < count; i++, k += inc) // truth: parallel
        rgba[k] = alpha;
}

/* Attributes of varying width: the widths give the offsets. */
int attribute_offsets(const int *width, int *offset, int attributes)
{
    int at = 0;
    for (int a = 0; a < attributes; a++) { // truth: scan
        offset[a] = at;
        at += width[a];
    }
    return at;
}

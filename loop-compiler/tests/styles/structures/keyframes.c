// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Tracks of key frames: interval search, sampling of many tracks, tangents, and time stamps from durations.
#include <math.h>
#include <stddef.h>

typedef struct Key { float time, value, tangent; } Key;
typedef struct Track { const Key *key; int count; float scale; } Track;

static int track_find(const Track *t, float time)
{
    int lo = 0, hi = t->count - 1;
    while (hi - lo > 1) { // truth: sequential
        int mid = (lo + hi) / 2;
        if (t->key[mid].time <= time) lo = mid; else hi = mid;
    }
    return lo;
}

static float track_sample(Track t, float time)
{
    if (t.count == 0) return 0.0f;
    if (t.count == 1 || time <= t.key[0].time) return t.key[0].value * t.scale;
    if (time >= t.key[t.count - 1].time) return t.key[t.count - 1].value * t.scale;
    const Key *a = &t.key[track_find(&t, time)], *b = a + 1;
    const float d = b->time - a->time, u = (time - a->time) / d, u2 = u * u, u3 = u2 * u;
    return t.scale * ((2 * u3 - 3 * u2 + 1) * a->value + (u3 - 2 * u2 + u) * d * a->tangent
                      + (3 * u2 - 2 * u3) * b->value + (u3 - u2) * d * b->tangent);
}

void tracks_pose(const Track *tracks, size_t n, float time, float *pose)
{
    for (size_t i = 0; i < n; ++i) // truth: parallel
        pose[i] = track_sample(tracks[i], time);
}

void track_bake(const Track *track, float t0, float dt, float *out, size_t frames)
{
    float *end = out + frames;
    for (size_t f = 0; out < end; ++out, ++f) // truth: parallel
        *out = track_sample(*track, t0 + dt * (float)f);
}

/* Slopes from the neighbours; only the member tangent is written and only the others are read. */
void keys_tangents(Key *k, int n)
{
    for (int i = 1; i < n - 1; ++i) // truth: parallel
        k[i].tangent = (k[i + 1].value - k[i - 1].value) / (k[i + 1].time - k[i - 1].time);
}

void keys_from_durations(Key *k, const float *duration, int n)
{
    if (n > 0) k[0].time = 0.0f;
    for (int i = 1; i < n; ++i) // truth: scan
        k[i].time = k[i - 1].time + duration[i - 1];
}

// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Rays against spheres: nearest hit of a ray, a picture of depths, any hit for a shadow test.
#include <math.h>
#include <stdbool.h>

typedef struct { float x, y, z; } V3;
typedef struct { V3 o, d; } Ray;
typedef struct { V3 c; float r; int material; } Sphere;
typedef struct { float t; int id; } Hit;

static inline V3 v3(float x, float y, float z) { V3 v = { x, y, z }; return v; }
static inline float v3dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static bool sphere_hit(const Sphere *s, Ray r, float *t)
{
    V3 l = v3(r.o.x - s->c.x, r.o.y - s->c.y, r.o.z - s->c.z);
    float b = v3dot(l, r.d), c = v3dot(l, l) - s->r * s->r, disc = b * b - c;
    if (disc < 0.0f) return false;
    *t = -b - sqrtf(disc);
    return *t > 1e-4f;
}

static Hit nearest(const Sphere *s, int n, Ray r)
{
    Hit h = { INFINITY, -1 };
    for (int i = 0; i < n; i++) { // truth: parallel
        float t;
        if (sphere_hit(&s[i], r, &t) && t < h.t) {
            h.t = t;
            h.id = i;
        }
    }
    return h;
}

static bool blocked(const Sphere *s, int n, Ray r)
{
    float t;
    for (int i = 0; i < n; i++) // truth: parallel
        if (sphere_hit(s + i, r, &t)) return true;
    return false;
}

void render(const Sphere *s, int n, V3 light, float *depth, unsigned char *shade, int w, int h)
{
    for (int y = 0; y < h; y++) { // truth: parallel
        for (int x = 0; x < w; x++) { // truth: parallel
            Ray r = { { 0, 0, 0 }, { (x + 0.5f) / w - 0.5f, (y + 0.5f) / h - 0.5f, 1.0f } };
            float inv = 1.0f / sqrtf(v3dot(r.d, r.d));
            r.d = v3(r.d.x * inv, r.d.y * inv, r.d.z * inv);
            Hit hit = nearest(s, n, r);
            depth[y * w + x] = hit.t;
            if (hit.id < 0) {
                shade[y * w + x] = 0;
                continue;
            }
            Ray up = { v3(r.d.x * hit.t, r.d.y * hit.t, r.d.z * hit.t), light };
            shade[y * w + x] = blocked(s, n, up) ? 64 : 255;
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A pixel shader in three levels of helpers, with a light table, and a variant that counts samples in a global.
#include <math.h>
#include <stdint.h>

typedef struct { float x, y, z; } col;
typedef struct { float px, py, power; } lamp;

static const lamp lamps[] = { { 0.2f, 0.3f, 1.0f }, { 0.8f, 0.1f, 0.5f }, { 0.5f, 0.9f, 0.7f } };
#define LAMPS ((int)(sizeof lamps / sizeof lamps[0]))

unsigned long budget = 1000000;

static inline float falloff(float d2) { return 1.0f / (1.0f + 40.0f * d2); }

static inline float lamp_at(const lamp *l, float x, float y)
{
    const float dx = l->px - x, dy = l->py - y;
    return l->power * falloff(dx * dx + dy * dy);
}

static col shade(float x, float y)
{
    col c = { 0.02f, 0.02f, 0.03f };
    for (int k = 0; k < LAMPS; ++k) { // truth: parallel
        const float v = lamp_at(&lamps[k], x, y);
        c.x += v;
        c.y += v * 0.9f;
        c.z += v * (k == 1 ? 1.0f : 0.6f);
    }
    return c;
}

static uint8_t to_byte(float v) { return (uint8_t)(255.0f * fminf(1.0f, powf(v, 1.0f / 2.2f))); }

static void store(uint8_t *rgb, col c)
{
    rgb[0] = to_byte(c.x);
    rgb[1] = to_byte(c.y);
    rgb[2] = to_byte(c.z);
}

void paint(uint8_t *rgb, int w, int h)
{
    for (int y = 0; y < h; ++y) { // truth: parallel
        uint8_t *p = rgb + 3 * (y * w);
        for (int x = 0; x < w; ++x, p += 3) // truth: parallel
            store(p, shade((float)x / (float)w, (float)y / (float)h));
    }
}

/* Pixels get a full sample only as long as the budget lasts. */
void paint_budget(uint8_t *rgb, int w, int h)
{
    for (int y = 0; y < h; ++y) // truth: sequential
        for (int x = 0; x < w; ++x) { // truth: sequential
            if (budget < LAMPS)
                continue;
            budget -= LAMPS;
            store(rgb + 3 * (y * w + x), shade((float)x / (float)w, (float)y / (float)h));
        }
}

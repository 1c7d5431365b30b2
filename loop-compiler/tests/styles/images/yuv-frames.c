// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Converts video frames between planar YUV, semi-planar YUV and RGB.
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint8_t *y, *u, *v;
	int w, h;          /* both even */
	int ypitch, cpitch;
} yuv420;

static inline uint8_t sat8(int v)
{
	return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

void yuv_to_rgb(const yuv420 *f, uint8_t *rgb, int pitch)
{
	for (int j = 0; j < f->h; j++) { // truth: parallel
		const uint8_t *py = f->y + j * f->ypitch;
		const uint8_t *pu = f->u + (j / 2) * f->cpitch;
		const uint8_t *pv = f->v + (j / 2) * f->cpitch;
		uint8_t *out = rgb + j * pitch;

		for (int i = 0; i < f->w; i++) { // truth: parallel
			int c = 298 * (py[i] - 16);
			int d = pu[i >> 1] - 128, e = pv[i >> 1] - 128;
			*out++ = sat8((c + 409 * e + 128) >> 8);
			*out++ = sat8((c - 100 * d - 208 * e + 128) >> 8);
			*out++ = sat8((c + 516 * d + 128) >> 8);
		}
	}
}

/* Chroma of interleaved rows into two planes. */
void split_chroma(const uint8_t *uv, int pitch, yuv420 *f)
{
	uint8_t *u = f->u, *v = f->v;
	int rows = f->h / 2, cols = f->w / 2;

	while (rows-- > 0) { // truth: parallel
		for (int i = 0; i < cols; i++) { // truth: parallel
			u[i] = uv[2 * i];
			v[i] = uv[2 * i + 1];
		}
		uv += pitch;
		u += f->cpitch;
		v += f->cpitch;
	}
}

/* Mean of four pixels for each chroma sample. */
void subsample(const uint8_t *full, int pitch, uint8_t *half, int hpitch, int w, int h)
{
	for (int j = 0; j < h / 2; j++) // truth: parallel
		for (int i = 0; i < w / 2; i++) { // truth: parallel
			const uint8_t *p = full + 2 * j * pitch + 2 * i;
			half[j * hpitch + i] = (uint8_t)((p[0] + p[1] + p[pitch] + p[pitch + 1] + 2) / 4);
		}
}

/* Temporal noise filter: the state is a frame that each new frame updates. */
void denoise(uint8_t *state, const uint8_t *frames, size_t pixels, int count)
{
	for (int f = 0; f < count; f++) { // truth: sequential
		const uint8_t *now = frames + (size_t)f * pixels;
		for (size_t i = 0; i < pixels; i++) // truth: parallel
			state[i] = (uint8_t)((3 * state[i] + now[i] + 2) / 4);
	}
}

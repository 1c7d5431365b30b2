// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Images, grids, particles and strings, with directives as they should be.
#include <math.h>
#include <stdint.h>

typedef struct { double x, y, vx, vy, mass; } particle;
typedef struct { int width, height; unsigned char *pixels; } image;

void invert(int w, int h, unsigned char *restrict p)
{
    int x, y;
#pragma omp parallel for private(x) // right
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++)
            p[y * w + x] = 255 - p[y * w + x];
}

void grey(int n, const unsigned char *restrict rgb, unsigned char *restrict out)
{
    int r, g, b;
#pragma omp parallel for private(r, g, b) // right
    for (int i = 0; i < n; i++) {
        r = rgb[3 * i];
        g = rgb[3 * i + 1];
        b = rgb[3 * i + 2];
        out[i] = (77 * r + 150 * g + 29 * b) >> 8;
    }
}

void blur(int w, int h, const float *restrict in, float *restrict out)
{
#pragma omp parallel for collapse(2) // right
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            float sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += in[(y + dy) * w + x + dx];
            out[y * w + x] = sum / 9;
        }
}

long brightness(int w, int h, const uint8_t *p)
{
    long sum = 0;
    int y, x;
#pragma omp parallel for private(x) reduction(+: sum) // right
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++)
            sum += p[y * w + x];
    return sum;
}

void flip_rows(int w, int h, uint8_t *restrict p)
{
    uint8_t t;
    int x;
#pragma omp parallel for private(t, x) // right
    for (int y = 0; y < h; y++)
        for (x = 0; x < w / 2; x++) {
            t = p[y * w + x];
            p[y * w + x] = p[y * w + w - 1 - x];
            p[y * w + w - 1 - x] = t;
        }
}

void threshold(int n, int limit, const uint8_t *restrict in, uint8_t *restrict out)
{
#pragma omp parallel for schedule(static, 64) // right
    for (int i = 0; i < n; i++)
        out[i] = in[i] > limit ? 255 : 0;
}

void move(int n, double dt, particle *restrict p)
{
    int i;
#pragma omp parallel for // right
    for (i = 0; i < n; i++) {
        p[i].x += dt * p[i].vx;
        p[i].y += dt * p[i].vy;
    }
}

double kinetic(int n, const particle *p)
{
    double sum = 0, v2;
    int i;
#pragma omp parallel for private(v2) reduction(+: sum) // right
    for (i = 0; i < n; i++) {
        v2 = p[i].vx * p[i].vx + p[i].vy * p[i].vy;
        sum += 0.5 * p[i].mass * v2;
    }
    return sum;
}

void forces(int n, const double *x, const double *y, double *restrict fx, double *restrict fy)
{
    int i, j;
    double dx, dy, d;
#pragma omp parallel for private(j, dx, dy, d) schedule(dynamic) // right
    for (i = 0; i < n; i++) {
        fx[i] = fy[i] = 0;
        for (j = 0; j < n; j++) {
            dx = x[j] - x[i];
            dy = y[j] - y[i];
            d = dx * dx + dy * dy + 1e-9;
            fx[i] += dx / d;
            fy[i] += dy / d;
        }
    }
}

void heat(int nx, int ny, double (*restrict next)[ny], double (*restrict now)[ny])
{
    int i, j;
#pragma omp parallel shared(next, now) private(i, j)
    {
#pragma omp for schedule(static) // right
        for (i = 1; i < nx - 1; i++)
            for (j = 1; j < ny - 1; j++)
                next[i][j] = now[i][j] + 0.1 * (now[i + 1][j] - 2 * now[i][j] + now[i - 1][j]);
#pragma omp for schedule(static) // right
        for (i = 0; i < nx; i++)
            for (j = 0; j < ny; j++)
                now[i][j] = next[i][j];
    }
}

double grid_error(int n, double a[n][n][n], double b[n][n][n])
{
    double worst = 0;
    int i, j, k;
#pragma omp parallel for collapse(3) reduction(max: worst) // right
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            for (k = 0; k < n; k++)
                if (fabs(a[i][j][k] - b[i][j][k]) > worst)
                    worst = fabs(a[i][j][k] - b[i][j][k]);
    return worst;
}

int count_alive(int n, int m, int cells[n][m])
{
    int alive = 0;
#pragma omp parallel for collapse(2) reduction(+: alive) // right
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            alive += cells[i][j] != 0;
    return alive;
}

void life(int n, int m, int now[n][m], int next[restrict n][m])
{
    int i, j, neighbours;
#pragma omp parallel for private(j, neighbours) // right
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++) {
            neighbours = now[i - 1][j - 1] + now[i - 1][j] + now[i - 1][j + 1] + now[i][j - 1] + now[i][j + 1] +
                         now[i + 1][j - 1] + now[i + 1][j] + now[i + 1][j + 1];
            next[i][j] = neighbours == 3 || (neighbours == 2 && now[i][j]);
        }
}

double pi(int steps)
{
    double sum = 0, x, width = 1.0 / steps;
    int i;
#pragma omp parallel for private(x) reduction(+: sum) // right
    for (i = 0; i < steps; i++) {
        x = (i + 0.5) * width;
        sum += 4 / (1 + x * x);
    }
    return sum * width;
}

void mandelbrot(int w, int h, int limit, int *restrict out)
{
#pragma omp parallel for schedule(dynamic, 1) // right
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double re = 0, im = 0, cr = 3.0 * x / w - 2, ci = 2.0 * y / h - 1;
            int steps = 0;
            for (int k = 0; k < limit; k++) {
                double t = re * re - im * im + cr;
                im = 2 * re * im + ci;
                re = t;
                steps += re * re + im * im < 4;
            }
            out[y * w + x] = steps;
        }
}

void upper(int n, char *restrict s)
{
#pragma omp parallel for // right
    for (int i = 0; i < n; i++)
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] -= 32;
}

int checksum(int n, const unsigned char *s)
{
    unsigned sum = 0;
    unsigned i;
#pragma omp parallel for reduction(+: sum) // right
    for (i = 0; i < (unsigned)n; i++)
        sum += s[i] * 31u;
    return (int)sum;
}

double polynomial(int n, double x, const double *c)
{
    double sum = 0;
#pragma omp parallel for reduction(+: sum) // right
    for (int i = 0; i < n; i++)
        sum += c[i] * pow(x, i);
    return sum;
}

void planes(int w, int h, const float *restrict rgb, float *restrict out)
{
    int c, i;
#pragma omp parallel for private(i) // right
    for (c = 0; c < 3; c++)
        for (i = 0; i < w * h; i++)
            out[c * w * h + i] = rgb[3 * i + c];
}

double mean_of_image(const image *p)
{
    double sum = 0;
    int n = p->width * p->height;
    const unsigned char *pixels = p->pixels;
#pragma omp parallel for reduction(+: sum) // right
    for (int i = 0; i < n; i++)
        sum += pixels[i];
    return sum / n;
}

void first_differences(int n, const double *restrict a, double *restrict d)
{
#pragma omp parallel for // right
    for (int i = 0; i + 1 < n; i++)
        d[i] = a[i + 1] - a[i];
}

void interleave(int n, const float *restrict left, const float *restrict right, float *restrict out)
{
#pragma omp parallel for // right
    for (int i = 0; i < n; i++) {
        out[2 * i] = left[i];
        out[2 * i + 1] = right[i];
    }
}

void even_and_odd(int n, double *restrict a)
{
#pragma omp parallel for // right
    for (int i = 0; i < n; i++)
        a[2 * i] = a[2 * i + 1];
}

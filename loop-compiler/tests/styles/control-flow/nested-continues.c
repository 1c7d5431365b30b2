// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Scores a table of measurements and leaves out what does not qualify.
#include <stddef.h>

struct reading {
    float temp, humidity;
    unsigned station;
    unsigned char quality;
};

int score_readings(const struct reading *rd, int n, float *score)
{
    int scored = 0;

    for (int i = 0; i < n; i++) { // truth: parallel
        score[i] = 0.0f;
        if (rd[i].quality < 2)
            continue;
        if (rd[i].temp < -40.0f) {
            if (rd[i].quality < 5)
                continue;
            score[i] = -1.0f;
        } else if (rd[i].humidity > 100.0f) {
            continue;
        } else {
            score[i] = rd[i].temp * 0.8f + rd[i].humidity * 0.2f;
        }
        scored++;
    }
    return scored;
}

void station_sums(const struct reading *rd, int n, double *sum, int *count, unsigned stations)
{
    for (unsigned s = 0; s < stations; s++) { // truth: parallel
        sum[s] = 0.0;
        count[s] = 0;
    }
    for (int i = 0; i < n; i++) { // truth: parallel
        if (rd[i].quality == 0)
            continue;
        unsigned s = rd[i].station;
        if (s >= stations)
            continue;
        sum[s] += rd[i].temp;
        count[s]++;
    }
}

/* Replaces outliers by the running mean of what was accepted so far. */
void replace_outliers(struct reading *rd, int n, float limit)
{
    float mean = n > 0 ? rd[0].temp : 0.0f;
    for (int i = 1; i < n; i++) { // truth: sequential
        float d = rd[i].temp - mean;
        if (d > limit || d < -limit) {
            rd[i].temp = mean;
            continue;
        }
        mean += 0.1f * d;
    }
}

// Prints how many thousand times a second the time stamp counter of this computer ticks.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct moment {
  uint64_t ticks;
  uint64_t ns;
};

// Both clocks at one moment: of many readings the one with the least between them, in which nobody else had the processor.
static struct moment now(void) {
  struct moment best = {0, 0};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 100; i += 1) {
    struct timespec time;
    const uint64_t before = __rdtsc();
    clock_gettime(CLOCK_MONOTONIC, &time);
    const uint64_t took = __rdtsc() - before;
    if (took >= least) continue;
    least = took;
    best.ticks = before + took / 2;
    best.ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
  }
  return best;
}

int main(void) {
  const struct moment begin = now();
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = 100000000};
  nanosleep(&pause, NULL);
  const struct moment end = now();
  printf("%.0f\n", (double)(end.ticks - begin.ticks) * 1e6 / (double)(end.ns - begin.ns));
  return 0;
}

/**
 * The environment that an agent is started with, as its unit and PID 1 of the image do, so that it takes little memory: young objects
 * in 2 MiB at a time, where V8 would let garbage fill 48; two arenas of malloc for all threads; and what is freed goes back to the
 * kernel when it is large. All three are read before the first line of a program.
 */
export const agentEnvironment = {
  NODE_OPTIONS: '--max-semi-space-size=2',
  GLIBC_TUNABLES:
    'glibc.malloc.arena_max=2:glibc.malloc.mmap_threshold=262144:glibc.malloc.trim_threshold=262144',
} as const;

/** In a mount namespace of its own: what is mounted there is nobody else's. */
const script = 'mount -t tmpfs tmpfs /run && exec "$@"';

/**
 * The command line that runs a program with a `/run` of its own. Some keep a directory there, whoever starts them; this computer's stays as
 * it is. Needs root.
 */
export function withOwnRun(argv: readonly string[]): readonly [string, ...string[]] {
  return ['unshare', '--mount', 'sh', '-c', script, 'sh', ...argv];
}

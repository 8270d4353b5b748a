/** What a hardened kernel must have been started with, of the Kernel Self Protection Project: all images of ours do. */
export const requiredParameters: readonly string[] = ['slab_nomerge', 'pti=on'];

/** Those that a command line lacks. `slab_nomerge=` is the flag, too. */
export function missingParameters(line: string): readonly string[] {
  const words = new Set(
    line
      .trim()
      .split(/\s+/u)
      .map((word) => word.replace(/=$/u, '')),
  );
  return requiredParameters.filter((parameter) => !words.has(parameter));
}

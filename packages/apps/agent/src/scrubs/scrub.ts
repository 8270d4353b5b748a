import { execFile } from 'node:child_process';

import { codeOf } from '@nodecore/sys';

/** What came of a check. `impossible`: nothing was checked. */
export type ScrubResult =
  | { readonly result: 'clean' | 'damaged' | 'failed'; readonly error?: string }
  | { readonly result: 'impossible'; readonly error: string };

/** xfs_scrub(8): bits of its exit code. */
const [errorsLeft, operational] = [1, 4];

/**
 * Checks a mounted xfs filesystem, and changes nothing in it. It has all the time that it needs, in the background.
 *
 * @param program xfs_scrub; another one in tests.
 */
export async function scrubFilesystem(
  target: string,
  signal: AbortSignal,
  program = 'xfs_scrub',
): Promise<ScrubResult> {
  const { code, said } = await run(program, ['-b', '-n', target], signal);
  if (code === 'ENOENT') return { result: 'impossible', error: 'xfs_scrub is not on this node' };
  if (/scrubbing facility is not available/u.test(said))
    return { result: 'impossible', error: 'this kernel has no online check of xfs' };
  if (code === 0) return { result: 'clean' };
  if (typeof code !== 'number' || (code & ~errorsLeft) !== 0) {
    const what = typeof code === 'number' && (code & operational) !== 0 ? 'it could not go on' : String(code);
    return { result: 'failed', error: `xfs_scrub: ${what}` };
  }
  return {
    result: 'damaged',
    error: 'xfs_scrub has found damage: see its lines in the log, then xfs_repair',
  };
}

type Run = { readonly code: number | string; readonly said: string };

function run(program: string, words: readonly string[], signal: AbortSignal): Promise<Run> {
  return new Promise((resolve) => {
    execFile(program, [...words], { signal, maxBuffer: 1 << 20 }, (error, stdout, stderr) => {
      const { code = 0 } = (error ?? {}) as { readonly code?: number | string };
      resolve({ code: error === null ? 0 : (code ?? codeOf(error) ?? 'ended'), said: stdout + stderr });
    });
  });
}

import type { Machine } from '../src/index.ts';
import type { Guesses, Request } from './inside/volume-keys.ts';
import type { Opened } from './key-specs.ts';

export type { Request } from './inside/volume-keys.ts';

type Answer<R extends Request> = R extends { readonly do: 'open' }
  ? Opened
  : R extends { readonly do: 'guess-pins' }
    ? Guesses
    : null;

/** Has a machine do something to volumes and their keys, all in one process. */
export async function volumeKeys<const R extends readonly Request[]>(
  machine: Machine,
  ...requests: R
): Promise<{ [I in keyof R]: Answer<R[I]> }> {
  const argv = ['node', '--conditions=source', 'hw-tests/test/inside/volume-keys.ts'] as const;
  const { code, stdout, stderr } = await machine.run(argv, { input: Buffer.from(JSON.stringify(requests)) });
  if (code !== 0) throw new Error(`volume-keys: ${code}: ${stderr.toString()}`);
  return JSON.parse(stdout.toString()) as { [I in keyof R]: Answer<R[I]> };
}

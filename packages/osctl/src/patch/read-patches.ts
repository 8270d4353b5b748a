import type { Patch } from '@nodecore/config';

import { readNamed } from '../read-named.ts';

/** Patches as flags give them: `@file` reads a file, anything else is a patch itself. */
export async function readPatches(texts: readonly string[], flag: string): Promise<Patch[]> {
  return Promise.all(
    texts.map(async (text, index) => {
      if (!text.startsWith('@')) return { text, file: `<patch ${index + 1}>` };
      const file = text.slice(1);
      return { text: (await readNamed(file, flag)).toString('utf8'), file };
    }),
  );
}

import { readNamed, UsageError } from '@nodecore/cli';
import { decode, type Patch } from '@nodecore/config';

/** Patches as flags give them: `@file` reads a file, anything else is a patch itself. */
export async function readPatches(texts: readonly string[], flag: string): Promise<Patch[]> {
  return Promise.all(
    texts.map(async (text, index) => {
      if (!text.startsWith('@')) return { text: whole(text, flag), file: `<patch ${index + 1}>` };
      const file = text.slice(1);
      return { text: decode(await readNamed(file, flag), { file }), file };
    }),
  );
}

/** Node.js has put U+FFFD in the place of what is not UTF-8 in an argument: which bytes those were can't be known here. */
function whole(text: string, flag: string): string {
  if (!text.includes('\uFFFD')) return text;
  throw new UsageError(
    `the patch of ${flag} is not UTF-8 in whole; put it in a file and give ${flag} @<file>`,
  );
}

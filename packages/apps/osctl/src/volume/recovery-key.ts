import { randomUUID } from 'node:crypto';

import {
  confirm,
  type Format,
  formatObjects,
  print,
  readFormat,
  type Terminal,
  UsageError,
  writeWhole,
} from '@nodecore/cli';
import { recoveryKey } from '@nodecore/luks/recovery-key';

import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';

export type Flags = GlobalFlags & { readonly yes?: true; readonly output: string };

/** Stands for the key in what is formatted: the key itself never becomes a string. */
const place = `key-${randomUUID()}`;

/**
 * Makes a recovery key, has the node store it, and prints it. It is printed only once it opens the volume, and the only
 * copy is what was printed: neither side keeps it.
 *
 * @throws {UsageError} for a format that leaves the key out, before anything is asked of the node.
 */
export async function addRecoveryKey(volume: string, flags: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const text = (slot: number): Promise<string> => textOf({ node: name, volume, slot }, format);
    if (!(await text(0)).includes(place))
      throw new UsageError(`-o ${flags.output} leaves the key out, which is shown only once; it is $.key`);
    const question = `add a recovery key to ${volume} on ${name}, and print it here?`;
    if (flags.yes !== true && !(await confirm(terminal, question))) return;
    using made = recoveryKey.generate();
    const { slot } = await client.addRecoveryKey(
      { volume, key: made.key.bytes },
      { node, signal: terminal.signal },
    );
    await print(
      terminal.error,
      `${name}: ${volume} opens with this key in slot ${slot}; it is not shown again\n`,
    );
    const [first = '', ...others] = (await text(slot)).split(place);
    await print(terminal.out, first);
    for (const rest of others) {
      await made.show((bytes) => writeWhole(terminal.out, bytes));
      await print(terminal.out, rest);
    }
  });
}

/** What is printed, with its place where the key goes. */
async function textOf(
  stored: { readonly node: string; readonly volume: string; readonly slot: number },
  format: Format,
): Promise<string> {
  if (format.kind === 'table') return `${place}\n`;
  return await formatObjects([{ ...stored, key: place }], format, { single: true });
}

import { confirm, print, type Terminal, writeWhole } from '@nodecore/cli';
import { recoveryKey } from '@nodecore/luks/recovery-key';

import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';

export type Flags = GlobalFlags & { readonly yes?: true };

/**
 * Makes a recovery key, has the node store it, and prints it. It is printed only once it opens the volume, and the only
 * copy is what was printed: neither side keeps it.
 */
export async function addRecoveryKey(volume: string, flags: Flags, terminal: Terminal): Promise<void> {
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
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
    await made.show((text) => writeWhole(terminal.out, text));
    await print(terminal.out, '\n');
  });
}

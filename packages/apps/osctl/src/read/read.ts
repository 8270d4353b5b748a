import { print, type Terminal } from '@nodecore/cli';

import { remotePath } from '../files/remote-path.ts';
import { VisibleText } from '../files/visible-text.ts';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';

export type ReadFlags = {
  readonly offset?: number;
  readonly length?: number;
  readonly follow?: true;
};

/** Prints a file of one node, no faster than it is taken. */
export async function read(path: string, flags: ReadFlags & GlobalFlags, terminal: Terminal): Promise<void> {
  const { offset = 0, length, follow = false } = flags;
  const request = {
    path: remotePath(path),
    offset: BigInt(offset),
    ...(length !== undefined && { length: BigInt(length) }),
    follow,
  };
  const { out, signal } = terminal;
  const visible = (out as { isTTY?: boolean }).isTTY === true ? new VisibleText() : undefined;
  await onlyNode(flags, terminal, async ({ client, node }) => {
    for await (const { data } of client.files.read(request, { node, signal }))
      await print(out, visible?.next(data) ?? data);
  });
}

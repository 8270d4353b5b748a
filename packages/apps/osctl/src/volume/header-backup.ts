import { open, rm, type FileHandle } from 'node:fs/promises';

import { print, printFound, type Terminal, UsageError } from '@nodecore/cli';
import { codeOf } from '@nodecore/sys/pure';

import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';

export type BackupFlags = GlobalFlags & {
  /** Path of the new file. */
  readonly output: string;
  readonly json?: true;
};

/** Saves the header of a volume in a new file that only its owner can read. What fails leaves no file. */
export async function backupHeader(
  volume: string,
  { output: path, json, ...flags }: BackupFlags,
  terminal: Terminal,
): Promise<void> {
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    await using file = await create(path);
    let sizeBytes = 0;
    try {
      for await (const { data } of client.backupHeader({ volume }, { node, signal: terminal.signal })) {
        await file.writeFile(data); // goes on where the last one ended
        sizeBytes += data.length;
      }
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    await print(terminal.error, `${name}: saved the header of ${volume} in ${path}, ${sizeBytes} bytes\n`);
    const saved = { node: name, volume, file: path, sizeBytes };
    await printFound(terminal, { kind: json === true ? 'json' : 'table' }, [saved], {
      single: true,
      text: () => '',
    });
  });
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const why = code === 'EEXIST' ? 'is there already' : code;
    throw new UsageError(`${path}: ${why}; choose another file with -o`);
  }
}

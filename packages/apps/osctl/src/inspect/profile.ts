import { lstat } from 'node:fs/promises';

import type { ProfileResponse } from '@nodecore/api/inspect';
import {
  print,
  printFound,
  readFormat,
  shortSize,
  showProgress,
  type Tell,
  type Terminal,
  UsageError,
} from '@nodecore/cli';
import { codeOf, writeFileAtomic } from '@nodecore/sys';

import type { GlobalFlags } from '../global-flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import type { Target } from '../nodes/target.ts';

export type ProfileFlags = GlobalFlags & {
  /** Path of the new file. */
  readonly output: string;
  readonly json?: true;
};

/** Saves what the agent of a node spends its processor time on, for as long as is said. */
export async function saveCpuProfile(
  { duration, ...flags }: ProfileFlags & { readonly duration: number },
  terminal: Terminal,
): Promise<void> {
  await save(flags, terminal, (target, tell) => {
    tell(target.name, `the agent is watched for ${duration / 1000} s`);
    return target.client.profiles.cpu(duration, { node: target.node, signal: terminal.signal });
  });
}

/** Saves the heap of a node's agent. */
export async function saveHeapSnapshot(flags: ProfileFlags, terminal: Terminal): Promise<void> {
  await save(flags, terminal, (target, tell) => {
    tell(target.name, 'the agent answers nobody while it looks at its memory');
    return target.client.profiles.heap({ node: target.node, signal: terminal.signal });
  });
  await print(
    terminal.error,
    `${flags.output} holds what the agent has in memory, secrets too: keep it like a key\n`,
  );
}

/** What fails leaves no file, and a file that is there stays. */
async function save(
  { output: file, json, ...flags }: ProfileFlags,
  terminal: Terminal,
  take: (target: Target, tell: Tell) => AsyncIterable<ProfileResponse>,
): Promise<void> {
  const format = await readFormat(json === true ? 'json' : 'table');
  await assertFree(file);
  await onlyNode(flags, terminal, async (target) => {
    let [sizeBytes, pauseMs] = [0, 0];
    await showProgress([target.name], terminal, async (tell) => {
      const pieces = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
        for await (const { data, pauseMillis } of take(target, tell)) {
          yield data;
          sizeBytes += data.length;
          pauseMs = pauseMillis;
        }
      };
      await writeFileAtomic(file, pieces());
    });
    const saved = { node: target.name, file, sizeBytes, pauseMs };
    await printFound(terminal, format, [saved], {
      single: true,
      text: () =>
        `${target.name}: ${file}, ${shortSize(BigInt(sizeBytes))}; the agent did nothing else for ${pauseMs} ms\n`,
    });
  });
}

async function assertFree(file: string): Promise<void> {
  if (file === '-') throw new UsageError('it is written whole or not at all: name a file');
  try {
    await lstat(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  throw new UsageError(`${file} exists; name another file with -o`);
}

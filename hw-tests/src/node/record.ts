import { watch } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, isRunning, type ProcessIdentity, writeFileAtomic } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';

/** How far a node's supervisor has come. */
export type NodePhase =
  | 'booting' // the agent is about to start
  | 'starting' // the agent's process runs and says nothing yet
  | 'maintenance' // it waits for its first configuration
  | 'configured' // its configuration is active
  | 'failed'; // the supervisor gave up; see `error`

/** What the supervisor of an agent on this host reports to the commands. */
export type NodeRecord = {
  /** The supervisor's process. */
  readonly supervisor: ProcessIdentity;
  /** Where the node keeps what outlives it. */
  readonly directory: string;
  /** Port of the API on the loopback. */
  readonly port: number;
  /** Where a debugger of the agent is attached, on the loopback. */
  readonly inspectPort?: number;
  readonly phase: NodePhase;
  /** Of the certificate in maintenance; it came from the agent itself, not from the network. */
  readonly fingerprint?: string;
  readonly error?: string;
};

const fileName = 'node.json';

/** Writes the record into the node's directory, which exists. */
export async function writeRecord(record: NodeRecord): Promise<void> {
  await writeFileAtomic(join(record.directory, fileName), `${JSON.stringify(record, null, 2)}\n`);
}

export async function removeRecord(directory: string): Promise<void> {
  await rm(join(directory, fileName), { force: true });
}

/** The record of a node, also of one whose supervisor is gone; undefined when there is none. */
export async function readRecord(directory: string): Promise<NodeRecord | undefined> {
  const text = await readFile(join(directory, fileName), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as NodeRecord);
}

/** The record of a node that runs. */
export async function runningNode(directory: string): Promise<NodeRecord | undefined> {
  const record = await readRecord(directory);
  if (record === undefined || !isRunning(record.supervisor)) return undefined;
  return (await isCopied(record, directory)) ? undefined : record;
}

/** A copy of a directory has the record of a node that runs in the original; a directory that was moved has its own. */
async function isCopied(record: NodeRecord, directory: string): Promise<boolean> {
  const [own, named] = await Promise.all([directory, record.directory].map((path) => identify(path)));
  return named !== undefined && named !== own;
}

async function identify(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/**
 * Every change of a node's record, the present state first. Ends when its supervisor does.
 * A watch of the directory misses no replacement; the timer is for a supervisor that dies without a word.
 */
export async function* followRecord(
  directory: string,
  signal?: AbortSignal,
): AsyncGenerator<NodeRecord, void, void> {
  let wake = Promise.withResolvers<void>();
  const nudge = (): void => wake.resolve();
  const watcher = watch(directory, nudge);
  const timer = setInterval(nudge, 500);
  using _listener = onAbort(signal, nudge);
  try {
    let last = '';
    for (;;) {
      signal?.throwIfAborted();
      const record = await readRecord(directory);
      if (record === undefined) return;
      const text = JSON.stringify(record);
      if (text !== last) yield record;
      last = text;
      if (!isRunning(record.supervisor)) return;
      await wake.promise;
      wake = Promise.withResolvers();
    }
  } finally {
    clearInterval(timer);
    watcher.close();
  }
}

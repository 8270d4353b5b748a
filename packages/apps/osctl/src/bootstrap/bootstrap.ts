import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import type { RecoverRequestInit } from '@nodecore/api/kvstore';
import {
  print,
  showProgress,
  type Tell,
  type Terminal,
  TransferBar,
  UsageError,
  printFound,
  readFormat,
} from '@nodecore/cli';
import type { SnapshotInfo } from '@nodecore/kvstore/verify';
import { codeOf } from '@nodecore/sys/pure';

import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import type { Target } from '../nodes/target.ts';
import { hexId } from '../kvstore/member-id.ts';

export type Flags = GlobalFlags & {
  readonly recoverFrom?: string;
  readonly recoverSkipHashCheck?: true;
  readonly revisionBump?: bigint;
  readonly output: string;
};

/** What one message holds. */
const pieceBytes = 256 << 10;

/** Makes the node the first member of a new cluster, empty or from a snapshot. */
export async function bootstrap(flags: Flags, terminal: Terminal): Promise<void> {
  const { recoverFrom, recoverSkipHashCheck = false, revisionBump = 0n } = flags;
  if (recoverFrom === undefined && (recoverSkipHashCheck || revisionBump > 0n))
    throw new UsageError('--recover-skip-hash-check and --revision-bump go with --recover-from');
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async (target) => {
    const { client, name, node } = target;
    let snapshot: SnapshotInfo | undefined;
    if (recoverFrom !== undefined) {
      snapshot = await proven(recoverFrom, recoverSkipHashCheck, terminal);
      const { inWords } = await import('../kvstore/snapshot.ts');
      if (format.kind === 'table')
        await print(terminal.out, `recovering from snapshot "${recoverFrom}": ${inWords(snapshot)}\n`);
    }
    const member = await showProgress([name], terminal, async (tell) => {
      if (recoverFrom !== undefined) await send(recoverFrom, target, terminal, tell);
      const request = {
        recover: recoverFrom !== undefined,
        skipHashCheck: recoverSkipHashCheck,
        revisionBump,
        snapshotSha256: snapshot?.sha256 ?? '', // another operator may send one of his own meanwhile
      };
      let memberId = 0n;
      for await (const step of client.kvstore.bootstrap(request, { node, signal: terminal.signal })) {
        tell(name, step.message);
        memberId = step.memberId;
      }
      return hexId(memberId);
    });
    const done = { node: name, member, ...(snapshot !== undefined && { snapshot }) };
    await printFound(terminal, format, [done], {
      single: true,
      text: () => `${name}: the kvstore runs, member ${member}\n`,
    });
  });
}

/** Proves the file before it is sent: what is damaged costs no minutes on the way. */
async function proven(path: string, skipDigest: boolean, { signal }: Terminal): Promise<SnapshotInfo> {
  const { verifySnapshot } = await import('@nodecore/kvstore/verify');
  const info = await verifySnapshot(path, { skipDigest, signal });
  if (info.digest === 'absent' && !skipDigest)
    throw new UsageError(
      `${path} has no hash at its end: when it was copied out of a data directory, give --recover-skip-hash-check`,
    );
  return info;
}

async function send(
  path: string,
  { client, name, node }: Target,
  terminal: Terminal,
  tell: Tell,
): Promise<void> {
  const bar = new TransferBar(terminal);
  const started = performance.now();
  const requests = pieces(path, (bytes, totalBytes) => {
    const seconds = Math.max((performance.now() - started) / 1000, 0.001);
    const bytesPerSecond = Number(bytes) / seconds;
    const remainingSeconds = bytesPerSecond === 0 ? undefined : Number(totalBytes - bytes) / bytesPerSecond;
    const line = bar.after({ bytes, totalBytes, bytesPerSecond, remainingSeconds });
    if (line !== undefined) tell(name, line);
  });
  await client.kvstore.recover(requests, { node, signal: terminal.signal });
}

async function* pieces(
  path: string,
  sent: (bytes: bigint, totalBytes: bigint) => void,
): AsyncGenerator<RecoverRequestInit> {
  const totalBytes = BigInt((await statOf(path)).size);
  const hash = createHash('sha256');
  let bytes = 0n;
  yield { totalBytes };
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes })) {
    const data = chunk as Buffer;
    hash.update(data);
    yield { data };
    bytes += BigInt(data.length);
    sent(bytes, totalBytes);
  }
  yield { sha256: hash.digest() };
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    throw new UsageError(
      `${path}: ${codeOf(error) ?? 'can not be read'}; name what osctl kvstore snapshot saved`,
    );
  }
}

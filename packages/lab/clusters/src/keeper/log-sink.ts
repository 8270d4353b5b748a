import { appendFile, rename, stat } from 'node:fs/promises';
import type { Server, Socket } from 'node:net';

import { Serial } from '@nodecore/waiting';

import type { ClusterDirectory } from '../directory.ts';
import type { PlannedNode } from '../plan.ts';
import { WholeLines } from './whole-lines.ts';

/** Of a file; as much again is in the one before it. */
const usualLargestBytes = 64 << 20;

/**
 * Writes what machines send, lines of JSON, to `services.log` of each. Who is no machine of the cluster is not listened to. When a
 * file is full it becomes `services.log.1`, and what was there before goes.
 *
 * @param listening in the cluster's network, so that who sends has an address of it.
 */
export function serveLogSink(
  listening: Server,
  directory: ClusterDirectory,
  nodes: readonly PlannedNode[],
  largestBytes: number = usualLargestBytes,
): void {
  const files = new Map(
    nodes.flatMap((node) => {
      const file = new LogFile(directory.services(node), largestBytes);
      return [node.address, ...(node.address6 === undefined ? [] : [node.address6])].map((address) => [
        address,
        file,
      ]);
    }),
  );
  listening.on('connection', (socket: Socket) => {
    socket.on('error', () => {}); // who sends is gone
    const file = files.get(socket.remoteAddress?.replace(/^::ffff:/, '') ?? '');
    if (file === undefined) {
      socket.destroy();
      return;
    }
    const lines = new WholeLines();
    socket.on('data', (data: Buffer) => {
      const text = lines.take(data).map((line) => `${line}\n`);
      if (text.length === 0) return;
      socket.pause(); // who sends more than is written waits
      void file
        .append(text.join(''))
        .catch(() => socket.destroy()) // the disk is full: it sends again
        .finally(() => socket.resume());
    });
  });
}

class LogFile {
  readonly #path: string;
  readonly #largestBytes: number;
  readonly #writes = new Serial();

  constructor(path: string, largestBytes: number) {
    this.#path = path;
    this.#largestBytes = largestBytes;
  }

  async append(text: string): Promise<void> {
    await this.#writes.run(async () => {
      const size = await stat(this.#path).then(
        (found) => found.size,
        () => 0,
      );
      if (size + text.length > this.#largestBytes && size > 0) await rename(this.#path, `${this.#path}.1`);
      await appendFile(this.#path, text, { mode: 0o600 });
    });
  }
}

import { constants, type PathLike } from 'node:fs';
import { open } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';
import { type Clock, systemClock } from '@nodecore/waiting';

import { redactedMessage } from '../kernel-log/redact.ts';

/** The longest record, with what the kernel puts around it. */
const recordBytes = 8 << 10;
const lookMs = 250;

/**
 * The kernel's log from its oldest record on, in which the agent and PID 1 write, too: what it keeps bounds what is sent to a fleet
 * that was away. One line a record, `priority,sequence,microseconds;text`, without what readers must not see. Needs root.
 */
export async function* kernelLines(
  signal: AbortSignal,
  path: PathLike = '/dev/kmsg',
  clock: Pick<Clock, 'sleep'> = systemClock,
): AsyncGenerator<string, void, undefined> {
  // Blocked in a read, a thread of the pool would be gone for good.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(recordBytes);
  while (!signal.aborted) {
    try {
      const { bytesRead } = await file.read(buffer, 0, recordBytes, null);
      if (bytesRead === 0) return; // a file of a test
      yield lineOf(buffer.toString('utf8', 0, bytesRead));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EPIPE') yield '(lines are lost: the kernel has overwritten them)';
      else if (code === 'EAGAIN') await clock.sleep(lookMs, signal).catch(() => {});
      else throw error;
    }
  }
}

/** Without the fields of devices that follow on lines of their own. */
function lineOf(record: string): string {
  const [head = ''] = record.split('\n', 1);
  const separator = head.indexOf(';');
  const [priority, sequence, microseconds] = head.slice(0, separator).split(',');
  return `${priority},${sequence},${microseconds};${redactedMessage(head.slice(separator + 1))}`;
}

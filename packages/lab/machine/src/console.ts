import { watch } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { onAbort } from '@nodecore/waiting';

/** What the firmware and the guest write to the first serial port, in the machine's directory. */
export const consoleFile = 'console.log';

/** What QEMU itself has to say. */
export const qemuLog = 'qemu.log';

const tailLines = 30;
/** A guest that says no end of a line fills a disk, and not the memory of who asks. */
const tailBytes = 64 << 10;

/** The end of what the firmware, the kernel and QEMU had to say. */
export async function consoleTail(directory: string): Promise<string> {
  const text = (await endOf(join(directory, consoleFile))) + (await endOf(join(directory, qemuLog)));
  return text.trimEnd().split('\n').slice(-tailLines).join('\n');
}

/** Resolves when a machine's console has this text. Rejects with the reason of `signal`. */
export async function consoleSays(directory: string, text: string, signal?: AbortSignal): Promise<void> {
  let wake = Promise.withResolvers<void>();
  const watcher = watch(directory, () => wake.resolve());
  using _listener = onAbort(signal, () => wake.resolve());
  try {
    while (!(await textOf(join(directory, consoleFile))).includes(text)) {
      await wake.promise;
      signal?.throwIfAborted();
      wake = Promise.withResolvers();
    }
  } finally {
    watcher.close();
  }
}

async function endOf(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const from = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString('latin1', 0, bytesRead);
  } catch {
    return '';
  }
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}

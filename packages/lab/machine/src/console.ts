import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { onAbort } from '@nodecore/waiting';

/** What the firmware and the guest write to the first serial port, in the machine's directory. */
export const consoleFile = 'console.log';

/** What QEMU itself has to say. */
export const qemuLog = 'qemu.log';

const tailLines = 30;

/** The end of what the firmware, the kernel and QEMU had to say. */
export async function consoleTail(directory: string): Promise<string> {
  const text = (await textOf(join(directory, consoleFile))) + (await textOf(join(directory, qemuLog)));
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

function textOf(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}

import { createInterface } from 'node:readline/promises';

import { UsageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks before something is done that can't be undone; anything but `y` or `yes` is no.
 *
 * @throws {UsageError} when nobody sits there to answer.
 */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  if (!('isTTY' in terminal.input) || terminal.input.isTTY !== true) {
    throw new UsageError('there is no terminal to ask at; give --yes');
  }
  const lines = createInterface({ input: terminal.input, output: terminal.error });
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: terminal.signal });
    return /^y(?:es)?$/iu.test(answer.trim());
  } finally {
    lines.close();
  }
}

import { UsageError } from './usage-error.ts';
import { printable } from './output/table.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks before something is done that can't be undone; anything but `y` or `yes` is no.
 *
 * @throws {UsageError} when nobody sits there to answer.
 */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  return /^y(?:es)?$/iu.test(await ask(terminal, `${question} [y/N] `));
}

/**
 * Asks before something is destroyed: only who types these words means these things.
 *
 * @throws {UsageError} when nobody sits there to answer.
 */
export async function confirmByName(
  terminal: Terminal,
  question: string,
  words: readonly string[],
): Promise<boolean> {
  const expected = words.join(' ');
  return (await ask(terminal, `${question}\nType ${expected} to go on: `)).replace(/\s+/gu, ' ') === expected;
}

async function ask(terminal: Terminal, prompt: string): Promise<string> {
  if (!('isTTY' in terminal.input) || terminal.input.isTTY !== true) {
    throw new UsageError('there is no terminal to ask at; give --yes');
  }
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: terminal.input, output: terminal.error });
  try {
    // Names in it are from a node.
    const shown = prompt.split('\n').map(printable).join('\n');
    return (await lines.question(shown, { signal: terminal.signal })).trim();
  } finally {
    lines.close();
  }
}

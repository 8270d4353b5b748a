import { print, printFound, type Terminal } from '@nodecore/cli';
import { migrate, redact } from '@nodecore/config';

import { readText } from '../configuration/read-text.ts';
import { writeText } from '../configuration/write-text.ts';

export type MigrateRequest = {
  /** Path, or `-` for standard input. */
  readonly file: string;
  /** Undefined: standard output, without secrets. */
  readonly output?: string;
  /** What was moved is told as JSON on standard output. */
  readonly json: boolean;
};

/**
 * Writes a configuration with the fields of the root in the documents that have replaced them, and says on standard error what
 * was moved, and what stays and why.
 *
 * @throws {ConfigError} when the configuration is not valid.
 */
export async function migrateFile({ file, output, json }: MigrateRequest, terminal: Terminal): Promise<void> {
  const given = await readText(file, '<machineconfig-file>', terminal);
  const { text, moved, left } = migrate(given.text, { file: given.place });
  if (output === undefined) await print(terminal.out, redact(text));
  else await writeText(output, text);
  if (json) {
    await printFound(terminal, { kind: 'json' }, [{ moved, left }], { single: true, text: () => '' });
    return;
  }
  for (const { from, to } of moved) await print(terminal.error, `moved ${from} to ${to}\n`);
  for (const { from, why } of left) await print(terminal.error, `left ${from}: ${why}\n`);
  if (moved.length + left.length === 0) await print(terminal.error, 'nothing to move\n');
}

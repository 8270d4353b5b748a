import { parse } from '@nodecore/config';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '../errors.ts';
import { readNamed } from '../read-named.ts';
import type { Terminal } from '../terminal.ts';

const advice = 'give the configuration with -f <file>, or -f - for standard input';

/**
 * The bytes of a configuration that has no problem this client can find.
 *
 * @throws {ConfigError} with every problem and its place; {UsageError} when there is no such file or nothing in it.
 */
export async function readConfiguration(file: string, terminal: Terminal): Promise<Buffer> {
  const data = file === '-' ? await buffer(terminal.input) : await readNamed(file, '-f', advice);
  const name = file === '-' ? 'standard input' : file;
  if (data.length === 0) throw new UsageError(`${name} is empty: no configuration to apply`);
  using configuration = parse(data.toString('utf8'), { file: file === '-' ? '<stdin>' : file });
  for (const { line, column, message } of configuration.warnings)
    terminal.error.write(`${name}:${line}:${column}: warning: ${message}\n`);
  return data;
}

import { Option } from 'commander';

import { completes, plain } from '../completion/completes.ts';
import { UsageError } from '../usage-error.ts';
import type { JsonPath } from './json-path.ts';

/** How a command prints what it found. */
export type Format =
  | { readonly kind: 'table' }
  | { readonly kind: 'json' }
  | { readonly kind: 'yaml' }
  | { readonly kind: 'jsonpath'; readonly path: JsonPath };

/**
 * The flag -o.
 *
 * @param more formats that the command reads itself, before {@link readFormat}.
 * @param flags without `-o` where that is another flag of the command.
 */
export function formatOption(more: readonly string[] = [], flags = '-o, --output <format>'): Option {
  const words = ['table', ...more, 'json', 'yaml or jsonpath=<path or template>'].join(', ');
  const option = new Option(flags, words).default('table');
  return completes(option, () => plain(['table', ...more, 'json', 'yaml', 'jsonpath=']));
}

/** The flag --json, where -o names what is written: the answer about it for programs. */
export function jsonOption(): Option {
  return new Option('--json', 'say what was written as JSON, on standard output');
}

/** Reads the value of -o. @param more formats that the command has looked for already, for the message. */
export async function readFormat(text: string, more: readonly string[] = []): Promise<Format> {
  if (text === 'table' || text === 'json' || text === 'yaml') return { kind: text };
  const expression = /^jsonpath=(.+)$/s.exec(text)?.[1];
  if (expression === undefined)
    throw new UsageError(
      `output format "${text}" is none of ${['table', ...more, 'json', 'yaml', 'jsonpath=<expression>'].join(', ')}`,
    );
  const { JsonPath } = await import('./json-path.ts');
  return { kind: 'jsonpath', path: new JsonPath(expression) };
}

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

/** The flag -o. */
export function formatOption(): Option {
  const words = 'table, json, yaml or jsonpath=<path or template>';
  const option = new Option('-o, --output <format>', words).default('table');
  return completes(option, () => plain(['table', 'json', 'yaml', 'jsonpath=']));
}

/** Reads the value of -o. */
export async function readFormat(text: string): Promise<Format> {
  if (text === 'table' || text === 'json' || text === 'yaml') return { kind: text };
  const expression = /^jsonpath=(.+)$/s.exec(text)?.[1];
  if (expression === undefined)
    throw new UsageError(`output format "${text}" is none of table, json, yaml, jsonpath=<expression>`);
  const { JsonPath } = await import('./json-path.ts');
  return { kind: 'jsonpath', path: new JsonPath(expression) };
}

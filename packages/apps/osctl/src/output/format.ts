import { Option } from 'commander';
import { UsageError } from '../errors.ts';
import type { JsonPath } from './json-path.ts';

/** How a command prints what it found. */
export type Format =
  | { readonly kind: 'table' }
  | { readonly kind: 'json' }
  | { readonly kind: 'yaml' }
  | { readonly kind: 'jsonpath'; readonly path: JsonPath };

/** The flag -o. */
export function formatOption(): Option {
  return new Option('-o, --output <format>', 'table, json, yaml or jsonpath=<path or template>').default(
    'table',
  );
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

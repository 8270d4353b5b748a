import { isMap, parseAllDocuments, stringify } from 'yaml';

import { type Configuration } from './configuration.ts';
import { parse } from './parse.ts';

/** What says who the machine is and whom it lets in. */
const fields = ['type', 'ca', 'acceptedCAs', 'certSANs'] as const;

/**
 * Who may call a machine, from a text that may be wrong everywhere else: its root document with the authorities, and nothing more.
 * For a node whose configuration an older version has taken. The caller disposes it.
 *
 * @returns undefined when not even that is valid.
 */
export function rootAlone(text: string): Configuration | undefined {
  try {
    for (const { contents } of parseAllDocuments(text)) {
      if (!isMap(contents) || contents.has('kind')) continue;
      const machine = contents.get('machine', true);
      if (!isMap(machine)) continue;
      const kept = fields.flatMap((name) =>
        machine.has(name) ? [[name, machine.get(name, true)] as const] : [],
      );
      return parse(stringify({ version: 'v1alpha1', machine: Object.fromEntries(kept) }));
    }
  } catch {
    // the parser of the whole text says what is wrong
  }
  return undefined;
}

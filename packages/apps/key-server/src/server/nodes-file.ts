import { open } from 'node:fs/promises';

import { codeOf, decodeText, TextError } from '@nodecore/sys';

import { KeyServerError } from '../errors.ts';
import { canonicalUuid } from './node-uuid.ts';

const maxBytes = 16 << 20;

/** Reads the nodes that are served: a UUID in every line, `#` begins a comment. */
export async function readNodes(path: string): Promise<ReadonlySet<string>> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > maxBytes) throw new KeyServerError('ERR_KMS_NODES', `${path}: larger than ${maxBytes} bytes`);
    return parseNodes(decodeText(await file.readFile()), path);
  } catch (error) {
    if (error instanceof KeyServerError) throw error;
    if (error instanceof TextError) {
      const message = `${path}:${error.line}:${error.column}: ${error.message}`;
      throw new KeyServerError('ERR_KMS_NODES', message, { cause: error });
    }
    throw new KeyServerError('ERR_KMS_NODES', `${path}: ${codeOf(error)}`, { cause: error });
  }
}

/** One bad line refuses the list: half of it would shut out the other half of the nodes. */
export function parseNodes(text: string, name: string): ReadonlySet<string> {
  const nodes = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const entry = line.replace(/#.*$/, '').trim();
    if (entry === '') continue;
    const uuid = canonicalUuid(entry);
    if (uuid === undefined)
      throw new KeyServerError('ERR_KMS_NODES', `${name}: line ${index + 1} is no UUID of a node`);
    nodes.add(uuid);
  }
  return nodes;
}

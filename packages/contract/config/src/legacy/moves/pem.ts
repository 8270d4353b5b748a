import { type Node } from 'yaml';

import { textOfNode, word } from '../nodes.ts';

/** The text that a text in base64 holds; undefined where there is none. */
export function pem(node: Node | undefined): Node | undefined {
  const text = textOfNode(node);
  if (text === undefined || text === '') return undefined;
  const plain = word(Buffer.from(text, 'base64').toString('utf8'), node);
  plain.type = 'BLOCK_LITERAL';
  return plain;
}

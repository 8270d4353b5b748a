import { createHash } from 'node:crypto';

import { canonicalText } from './canonical.ts';
import type { Schematic } from './schematic.ts';

/** The ID of a schematic: lower-case hex SHA-256 of its canonical text. */
export function schematicId(schematic: Schematic): string {
  return createHash('sha256').update(canonicalText(schematic)).digest('hex');
}

/** Whether a text can be the ID of a schematic. */
export function isSchematicId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

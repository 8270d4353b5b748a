import { z } from 'zod';

import { schemas, type Kind } from './kinds.ts';

/** JSON Schema (draft 2020-12) of one kind, for editors. Secret fields are `writeOnly`. */
export function jsonSchema(kind: Kind): Record<string, unknown> {
  return { title: kind, ...z.toJSONSchema(schemas[kind], { io: 'input' }) };
}

import { decodeSpec } from '@nodecore/api';
import type { Resource } from '@nodecore/api/resource';

/** The spec of a resource, as a node sent it. */
export type Fields = Readonly<Record<string, unknown>>;

/** Decodes the JSON at every call; an integer beyond 2^53 is a bigint. Throws a `SyntaxError` for bytes that are no JSON. */
export function fieldsOf({ spec }: Resource): Fields {
  return decodeSpec(spec) as Fields;
}

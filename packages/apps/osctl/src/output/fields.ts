import { decodeSpec } from '@nodecore/api';
import type { Resource } from '@nodecore/api/resource';

/** The spec of a resource, as a node sent it. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf({ spec }: Resource): Fields {
  return decodeSpec(spec) as Fields;
}

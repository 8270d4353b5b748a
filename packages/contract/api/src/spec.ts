import { parseJson, stringifyJson } from '@nodecore/sys';

export { parseJson as parse, stringifyJson as stringify } from '@nodecore/sys';

/** The wire form of a resource's spec: JSON in UTF-8. */
export function encodeSpec(spec: unknown): Buffer {
  return Buffer.from(stringifyJson(spec));
}

/** The spec of a resource from its wire form. */
export function decodeSpec(bytes: Uint8Array): unknown {
  return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}

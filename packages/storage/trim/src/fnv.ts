const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** FNV-1a with 64 bits over the UTF-8 bytes of a text (RFC 9923). Spreads names evenly; keeps no secret. */
export function fnv1a64(text: string): bigint {
  let hash = offsetBasis;
  for (const byte of Buffer.from(text, 'utf8')) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash;
}

/** Characters of a description. */
export const longest = 40;

/** Printable ASCII, cut where it is too long. Logs and tokens may hold anything. */
export function printable(text: string): string {
  const clean = text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 3)}...`;
}

/** UTF-16 as UEFI has it, up to what is worth showing. */
export function utf16(data: Uint8Array): string {
  const even = data.subarray(0, Math.min(data.length & ~1, 8 * longest));
  return Buffer.from(even).toString('utf16le').split('\0')[0] ?? '';
}

/**
 * What a checksum field says about the packet. `offloaded`: it holds the sum of the pseudo-header alone, as the kernel
 * leaves it for the network card to finish; packets that were captured where they were sent look so. `absent`: the sender
 * made none. `unverified`: not all bytes are there, or nobody asked.
 */
export type ChecksumStatus = 'correct' | 'bad' | 'offloaded' | 'absent' | 'unverified';

/** Sum of 16-bit words (RFC 1071), not folded; an odd last byte counts as the upper half of a word. */
export function sumWords(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0;
  let at = start;
  for (; at + 1 < end; at += 2) sum += (bytes[at]! << 8) | bytes[at + 1]!;
  return at < end ? sum + (bytes[at]! << 8) : sum;
}

/** Carries added back in, until 16 bits are left. */
export function fold(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  return folded;
}

/** The status of a field with the value `found` in bytes whose words, the field included, make `sum`. */
export function verify(sum: number, found: number, pseudo: number): ChecksumStatus {
  const folded = fold(sum);
  if (folded === 0xffff) return 'correct';
  return pseudo > 0 && fold(pseudo) === found ? 'offloaded' : 'bad';
}

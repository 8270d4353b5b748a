import type { Decoded } from './decoder.ts';

/**
 * One packet as one line of JSON: `time` in seconds since the epoch with nine decimals as a string, `length` on the wire
 * and `captured` in bytes, `layers` as decoded. Texts in it are safe to print.
 */
export function json(decoded: Decoded): string {
  const { seconds, nanoseconds, originalBytes, capturedBytes, linkType, layers } = decoded;
  const { truncated, malformed } = decoded;
  const time = `${seconds}.${String(nanoseconds).padStart(9, '0')}`;
  const packet = {
    time,
    length: originalBytes,
    captured: capturedBytes,
    linkType,
    layers,
    truncated,
    malformed,
  };
  return JSON.stringify(packet);
}

/** How much of a file is read at once: one read in flight for each stream, so this bounds its memory. */
export const chunkSizeBytes: number = 256 * 1024;

/** The same memory for chunk after chunk: for who is done with each before the next. */
export function oneRoom(): (sizeBytes: number) => Uint8Array {
  let memory: Buffer | undefined;
  return (sizeBytes) => (memory ??= Buffer.allocUnsafeSlow(chunkSizeBytes)).subarray(0, sizeBytes);
}

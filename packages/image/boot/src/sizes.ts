const mib = 1 << 20;

/**
 * The size of the EFI partition for a UKI of this size, in bytes: the running one, the next one, and room for the
 * boot loader and for a half-written third.
 */
export function efiPartitionSizeBytes(ukiSizeBytes: number): number {
  // 2.2 in whole numbers: the same size on every machine.
  const needed = Math.ceil((ukiSizeBytes * 22) / 10) + 64 * mib;
  return Math.max(512 * mib, Math.ceil(needed / mib) * mib);
}

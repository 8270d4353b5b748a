/** Bytes that stand for GRUB's images, with its numbers where they are. */
export function sampleGrub(): { readonly boot: Buffer; readonly core: Buffer } {
  const boot = Buffer.alloc(512, 'code');
  boot.writeUInt8(0xff, 0x64);
  boot.writeUInt16LE(0xaa55, 0x1fe);
  const core = Buffer.alloc(2048 + 512 + 3 * 512 + 100, 'core');
  core.writeUInt16LE(4, 2048 + 0x1f4 + 8);
  return { boot, core };
}

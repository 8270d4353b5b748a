import type { Instruction } from '../src/index.ts';

/** `struct sock_filter` after `struct sock_filter`, whatever the instructions are. */
export function toStructs(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  for (const [index, { code, jt, jf, k }] of instructions.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, jt);
    bytes.setUint8(index * 8 + 3, jf);
    bytes.setUint32(index * 8 + 4, k, true);
  }
  return new Uint8Array(bytes.buffer);
}

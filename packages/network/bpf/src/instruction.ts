/** One instruction of classic BPF, as `struct sock_filter` has it. */
export type Instruction = {
  /** What to do, 16 bits; see opcode.ts. */
  readonly code: number;
  /** How many instructions to skip when a comparison is true, 8 bits. */
  readonly jt: number;
  /** How many instructions to skip when a comparison is false, 8 bits. */
  readonly jf: number;
  /** The constant, unsigned, 32 bits. */
  readonly k: number;
};

/** BPF_MAXINSNS: more the kernel doesn't take. */
export const largestProgram = 4096;

/** BPF_MEMWORDS: the words of scratch memory. */
export const scratchWords = 16;

/** A constant as the signed number that C prints for it. */
export function signed(k: number): number {
  return k | 0;
}

/** `0x800`, as programs are printed. */
export function hexadecimal(k: number): string {
  return `0x${k.toString(16)}`;
}

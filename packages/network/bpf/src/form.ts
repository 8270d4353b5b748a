/** How instructions are written down. */
export type Form =
  | 'disassembly' // tcpdump -d
  | 'initializers' // tcpdump -dd: C initializers
  | 'numbers' // tcpdump -ddd: decimal numbers, with their count first
  | 'assembly'; // what the kernel's bpf_asm reads

/** All of them, in the order in which they are offered. */
export const forms: readonly Form[] = ['disassembly', 'initializers', 'numbers', 'assembly'];

/** How instructions are written down. */
export type Form =
  | 'disassembly' // tcpdump -d
  | 'initializers' // tcpdump -dd: C initializers
  | 'numbers' // tcpdump -ddd: decimal numbers, with their count first
  | 'assembly'; // what the kernel's bpf_asm reads

export const forms: readonly Form[] = ['disassembly', 'initializers', 'numbers', 'assembly'];

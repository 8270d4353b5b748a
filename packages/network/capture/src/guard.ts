import { type Instruction, type Program, program } from '@nodecore/bpf';

/** Which way packets go, seen from this machine. */
export type Direction = 'in' | 'out' | 'both';

// linux/filter.h: SKF_AD_OFF + SKF_AD_PKTTYPE and SKF_AD_IFINDEX, as unsigned numbers.
const packetType = 0xffff_f004;
const interfaceIndex = 0xffff_f008;
// linux/if_packet.h
const PACKET_OUTGOING = 4;

const loadAbsolute = 0x20; // BPF_LD | BPF_W | BPF_ABS
const jumpEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const returnConstant = 0x06; // BPF_RET | BPF_K

const op = (code: number, k: number, jt = 0, jf = 0): Instruction => ({ code, jt, jf, k });
const reject = op(returnConstant, 0);
const accept = op(returnConstant, 0xffff_ffff);

/** Refuses what goes the other way. */
export function onlyDirection(direction: 'in' | 'out'): Program {
  const [outgoing, incoming] = direction === 'in' ? [reject, accept] : [accept, reject];
  return program([op(loadAbsolute, packetType), op(jumpEqual, PACKET_OUTGOING, 0, 1), outgoing, incoming]);
}

/** The loopback device shows each packet twice, as it goes out and as it comes in: the second is enough. */
export function onceOnLoopback(index: number): Program {
  return program([
    op(loadAbsolute, interfaceIndex),
    op(jumpEqual, index, 0, 3),
    op(loadAbsolute, packetType),
    op(jumpEqual, PACKET_OUTGOING, 0, 1),
    reject,
    accept,
  ]);
}

/** Refuses what a program accepts, and accepts what it refuses. The program returns constants, as libpcap's do. */
export function except(excluded: Program): Program {
  return program(
    excluded.map((instruction) => {
      if (instruction.code !== returnConstant) return instruction;
      return instruction.k === 0 ? accept : reject;
    }),
  );
}

/** Keeps every packet, and all of it. */
export const everything: Program = program([accept]);

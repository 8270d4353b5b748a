/** One AF_PACKET ring (packet(7), TPACKET_V3). */
export type PacketRingOptions = {
  /** 0: every interface, with `cooked`. */
  readonly interfaceIndex: number;
  /** LINKTYPE_LINUX_SLL2 in place of the link layer's own header. Default false. */
  readonly cooked?: boolean;
  /** Receive packets for other machines, too. Ends with the ring, also when the process is killed. Default false. */
  readonly promiscuous?: boolean;
  /** Array of `struct sock_filter`, not empty. What it returns is the number of bytes to keep. */
  readonly filter: Uint8Array;
  /** A power of two, at least a page; default 512 KiB. */
  readonly blockBytes?: number;
  /** Default 128. The kernel keeps `blocks * blockBytes` of memory locked. */
  readonly blocks?: number;
  /** When a block that is not full is handed over; default 10 ms. */
  readonly retireMs?: number;
};

const pageBytes = 4096;
/** BPF_MAXINSNS of linux/bpf_common.h. */
const maxInstructions = 4096;
const instructionBytes = 8;

/** The six numbers that the addon takes for a ring. @throws {RangeError} for one outside its limits. */
export function ringNumbers(options: PacketRingOptions): readonly number[] {
  const { interfaceIndex, cooked = false, promiscuous = false } = options;
  const { blockBytes = 1 << 19, blocks = 128, retireMs = 10 } = options;
  if (blockBytes < pageBytes || (blockBytes & (blockBytes - 1)) !== 0 || blockBytes > 1 << 27)
    throw new RangeError(`blockBytes is a power of two from ${pageBytes} to ${1 << 27}: ${blockBytes}`);
  within('blocks', blocks, 2, 1 << 16);
  within('retireMs', retireMs, 1, 60_000);
  within('interfaceIndex', interfaceIndex, 0, 2 ** 31 - 1);
  return [interfaceIndex, cooked ? 1 : 0, promiscuous ? 1 : 0, blockBytes, blocks, retireMs];
}

/** The filter's bytes, not copied. @throws {RangeError} unless they are 1 to 4096 whole instructions. */
export function filterBytes({ filter }: PacketRingOptions): Buffer {
  const instructions = filter.byteLength / instructionBytes;
  if (!Number.isInteger(instructions) || instructions < 1 || instructions > maxInstructions)
    throw new RangeError(`a filter has 1 to ${maxInstructions} instructions of 8 bytes`);
  return Buffer.from(filter.buffer, filter.byteOffset, filter.byteLength);
}

/** @throws {RangeError} unless the value is an integer from `least` to `most`, both included. */
export function within(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} is between ${least} and ${most}: ${value}`);
}

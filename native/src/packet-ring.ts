import { addon } from './addon.ts';
import { systemCallError, translated } from './errors.ts';
import { Handle } from './handle.ts';
import type { AddonPacketRing, AddonRingCounters } from './packet-addon.ts';
import { filterBytes, type PacketRingOptions, ringNumbers } from './packet-ring-options.ts';

/**
 * A ring whose blocks are read where the kernel wrote them. One block is lent at a time; taking it back detaches its
 * `ArrayBuffer`, so that a consumer that kept it finds it empty and not full of other packets. Needs CAP_NET_RAW.
 */
export class PacketRing extends Handle<AddonPacketRing> {
  #silent = false;

  /** @throws {NativeError} EPERM without CAP_NET_RAW, ENODEV for an interface that is not there. */
  static open(options: PacketRingOptions): PacketRing {
    const { PacketRing: Native } = addon();
    const numbers = Uint32Array.from(ringNumbers(options));
    const filter = filterBytes(options);
    return new PacketRing(translated('a packet socket', () => new Native(numbers, filter)));
  }

  private constructor(native: AddonPacketRing) {
    super(native, 'packet ring');
  }

  /**
   * The next block: a `tpacket_block_desc` with its packets (linux/if_packet.h). Take it back before asking for another.
   * Undefined at the end: after `silence` when nothing is left, or once the ring is closed.
   *
   * @throws {NativeError} ENETDOWN when the interface went down or away.
   */
  async lend(): Promise<ArrayBuffer | undefined> {
    for (;;) {
      if (this.closed) return undefined;
      const block = this.native.lend(this.#silent);
      if (block !== undefined || this.#silent) return block;
      if (!(await this.readable())) return undefined;
      const errno = this.native.error();
      if (errno !== 0) throw systemCallError({ errno, syscall: 'recv' }, 'the interface');
    }
  }

  takeBack(): void {
    if (!this.closed) this.native.takeBack();
  }

  /** No packet gets in any more; what is in the ring can still be lent. */
  silence(): void {
    translated('a packet socket', () => this.native.silence());
    this.#silent = true;
  }

  counters(): AddonRingCounters {
    return translated('a packet socket', () => this.native.counters());
  }
}

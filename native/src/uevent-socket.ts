import { addon, type AddonUeventSocket } from './addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';

export type UeventBatch = {
  /** Datagrams as the kernel sent them: `action@path`, then `KEY=value`, separated by NUL. */
  readonly messages: readonly Uint8Array[];
  /** The kernel had to drop announcements: only a new scan of all devices shows what they were. */
  readonly overflowed: boolean;
};

export type UeventSocketOptions = {
  /** Room for announcements that wait for us; 64 MiB by default, cut to the system's limit without privileges. */
  readonly receiveBufferBytes?: number;
};

/**
 * The kernel's announcements of devices that come, change and go (netlink(7), NETLINK_KOBJECT_UEVENT). What other
 * processes send is dropped. Needs no privileges, but only the initial network namespaces hear anything.
 */
export class UeventSocket extends Handle<AddonUeventSocket> {
  /** @throws {NativeError} */
  static open(options: UeventSocketOptions = {}): UeventSocket {
    const { receiveBufferBytes = 64 << 20 } = options;
    const { UeventSocket: Native } = addon();
    return new UeventSocket(translated('kobject-uevent', () => new Native(receiveBufferBytes)));
  }

  private constructor(native: AddonUeventSocket) {
    super(native, 'uevent socket');
  }

  /** Waits for announcements. Undefined once the socket is closed. */
  async receive(): Promise<UeventBatch | undefined> {
    return (await this.readable()) ? translated('kobject-uevent', () => this.native.receive()) : undefined;
  }
}

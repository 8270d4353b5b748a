import type { ControlSession } from './control-session.ts';
import { deviceId, driveId, isOnPcie, isPluggable, pluggedDevice } from './disk-drivers.ts';
import { MachineError } from './errors.ts';
import type { DiskSpec, MachineSpec } from './spec.ts';

/** Changes the disks of a running machine. Lives as long as one boot. */
export class DiskBay {
  readonly #machine: string;
  readonly #control: ControlSession;
  /** Of both of QEMU's nodes of a disk. */
  readonly #cache: { readonly 'no-flush': boolean };
  /** The empty PCIe slots. */
  readonly #slots: Set<number>;
  /** Disks that were plugged in, with their slot if it is one of ours. */
  readonly #plugged = new Map<string, number | undefined>();

  constructor({ name, slots = 0, durability }: MachineSpec, control: ControlSession) {
    this.#machine = name;
    this.#cache = { 'no-flush': durability === 'none' };
    this.#control = control;
    this.#slots = new Set(Array(slots).keys());
  }

  async resize(disk: DiskSpec, sizeBytes: number): Promise<void> {
    const name = this.#plugged.has(disk.serial) ? 'node-name' : 'device';
    await this.#control.execute('block_resize', { [name]: driveId(disk), size: sizeBytes });
  }

  /** Puts a disk in. The guest notices it later. @param file the absolute path of its file, which is there. */
  async plug(disk: DiskSpec, file: string): Promise<void> {
    if (!isPluggable(disk))
      throw new MachineError(
        'ERR_MACHINE_REFUSED',
        this.#machine,
        `no ${disk.driver} disk comes while it runs`,
      );
    const slot = isOnPcie(disk) ? this.#freeSlot() : undefined;
    await this.#control.execute('blockdev-add', {
      'node-name': driveId(disk),
      driver: 'raw',
      discard: disk.discard === false ? 'ignore' : 'unmap',
      cache: this.#cache,
      file: { driver: 'file', filename: file, cache: this.#cache },
    });
    try {
      await this.#control.execute('device_add', pluggedDevice(disk, slot));
    } catch (error) {
      await this.#control.execute('blockdev-del', { 'node-name': driveId(disk) });
      throw error;
    }
    this.#plugged.set(disk.serial, slot);
    if (slot !== undefined) this.#slots.delete(slot);
  }

  /** Takes a disk out; resolves when the guest has let go of it. */
  async unplug(disk: DiskSpec): Promise<void> {
    await this.#control.removeDevice(deviceId(disk));
    if (!this.#plugged.has(disk.serial)) return; // what was there from the start goes with its device
    await this.#control.execute('blockdev-del', { 'node-name': driveId(disk) });
    const slot = this.#plugged.get(disk.serial);
    if (slot !== undefined) this.#slots.add(slot);
    this.#plugged.delete(disk.serial);
  }

  #freeSlot(): number {
    const [slot] = this.#slots;
    if (slot === undefined)
      throw new MachineError(
        'ERR_MACHINE_REFUSED',
        this.#machine,
        'no empty slot: give its value more slots',
      );
    return slot;
  }
}

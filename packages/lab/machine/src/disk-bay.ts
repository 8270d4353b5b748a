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
    const resizeBy = async (name: 'device' | 'node-name'): Promise<void> => {
      await this.#control.execute('block_resize', { [name]: driveId(disk), size: sizeBytes });
    };
    if (this.#plugged.has(disk.serial)) return await resizeBy('node-name');
    try {
      await resizeBy('device');
    } catch (error) {
      await resizeBy('node-name').catch(() => {
        // a former keeper has plugged it in
        throw error;
      });
    }
  }

  /** Puts a disk in. The guest notices it later. @param file the absolute path of its file, which is there. */
  async plug(disk: DiskSpec, file: string): Promise<void> {
    if (!isPluggable(disk))
      throw new MachineError(
        'ERR_MACHINE_REFUSED',
        this.#machine,
        `no ${disk.driver} disk comes while it runs`,
      );
    await this.#control.execute('blockdev-add', {
      'node-name': driveId(disk),
      driver: disk.format ?? 'raw',
      discard: disk.discard === false ? 'ignore' : 'unmap',
      cache: this.#cache,
      file: { driver: 'file', filename: file, cache: this.#cache },
    });
    try {
      const slot = isOnPcie(disk) ? await this.#plugIntoSlot(disk) : undefined;
      if (slot === undefined) await this.#control.execute('device_add', pluggedDevice(disk, undefined));
      this.#plugged.set(disk.serial, slot);
    } catch (error) {
      await this.#control.execute('blockdev-del', { 'node-name': driveId(disk) });
      throw error;
    }
  }

  /** Takes a disk out; resolves when the guest has let go of it. */
  async unplug(disk: DiskSpec): Promise<void> {
    await this.#control.removeDevice(deviceId(disk));
    if (!this.#plugged.has(disk.serial)) {
      // What was there from the start goes with its device; what a former keeper has plugged in does not.
      await this.#control.execute('blockdev-del', { 'node-name': driveId(disk) }).catch(() => {});
      return;
    }
    await this.#control.execute('blockdev-del', { 'node-name': driveId(disk) });
    const slot = this.#plugged.get(disk.serial);
    if (slot !== undefined) this.#slots.add(slot);
    this.#plugged.delete(disk.serial);
  }

  /** The first that QEMU takes: one may hold what a former keeper has plugged in. */
  async #plugIntoSlot(disk: DiskSpec): Promise<number> {
    let refused: unknown = new MachineError(
      'ERR_MACHINE_REFUSED',
      this.#machine,
      'no empty slot: give its value more slots',
    );
    for (const slot of this.#slots)
      try {
        await this.#control.execute('device_add', pluggedDevice(disk, slot));
        this.#slots.delete(slot);
        return slot;
      } catch (error) {
        refused = error;
      }
    throw refused;
  }
}

import { readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { Beneath, codeOf, SystemCallError } from '@nodecore/sys';

import { HostError } from './errors.ts';
import type { Originals } from './originals.ts';

/** Which driver a device has, and why it is not the one that is wanted. */
export type PciDriverStatus = {
  readonly address: string;
  readonly driver: string | undefined;
  readonly error: HostError | undefined;
};

/** Drivers of PCI devices, as somebody wants them; a device that nobody wants another driver for gets the kernel's choice. */
export class PciDrivers {
  readonly #sysfs: string;
  readonly #files: Beneath;
  readonly #originals: Originals;

  /** @param originals lies where nothing outlives the boot. @param sysfs another one in tests. */
  constructor(originals: Originals, sysfs = '/sys') {
    this.#sysfs = sysfs;
    this.#files = new Beneath(sysfs, { followLinks: true });
    this.#originals = originals;
  }

  /** Drivers by address, `0000:04:00.0`. Each device that fails keeps none of the others from getting its driver. */
  async apply(wanted: ReadonlyMap<string, string>): Promise<readonly PciDriverStatus[]> {
    const statuses: PciDriverStatus[] = [];
    for (const [address] of await this.#originals.all()) {
      if (wanted.has(address)) continue;
      const error = await failureOf(address, () => this.#giveBack(address));
      if (error !== undefined) statuses.push({ address, driver: await this.#driverOf(address), error });
    }
    for (const [address, driver] of wanted) {
      const error = await failureOf(address, () => this.#bind(address, driver));
      statuses.push({ address, driver: await this.#driverOf(address), error });
    }
    return statuses;
  }

  async #bind(address: string, driver: string): Promise<void> {
    const device = deviceOf(address);
    const current = await this.#driverOf(address);
    if (current === driver) return;
    await this.#files.read(`${device}/driver_override`); // there is such a device
    await this.#originals.remember(address, current ?? '');
    await this.#files.write(`${device}/driver_override`, driver);
    await this.#probe(address, current);
    const now = await this.#driverOf(address);
    if (now !== driver)
      throw new HostError('ERR_HOST_VALUE', address, `${driver} does not take it: is it loaded?`);
  }

  async #giveBack(address: string): Promise<void> {
    const current = await this.#driverOf(address);
    try {
      await this.#files.write(`${deviceOf(address)}/driver_override`, '\n');
      await this.#probe(address, current);
    } catch (error) {
      if (!(error instanceof SystemCallError) || error.errno !== 'ENOENT') throw error; // the device has gone
    }
    await this.#originals.forget(address);
  }

  async #probe(address: string, current: string | undefined): Promise<void> {
    if (current !== undefined) await this.#files.write(`${deviceOf(address)}/driver/unbind`, address);
    await this.#files.write('bus/pci/drivers_probe', address);
  }

  async #driverOf(address: string): Promise<string | undefined> {
    try {
      return basename(await readlink(join(this.#sysfs, deviceOf(address), 'driver')));
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return undefined;
    }
  }
}

function deviceOf(address: string): string {
  if (!/^[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$/u.test(address))
    throw new HostError('ERR_HOST_NAME', address, 'is no address of a PCI device');
  return `bus/pci/devices/${address}`;
}

async function failureOf(address: string, act: () => Promise<void>): Promise<HostError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof HostError) return error;
    if (!(error instanceof SystemCallError)) throw error;
    const isMissing = error.errno === 'ENOENT';
    const message = isMissing ? 'there is no such device' : `the kernel refuses: ${error.errno}`;
    return new HostError(isMissing ? 'ERR_HOST_NOT_FOUND' : 'ERR_HOST_FAILED', address, message, {
      cause: error,
    });
  }
}

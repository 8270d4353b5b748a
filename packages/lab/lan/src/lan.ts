import { makeDirectory } from '@nodecore/sys';

import { makeBridge } from './bridge.ts';
import { Doors } from './doors.ts';
import { LanError } from './errors.ts';
import { Namespace } from './namespace.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { endFormerServers } from './former-servers.ts';
import { lanProblems, type LanSpec } from './spec.ts';

/**
 * A cluster's network. What serves it ends with this process; the namespace with its bridge and taps stays until
 * {@link Lan.remove}, so that machines in it go on.
 *
 * @example
 * const lan = await Lan.open(spec, '/var/tmp/example/lan');
 * // … machines on the taps of lan.namespace …
 * await lan.remove();
 */
export class Lan {
  readonly spec: LanSpec;
  readonly namespace: Namespace;
  readonly #names: NameServer;
  readonly #doors: Doors;

  private constructor(spec: LanSpec, namespace: Namespace, names: NameServer, doors: Doors) {
    this.spec = spec;
    this.namespace = namespace;
    this.#names = names;
    this.#doors = doors;
  }

  /**
   * Makes the network, or serves the one that is there. Needs root. Nothing of it is left when this fails.
   *
   * @param directory for the server's configuration and log; made when it is not there.
   * @throws {LanError} `ERR_LAN_SPEC`, `ERR_LAN_COMMAND`, `ERR_LAN_INSIDE`
   */
  static async open(spec: LanSpec, directory: string): Promise<Lan> {
    const found = lanProblems(spec);
    if (found.length > 0) throw new LanError('ERR_LAN_SPEC', found.join('; '));
    await makeDirectory(directory);
    const namespace = new Namespace(spec.namespace);
    const isNew = !(await namespace.exists());
    const close: (() => Promise<void>)[] = isNew ? [() => namespace.remove()] : [];
    try {
      if (isNew) {
        await namespace.make();
        await makeBridge(namespace, spec, directory);
      } else {
        await endFormerServers(namespace, directory);
      }
      const names = await startNameServer(namespace, spec, directory);
      close.push(() => names.close());
      const doors = await Doors.open(namespace);
      close.push(() => doors.close());
      for (const door of spec.doors) await doors.door(door);
      for (const { port, target } of spec.outlets)
        await doors.outlet({ address: spec.gateway, port }, target);
      return new Lan(spec, namespace, names, doors);
    } catch (error) {
      for (const each of close.toReversed()) await each();
      throw error;
    }
  }

  /** Resolves when one of the programs that serve it is gone. */
  async lost(): Promise<void> {
    await Promise.race([this.#names.lost, this.#doors.lost()]);
  }

  /** Nobody serves it any more; the namespace stays. */
  async close(): Promise<void> {
    await this.#doors.close();
    await this.#names.close();
  }

  /** Ends all that is in the namespace, and removes it. */
  async remove(): Promise<void> {
    await this.close();
    await this.namespace.remove();
  }
}

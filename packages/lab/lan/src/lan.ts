import type { Server } from 'node:net';

import { makeDirectory } from '@nodecore/sys';

import { Serial } from '@nodecore/waiting';

import { makeBridge } from './bridge.ts';
import { type Chaos, directions, effectProblems, hasEffects } from './chaos/effects.ts';
import { MachineChaos } from './chaos/machine-chaos.ts';
import { Doors } from './doors.ts';
import { LanError } from './errors.ts';
import { Namespace } from './namespace.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { endFormerServers } from './former-servers.ts';
import { removeNetwork } from './host-namespaces.ts';
import { lanProblems, type LanSpec, type SocketAddress } from './spec.ts';

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
  /** By the names of the hosts. */
  readonly #chaos: ReadonlyMap<string, MachineChaos>;
  readonly #changes = new Serial();

  private constructor(
    spec: LanSpec,
    namespace: Namespace,
    names: NameServer,
    doors: Doors,
    chaos: ReadonlyMap<string, MachineChaos>,
  ) {
    this.spec = spec;
    this.namespace = namespace;
    this.#names = names;
    this.#doors = doors;
    this.#chaos = chaos;
  }

  /**
   * Makes the network, or serves the one that is there. Without root it is in a user namespace. Nothing of it is left when this fails.
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
    const chaos = new Map(
      spec.hosts.map(({ name, tap }) => [name, new MachineChaos(namespace, spec, tap, directory)]),
    );
    const close: (() => Promise<void>)[] = isNew ? [() => removeNetwork(spec)] : [];
    try {
      if (isNew) {
        await namespace.make();
      } else {
        await endFormerServers(namespace, directory);
        for (const each of chaos.values()) if (await each.isSet()) await each.clear();
      }
      const serve = async (): Promise<NameServer> => {
        if (isNew) await makeBridge(namespace, spec, directory);
        const names = await startNameServer(namespace, spec, directory);
        close.push(() => names.close());
        return names;
      };
      const open = async (): Promise<Doors> => {
        const doors = await Doors.open(namespace);
        close.push(() => doors.close());
        return doors;
      };
      // The process of the doors takes longer to start than all the rest. Both are over before anything is taken away.
      const both = [serve(), open()] as const;
      await Promise.allSettled(both);
      const [names, doors] = await Promise.all(both);
      const opened = spec.doors.map((door) => doors.door(door));
      await Promise.allSettled(opened);
      await Promise.all(opened);
      for (const { port, target } of spec.outlets) await doors.outlet(atGateways(spec, port), target);
      for (const { port, targets } of spec.balancers ?? [])
        await doors.balance(atGateways(spec, port), targets);
      return new Lan(spec, namespace, names, doors, chaos);
    } catch (error) {
      for (const each of close.toReversed()) await each();
      throw error;
    }
  }

  /**
   * Has frames of a host late, lost, changed, out of order or slow, on their way to it and from it; other hosts notice only
   * what they say to it. From now on, whatever was asked before; without effects frames pass as they are. It needs nft and
   * tc, and goes on when this process ends; the next {@link Lan.open} ends it.
   *
   * @param host its name.
   * @throws {LanError} `ERR_LAN_SPEC` with all that is impossible; `ERR_LAN_COMMAND`, `ERR_LAN_INSIDE`
   */
  async setChaos(host: string, chaos: Chaos): Promise<void> {
    const own = this.#chaos.get(host);
    if (own === undefined) throw new LanError('ERR_LAN_SPEC', `no host ${host}`);
    const found = directions.flatMap((each) =>
      effectProblems(chaos[each] ?? {}).map((words) => `${each} ${host}: ${words}`),
    );
    if (found.length > 0) throw new LanError('ERR_LAN_SPEC', found.join('; '));
    await this.#changes.run(async () => {
      const isWanted = directions.some((each) => hasEffects(chaos[each]));
      if (isWanted) await own.set(chaos);
      else if (await own.isSet()) await own.clear();
    });
  }

  /**
   * A server of this process at the gateway, until the network is closed. Its connections say which host they come from, as those
   * through an outlet do not.
   *
   * @throws {LanError} `ERR_LAN_INSIDE` when the port is taken.
   */
  async listen(port: number): Promise<Server> {
    return await this.#doors.listen(atGateways(this.spec, port));
  }

  /** Resolves when one of the programs that serve it is gone. */
  async lost(): Promise<void> {
    await Promise.race([this.#names.lost, this.#doors.lost()]);
  }

  /** Nobody serves it any more; the namespace stays. */
  async close(): Promise<void> {
    await this.#changes.run(async () => {
      for (const each of this.#chaos.values()) each.release();
    });
    await this.#doors.close();
    await this.#names.close();
  }

  /** Ends all that is in the namespace, and removes it. */
  async remove(): Promise<void> {
    await this.close();
    await removeNetwork(this.spec);
  }
}

/** Where something listens for all hosts: with two families at all addresses, of which a namespace has the gateways' and its own loopback. */
function atGateways({ gateway, ipv6 }: LanSpec, port: number): SocketAddress {
  return { address: ipv6 === undefined ? gateway : '::', port };
}

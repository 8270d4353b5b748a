import type { Server } from 'node:net';

import { makeDirectory } from '@nodecore/sys';

import { Serial } from '@nodecore/waiting';

import { type Chaos, directions, effectProblems, hasEffects } from './chaos/effects.ts';
import { MachineChaos } from './chaos/machine-chaos.ts';
import { Doors } from './doors.ts';
import { guardHosts } from './guard.ts';
import { LanError } from './errors.ts';
import type { InsideProgram } from './inside-program.ts';
import { Namespace } from './namespace.ts';
import { startNameServer } from './name-server.ts';
import { endFormerServers } from './former-servers.ts';
import { addressHosts, removeNetwork } from './host-namespaces.ts';
import { makeNetwork } from './make-network.ts';
import { lanProblems, type LanSpec, type SocketAddress } from './spec.ts';
import { forwardOut, makeUplink } from './uplink.ts';
import { openWayOut, wayOutProblem } from './way-out.ts';

/** How often it is looked at whether the namespace is held. */
const holderMs = 1000;

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
  /** Resolves with why this computer reaches the hosts through doors alone, in words; with undefined when it reaches their addresses. */
  readonly doorsAlone: Promise<string | undefined>;
  /** Resolves with why nothing leads out of the network, in words; with undefined when something does. */
  readonly noWayOut: Promise<string | undefined>;
  readonly #names: InsideProgram;
  readonly #doors: Doors;
  /** By the names of the hosts. */
  readonly #chaos: ReadonlyMap<string, MachineChaos>;
  readonly #changes = new Serial();
  #watch: NodeJS.Timeout | undefined;
  #wayOut: InsideProgram | undefined;

  private constructor(
    spec: LanSpec,
    namespace: Namespace,
    names: InsideProgram,
    doors: Doors,
    chaos: ReadonlyMap<string, MachineChaos>,
    directory: string,
    say: (line: string) => void,
  ) {
    this.spec = spec;
    this.namespace = namespace;
    // Nobody waits for it who starts machines: they need longer.
    this.doorsAlone =
      spec.uplink === true
        ? makeUplink(namespace, spec, directory)
        : Promise.resolve('its network has no uplink');
    this.noWayOut = this.#openWayOut(directory, say);
    this.#names = names;
    this.#doors = doors;
    this.#chaos = chaos;
  }

  /**
   * Makes the network, or serves the one that is there. Without root it is in a user namespace. Nothing of it is left when this fails.
   *
   * @param directory for the server's configuration and log; made when it is not there.
   * @param say is told of what was lost and mended.
   * @param options `joined` is called when hosts in namespaces can begin: they reach each other. Names, and what else serves them, come
   * behind; where that fails, all that is in their namespaces is ended.
   * @throws {LanError} `ERR_LAN_SPEC`, `ERR_LAN_COMMAND`, `ERR_LAN_INSIDE`
   */
  static async open(
    spec: LanSpec,
    directory: string,
    say: (line: string) => void = () => {},
    { joined = () => {} }: { readonly joined?: () => void } = {},
  ): Promise<Lan> {
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
      if (!isNew) {
        await namespace.keep();
        await endFormerServers(namespace, directory);
        for (const each of chaos.values()) if (await each.isSet()) await each.clear();
      }
      const doors = new Doors(namespace);
      close.push(async () => await doors[Symbol.asyncDispose]());
      const through = spec.doors.map((door) => doors.door(door));
      const serve = async (): Promise<InsideProgram> => {
        if (isNew) await makeNetwork(namespace, spec, directory);
        const serving = startNameServer(namespace, spec, directory, say).then((names) => {
          close.push(async () => await names[Symbol.asyncDispose]());
          return names;
        });
        const addressed = isNew ? addressHosts(spec, directory) : Promise.resolve();
        // A network without it is one all the same, and who trusts its machines has no need of it.
        const guarded = guardHosts(namespace, spec, directory).catch((error: unknown) =>
          say(`machines can take each other's addresses: ${String(error)}`),
        );
        let isFailing = false;
        serving.catch(() => (isFailing = true));
        const reachEachOther = Promise.all([addressed, guarded, ...through]);
        reachEachOther.then(
          () => isFailing || joined(), // what begins in a network that is taken away could stay
          () => {}, // told below
        );
        const all = [serving, addressed, guarded] as const;
        await Promise.allSettled(all);
        return (await Promise.all(all))[0];
      };
      // All are over before anything is taken away.
      const opened = [serve(), ...through] as const;
      await Promise.allSettled(opened);
      const [names] = await Promise.all(opened);
      for (const { port, target } of spec.outlets) await doors.outlet(atGateways(spec, port), target);
      for (const { port, targets } of spec.balancers ?? [])
        await doors.balance(atGateways(spec, port), targets);
      const lan = new Lan(spec, namespace, names, doors, chaos, directory, say);
      lan.#watchHolder(say);
      return lan;
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

  /**
   * Has the gateway pass on what comes to one of its ports, to an address in the namespace.
   *
   * @throws {LanError} `ERR_LAN_INSIDE` when the port is taken.
   */
  async relay(port: number, target: SocketAddress): Promise<void> {
    await this.#doors.balance(atGateways(this.spec, port), [target]);
  }

  /** Nobody serves it any more; the namespace stays. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.noWayOut;
    await this.#wayOut?.[Symbol.asyncDispose]();
    await this.#changes.run(async () => {
      for (const each of this.#chaos.values()) each.release();
    });
    await this.#doors[Symbol.asyncDispose]();
    await this.#names[Symbol.asyncDispose]();
  }

  /** It never fails: a cluster without a way out is one all the same. */
  async #openWayOut(directory: string, say: (line: string) => void): Promise<string | undefined> {
    const { spec, namespace } = this;
    const doorsAlone = await this.doorsAlone;
    if (spec.uplink !== true) return doorsAlone;
    const problem = wayOutProblem(spec);
    if (problem !== undefined) return problem;
    try {
      if (doorsAlone !== undefined) await forwardOut(namespace, spec, directory);
      this.#wayOut = await openWayOut(namespace, spec, directory, say);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Without root a process holds the namespace, and anybody who may end it can. */
  #watchHolder(say: (line: string) => void): void {
    const look = async (): Promise<void> => {
      if (await this.namespace.keep()) say(`who held ${this.namespace.name} was killed: another one does`);
    };
    this.#watch = setInterval(() => {
      void this.#changes.run(look).catch((error: unknown) => say(String(error)));
    }, holderMs).unref();
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

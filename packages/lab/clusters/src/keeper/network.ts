import { join } from 'node:path';

import { type Chaos, Lan, type LanSpec, removeNetwork } from '@nodecore/lan';
import { runsKept } from '@nodecore/machine/kept';

import { chaosOf } from '../chaos.ts';
import type { ClusterDirectory } from '../directory.ts';
import { type ClusterPlan, lanOf, type PlannedNode } from '../plan.ts';
import { configurationPort, logSinkPort } from '../ports.ts';
import { machinesOf, type Switches } from '../redfish/machines.ts';
import { hasKeyServer } from '../volume-request.ts';
import type { BootServer } from './boot-server.ts';
import { LeaseLog } from './lease-log.ts';
import type { KeptMachine } from './messages.ts';

type Say = (line: string) => void;

/** Called as a network comes up; see {@link ClusterNetwork.open}. */
export type NetworkSteps = { readonly cleared?: () => void; readonly joined?: () => void };

/** The network of a cluster with all that serves its nodes. What few clusters have is loaded by one that has it. */
export class ClusterNetwork {
  readonly #plan: ClusterPlan;
  readonly #directory: ClusterDirectory;
  readonly #switches: Switches;
  readonly #log: Say;
  readonly #leases: LeaseLog;
  /** Names of machines that fetched their configurations since they were switched on. */
  readonly #fetched = new Set<string>();
  #lan: Lan | undefined;
  #boot: BootServer | undefined;
  #redfish: AsyncDisposable | undefined;
  #controllers: AsyncDisposable | undefined;
  #services: AsyncDisposable | undefined;

  /** @param switches of the machines' power, for who asks by Redfish or IPMI */
  constructor(plan: ClusterPlan, directory: ClusterDirectory, switches: Switches, log: Say) {
    this.#plan = plan;
    this.#directory = directory;
    this.#switches = switches;
    this.#log = log;
    this.#leases = new LeaseLog(join(directory.lan, 'dnsmasq.log'));
  }

  /**
   * Opens it, once. Where no machine runs in it, a network that is there may be half made: it is made anew.
   *
   * @param options `cleared` is called when nothing of before is there any more, `joined` when containers can begin
   * @returns whether it was opened now.
   */
  async open(say: Say, { cleared = () => {}, joined = () => {} }: NetworkSteps = {}): Promise<boolean> {
    if (this.#lan !== undefined) return false;
    const planned = lanOf(this.#plan);
    if (planned === undefined) return false;
    const spec = await this.#withBoot(planned);
    const running = await Promise.all((await this.#directory.nodes()).map((node) => runsKept(node)));
    if (!running.includes(true)) await removeNetwork(spec);
    cleared();
    say(`network ${spec.cidr} in ${spec.namespace}`);
    const lan = await Lan.open(spec, this.#directory.lan, this.#log, { joined });
    this.#lan = lan;
    try {
      await this.#serve(lan);
      const chaos = await chaosOf(this.#directory, this.#plan);
      for (const [name, each] of Object.entries(chaos)) await lan.setChaos(name, each);
    } catch (error) {
      await this.close(); // the next one would be taken for open
      throw error;
    }
    return true;
  }

  /** As of {@link Lan.setChaos}. */
  async setChaos(name: string, chaos: Chaos): Promise<void> {
    await this.#lan?.setChaos(name, chaos);
  }

  /** How far machines are that come up. */
  async look(machines: readonly KeptMachine[]): Promise<readonly KeptMachine[]> {
    const hasDhcp = this.#plan.lan !== undefined && this.#plan.request.container === undefined;
    if (hasDhcp) await this.#leases.read();
    return machines.map((machine, index) => {
      const { mac, address, address6 } = this.#plan.nodes[index] ?? {};
      return {
        ...machine,
        ...(hasDhcp && { hasAddress: this.#leases.has([mac, address, address6]) }),
        ...(this.#fetched.has(machine.name) && { hasFetched: true as const }),
      };
    });
  }

  /** What a machine got when it came up before is of then. */
  async forget({ name, mac, address, address6 }: PlannedNode): Promise<void> {
    this.#fetched.delete(name);
    await this.#leases.forget([mac, address, address6]);
  }

  /** What leads into the network and out of it, where it is not all that there can be. */
  async tellWays(say: Say): Promise<void> {
    const lan = this.#lan;
    if (lan?.spec.uplink !== true) return;
    const [doorsAlone, noWayOut] = await Promise.all([lan.doorsAlone, lan.noWayOut]);
    if (doorsAlone !== undefined) say(`nodes are reached through doors alone: ${doorsAlone}`);
    if (noWayOut !== undefined) say(`nothing leads out of the network: ${noWayOut}`);
  }

  /** Nobody serves it any more; what runs in it stays. It can be opened again. */
  async close(): Promise<void> {
    const [services, lan, boot] = [this.#services, this.#lan, this.#boot];
    const [redfish, controllers] = [this.#redfish, this.#controllers];
    this.#services = this.#lan = this.#boot = this.#redfish = this.#controllers = undefined;
    await services?.[Symbol.asyncDispose]();
    await lan?.close();
    await boot?.close();
    await redfish?.[Symbol.asyncDispose]();
    await controllers?.[Symbol.asyncDispose]();
  }

  /** The network, with what its machines start from where that is on it. */
  async #withBoot(planned: LanSpec): Promise<LanSpec> {
    if (!('pxe' in this.#plan.request.image)) return planned;
    const { withBootServer } = await import('./boot-server.ts');
    const { spec, boot } = await withBootServer(planned, this.#directory.boot);
    this.#boot = boot;
    return spec;
  }

  /** What the gateway has for the nodes. */
  async #serve(lan: Lan): Promise<void> {
    const { request } = this.#plan;
    const { imageCache, ipmi, injection, jsonLogs } = request;
    const { nodes } = this.#plan;
    const directory = this.#directory;
    if (injection === 'http') {
      const { serveConfigurations } = await import('./configuration-server.ts');
      const fetched = (name: string): void => void this.#fetched.add(name);
      serveConfigurations(await lan.listen(configurationPort), directory, nodes, fetched);
    }
    if (jsonLogs === true) {
      const { serveLogSink } = await import('./log-sink.ts');
      serveLogSink(await lan.listen(logSinkPort), directory, nodes);
    }
    if (imageCache !== undefined) {
      const { serveImageCache } = await import('./image-cache-server.ts');
      await serveImageCache(await lan.listen(imageCache.port), imageCache);
    }
    const { redfish } = this.#plan;
    if (redfish !== undefined) {
      const { redfishCredentials } = await import('../redfish/credentials.ts');
      const { serveRedfish } = await import('../redfish/server.ts');
      using credentials = await redfishCredentials(directory, redfish.address);
      const machines = machinesOf(this.#plan, this.#switches, this.#log);
      this.#redfish = await serveRedfish(redfish, credentials, machines);
    }
    if (hasKeyServer(request) || (request.services ?? []).length > 0) {
      const { serveGateway } = await import('../gateway/services.ts');
      this.#services = await serveGateway(lan, this.#plan, directory, this.#log);
    }
    if (ipmi === true) {
      const { serveControllers } = await import('../ipmi/controllers.ts');
      const machines = machinesOf(this.#plan, this.#switches, this.#log, 'IPMI');
      this.#controllers = await serveControllers(directory, machines, this.#log);
    }
  }
}

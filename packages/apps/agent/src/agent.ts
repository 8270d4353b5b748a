import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Inventory } from '@nodecore/block';
import type { Configuration } from '@nodecore/config';
import { Store } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { aborted, type Clock, Latest, systemClock } from '@nodecore/waiting';
import { fromConfiguration } from '@nodecore/volumes';

import type { AgentOptions } from './agent-options.ts';
import { CaptureDirectory } from './captures/capture-directory.ts';
import { Captures } from './captures/captures.ts';
import { Cgroups } from './cgroups/cgroups.ts';
import { Certificates, checkAuthority } from './certificates/certificates.ts';
import type { Numbered } from './configuration/configurator-parts.ts';
import { Configurator } from './configuration/configurator.ts';
import { checkKeys } from './configuration/key-checks.ts';
import { checkDirectories } from './configuration/live-directories.ts';
import { discover } from './discovery/discovery.ts';
import { SaltKeeper } from './keys/salt-keeper.ts';
import { publishConfiguration } from './configuration/machine-config.ts';
import { NodeKeys, rootsOf } from './keys/node-keys.ts';
import { superviseController } from './supervisor/supervise-controller.ts';
import { publishSecurity } from './security/security.ts';
import { VolumeController } from './volumes/volume-controller.ts';
import { KvstoreNode } from './kvstore/kvstore-node.ts';
import type { Log } from './log.ts';
import { Maintenance } from './maintenance/maintenance.ts';
import { firmwareUuid } from './persistence/machine-uuid.ts';
import { followState } from './boot/follow-state.ts';
import { StateDirectory } from './persistence/state-directory.ts';
import { StateSource } from './persistence/state-source.ts';
import { StateVolume } from './persistence/state-volume.ts';
import { PressurePolicies } from './pressure/pressure.ts';
import { Mounts } from './mounts/mounts.ts';
import { Proofs } from './proofs/proofs.ts';
import { type Ending, Resets } from './resets/resets.ts';
import { publishDefinitions } from './resources/catalog.ts';
import type { Address } from './server/listener.ts';
import { AuditTrail } from './server/audit-trail.ts';
import { NodeIdentity } from './certificates/node-identity.ts';
import { ApiServer } from './server/server.ts';
import { dropStrings } from './strings.ts';
import { trimIntervals } from './trims/intervals.ts';
import { Trims } from './trims/trims.ts';
import { Wipes } from './wipes/wipes.ts';

/**
 * The agent as a whole: wires the parts, starts them in order, and ends them in the opposite order.
 *
 * Needs root. A process that was killed leaves mounts and mappings behind; the next one takes them over.
 */
export class Agent {
  readonly #options: AgentOptions;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  readonly #store: Store;
  readonly #inventory = new Latest<Inventory>();
  readonly #volumes: VolumeController;
  readonly #mounts: Mounts;
  readonly #trims: Trims;
  readonly #kvstore: KvstoreNode;
  readonly #pressure: PressurePolicies;
  readonly #configurator: Configurator;
  readonly #server: ApiServer;
  readonly #audit: AuditTrail;
  readonly #certificates: Certificates;
  readonly #keys: NodeKeys;
  readonly #resets: Resets;
  readonly #captures: Captures;
  readonly #ending = Promise.withResolvers<Ending>();
  #isHalted = false;
  readonly #salt: SaltKeeper;
  /** The volumes of a configuration are wanted; before that STATE alone is. */
  #hasVolumes = false;
  readonly #maintenance: Maintenance;
  readonly #stateVolume: StateVolume | undefined;
  readonly #directory: StateDirectory | undefined;
  readonly #state: StateSource;
  readonly #running: Promise<void>[] = [];
  #address: Address;

  private constructor(options: AgentOptions, directory: StateDirectory | undefined) {
    const { log, clock = systemClock, runDirectory = '/run/nodecore', keyDerivation } = options;
    this.#options = options;
    this.#log = log;
    this.#clock = clock;
    this.#address = options.listen;
    this.#directory = directory;
    const store = (this.#store = new Store({ clock }));
    const state = (this.#state = new StateSource(directory, () => this.#stateVolume));
    const inventory = this.#inventory;
    const machineUuid = (): string => this.#volumes.machineUuid;
    const mounts = (): ReturnType<VolumeController['mounts']> => this.#volumes.mounts();
    const systemDisk = directory === undefined;
    const identity = new NodeIdentity();
    this.#keys = new NodeKeys(identity);
    this.#salt = new SaltKeeper({ store, log, use: (salt) => this.#keys.useSalt(salt) });
    this.#volumes = new VolumeController({
      store,
      log,
      clock,
      inventory,
      intents: state,
      systemDisk,
      keyDerivation,
      keySources: () => this.#keys.sources(),
      changed: () => {
        this.#mounts.reconcile();
        this.#forgetFormerKeys();
      },
    });
    this.#mounts = new Mounts({ store, volumes: () => this.#volumes.mounted });
    const kept = async (): Promise<string> => (await this.#state.directory()).path;
    const parts = { store, log, clock, runDirectory, mounts, nodeId: machineUuid, directory: kept };
    this.#trims = new Trims(parts);
    this.#kvstore = new KvstoreNode({ store, log, clock, runDirectory, stateDirectory: directory?.path });
    this.#pressure = new PressurePolicies(parts);
    const trust = (roots: readonly string[]): void => this.#keys.trust(roots);
    this.#stateVolume = systemDisk
      ? new StateVolume({ log, inventory, volumes: this.#volumes, trust })
      : undefined;
    // Beside the rest of what the node keeps: on a machine of its own, on STATE.
    const captured = new CaptureDirectory(async () => join(await kept(), 'captures'));
    this.#captures = new Captures({ log, clock, directory: captured, apiPort: () => this.#address.port });
    this.#configurator = new Configurator({
      log,
      clock,
      prepareState: async (configuration) =>
        this.#directory ?? (await this.#state.volume.prepare(configuration)),
      prepareTrial: async (configuration) => this.#stateVolume?.prepareTrial(configuration),
      volumeStatuses: () => this.#volumes.statuses(),
      admit: (configuration, active) => this.#admit(configuration, active),
      activate: (active, former) => this.#activate(active, former),
      keysInForce: () => this.#volumes.keysInForce,
      settle: async (configuration) => {
        await this.#stateVolume?.settle(configuration);
        this.#keys.trust(rootsOf(configuration));
      },
      forgetTexts: () => dropStrings(log),
      publish: (active, persisted) => publishConfiguration(this.#store, active, persisted),
    });
    const isConfigured = (): boolean => this.#hasVolumes;
    this.#resets = new Resets({
      isOwnMachine: systemDisk,
      inventory,
      statuses: () => this.#volumes.statuses(),
      isConfigured,
      leave: (volumes) => this.#kvstore.leaveWith(volumes),
      halt: () => this.#haltForReset(),
      begin: (record, disks) => this.#state.volume.beginReset(record, disks),
      perform: (disks, tell) => this.#state.volume.performReset(disks, tell),
      end: (ending) => this.#ending.resolve(ending),
    });
    this.#server = new ApiServer({
      log,
      clock,
      audit: (this.#audit = new AuditTrail({ log, locate: async () => join(await kept(), 'audit') })),
      store,
      configurator: this.#configurator,
      volumes: this.#volumes,
      captures: this.#captures,
      cgroups: new Cgroups({ clock }),
      trims: this.#trims,
      kvstore: this.#kvstore,
      storage: {
        proofs: new Proofs({ inventory, volumes: this.#volumes, isConfigured }),
        wipes: new Wipes({ inventory, volumes: this.#volumes, isConfigured }),
        resets: this.#resets,
      },
    });
    this.#certificates = new Certificates({ server: this.#server, identity, machineUuid, clock });
    this.#maintenance = new Maintenance({ log, server: this.#server, runDirectory });
  }

  /** Starts everything. The API answers when this resolves, or, where a system disk is looked for, soon after. */
  static async start(options: AgentOptions): Promise<Agent> {
    const directory = options.state === undefined ? undefined : await StateDirectory.open(options.state);
    const agent = new Agent(options, directory);
    await agent.#start();
    return agent;
  }

  /** Where the API listens. */
  get address(): Address {
    return this.#address;
  }

  /** Resolves when a reset has been done, and all is to begin anew. The agent is to be stopped then. */
  get ending(): Promise<Ending> {
    return this.#ending.promise;
  }

  /** Ends everything: calls first, volumes last. */
  async stop(): Promise<void> {
    this.#log.info('stopping');
    await this.#server.close();
    await this.#halt({ unmount: this.#options.unmountOnExit });
    await this.#maintenance.end();
    this.#configurator[Symbol.dispose]();
    await this.#keys[Symbol.asyncDispose]();
  }

  /** Whoever asked for the reset is still told of it; all other streams end. */
  async #haltForReset(): Promise<void> {
    this.#server.quiesce();
    await this.#captures.end();
    await this.#halt({ unmount: true });
  }

  /** Ends everything but the API. A second call leaves what the first one could not unmount for the next agent to take over. */
  async #halt(options: { readonly unmount: boolean }): Promise<void> {
    if (this.#isHalted) return;
    this.#isHalted = true;
    await this.#configurator.close();
    this.#stopping.abort();
    await Promise.all(this.#running);
    await this.#pressure.close();
    await this.#trims.close(); // nothing of ours holds a mount any more
    await this.#volumes.close(options);
  }

  async #start(): Promise<void> {
    publishDefinitions(this.#store);
    const { listen, metrics } = this.#options;
    this.#address = await this.#server.listen(listen);
    const [store, log, inventory] = [this.#store, this.#log, this.#inventory];
    if (metrics !== undefined)
      // Its library is a twelfth of what an agent loads, and few ask for it.
      this.#keep('metrics', async (signal) => {
        const { serveMetrics } = await import('./metrics/metrics.ts');
        const [api, audit, captures] = [this.#server, this.#audit, this.#captures];
        await serveMetrics(metrics, { store, log, api, audit, captures }, signal);
      });
    const systemDisk = this.#directory === undefined;
    this.#keep('discovery', (signal) => discover({ store, log, inventory, systemDisk }, signal));
    this.#keep('volumes', (signal) => this.#volumes.publish(signal));
    this.#keep('mounts', (signal) => this.#mounts.run(signal));
    this.#keep('trims', (signal) => this.#trims.run(signal));
    this.#keep('kvstore', (signal) => this.#kvstore.run(signal));
    this.#keep('pressure', (signal) => this.#pressure.run(signal));
    this.#keep('certificates', (signal) => this.#certificates.run(signal));
    this.#keep('security', async (signal) => {
      await publishSecurity({ store, log });
      await aborted(signal);
    });
    if (this.#directory === undefined) {
      const [configurator, maintenance, stateVolume] = [
        this.#configurator,
        this.#maintenance,
        this.#state.volume,
      ];
      const parts = { log, configurator, maintenance, stateVolume, address: () => this.#address };
      this.#keep('state', (signal) => followState(parts, signal));
    }
    if (this.#directory !== undefined) await this.#startOnHost(this.#directory);
  }

  async #startOnHost(directory: StateDirectory): Promise<void> {
    this.#volumes.start((await firmwareUuid()) ?? (await directory.machineUuid(randomUUID)));
    const configured = await this.#configurator.boot(directory);
    if (!configured)
      await this.#maintenance.begin('the state directory holds no configuration', this.#address);
  }

  async #admit(configuration: Configuration, active: Configuration | undefined): Promise<readonly string[]> {
    this.#resets.requireIdle();
    await checkAuthority(configuration);
    const { mountRoot = '/' } = this.#options;
    await checkDirectories(configuration, active, { statuses: this.#volumes.statuses(), mountRoot });
    const { machineUuid: uuid } = this.#volumes;
    return checkKeys(configuration, active, (id, keys) => this.#keys.try(configuration, uuid, id, keys));
  }

  async #activate({ configuration, version }: Numbered, previous: readonly Configuration[]): Promise<void> {
    await this.#certificates.use(configuration);
    await this.#maintenance.end();
    await this.#salt.take(() => this.#state.directory());
    this.#keys.trust(rootsOf(configuration, ...previous));
    const { mountRoot } = this.#options;
    const systemDisk = this.#directory === undefined;
    await this.#kvstore.configure(configuration);
    await this.#trims.configure(trimIntervals(configuration, { systemDisk }));
    await this.#pressure.configure(configuration.pressurePolicies);
    this.#volumes.apply(
      fromConfiguration(configuration, {
        systemDisk,
        previous,
        ...(mountRoot !== undefined && { mountRoot }),
      }),
    );
    this.#hasVolumes = true;
    this.#log.info({ version }, 'configuration is active');
  }

  #forgetFormerKeys(): void {
    this.#configurator.forgetFormer().catch((error: unknown) => {
      this.#log.error({ code: codeOf(error), err: error }, 'keys of before are kept');
    });
  }

  #keep(name: string, controller: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.#stopping;
    this.#running.push(superviseController(name, controller, { log: this.#log, clock: this.#clock, signal }));
  }
}

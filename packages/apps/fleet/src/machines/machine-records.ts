import {
  type FleetDefinition,
  links,
  type LinkSpec,
  machines,
  type MachineSpec,
  machineStatuses,
  type MachineStatusSpec,
  pendingMachines,
  type PendingMachineSpec,
} from '@nodecore/fleet-api';
import type { MachineFacts, ProvisionRequest } from '@nodecore/fleet-link';
import type { Json, Key, Operation } from '@nodecore/state';

import type { Fleet } from '../feature.ts';
import { kindOf } from '../tokens/join-token.ts';

/** Machines that were denied and are shown. Anybody can make them. */
const maxPending = 256;

/** What the fleet keeps of its machines. Writes about one machine come one after the other. */
export class MachineRecords {
  readonly #fleet: Pick<Fleet, 'state' | 'clock'>;

  constructor(fleet: Pick<Fleet, 'state' | 'clock'>) {
    this.#fleet = fleet;
  }

  /** At the start no link stands, and nobody waits. */
  async begin(): Promise<void> {
    const { state } = this.#fleet;
    for (const { metadata } of (await state.list(kindOf(pendingMachines))).resources)
      await state.transaction([{ op: 'destroy', key: keyOf(pendingMachines, metadata.id) }]);
    for (const { metadata, spec } of (await state.list(kindOf(links))).resources)
      if ((spec as LinkSpec).connected) await this.disconnected(metadata.id);
  }

  /** Whether the machine may come without a token: it has come before, and nobody wants it forgotten. */
  async isKnown(machine: string): Promise<boolean> {
    return (await this.#fleet.state.get(keyOf(links, machine)))?.metadata.phase === 'running';
  }

  async connected({ machine, key, facts }: ProvisionRequest, address: string): Promise<void> {
    const { nodeApiSpki, uuid, schematicId, osVersion } = facts;
    const link: LinkSpec = {
      publicKey: key.toString('base64'),
      connected: true,
      lastEndpoint: address,
      uuid,
      osVersion,
      ...(schematicId !== undefined && { schematicId }),
      ...(nodeApiSpki !== undefined && { nodeApiSpki: Buffer.from(nodeApiSpki, 'base64').toString('hex') }),
    };
    const { state } = this.#fleet;
    await state.transaction([
      ...(await this.#put(links, machine, link, true)),
      ...(await this.#put(machines, machine, this.#machine(true, address), true)),
      ...(await this.#put(machineStatuses, machine, statusOf(facts, true), true)),
    ]);
    await this.#remove(pendingMachines, machine);
  }

  /** The machine says something else of itself than before. */
  async told(machine: string, facts: MachineFacts): Promise<void> {
    const operations = await this.#put(machineStatuses, machine, statusOf(facts, true), true);
    await this.#fleet.state.transaction(operations);
  }

  async disconnected(machine: string): Promise<void> {
    const { state } = this.#fleet;
    const [link, status] = [
      await state.get(keyOf(links, machine)),
      await state.get(keyOf(machineStatuses, machine)),
    ];
    if (link?.metadata.phase !== 'running') return; // it is being forgotten
    const spec = link.spec as LinkSpec;
    await state.transaction([
      ...(await this.#put(links, machine, { ...spec, connected: false }, false)),
      ...(await this.#put(machines, machine, this.#machine(false, spec.lastEndpoint), false)),
      ...(await this.#put(
        machineStatuses,
        machine,
        { ...(status?.spec as MachineStatusSpec | undefined), connected: false },
        false,
      )),
    ]);
  }

  async denied({ machine, key, facts }: ProvisionRequest, address: string, reason: string): Promise<void> {
    const { resources } = await this.#fleet.state.list(kindOf(pendingMachines));
    const isShown = resources.some(({ metadata }) => metadata.id === machine);
    if (!isShown && resources.length >= maxPending) return;
    const { uuid, osVersion } = facts;
    const publicKey = key.toString('base64');
    const spec: PendingMachineSpec = { publicKey, reason, lastEndpoint: address, uuid, osVersion };
    await this.#fleet.state.transaction(await this.#put(pendingMachines, machine, spec, false));
  }

  /** What is left of a machine whose link was destroyed. */
  async forgotten(machine: string): Promise<void> {
    await this.#remove(machines, machine);
    await this.#remove(machineStatuses, machine);
  }

  #machine(connected: boolean, remoteAddress: string): MachineSpec {
    return { connected, remoteAddress, changedAt: new Date(this.#fleet.clock.now()).toISOString() };
  }

  async #put(
    definition: FleetDefinition,
    id: string,
    spec: object,
    connected: boolean,
  ): Promise<readonly Operation[]> {
    const key = keyOf(definition, id);
    const before = await this.#fleet.state.get(key);
    // A field without a value is no field.
    const next = JSON.parse(JSON.stringify(spec)) as Json;
    if (before === undefined) return [{ op: 'create', key, spec: next, labels: labelsOf(connected) }];
    const { version, labels } = before.metadata;
    const { connected: _up, disconnected: _down, ...others } = labels;
    return [{ op: 'update', key, spec: next, version, labels: { ...others, ...labelsOf(connected) } }];
  }

  async #remove(definition: FleetDefinition, id: string): Promise<void> {
    const key = keyOf(definition, id);
    const { state } = this.#fleet;
    if ((await state.get(key)) !== undefined) await state.transaction([{ op: 'destroy', key }]);
  }
}

function statusOf(facts: MachineFacts, connected: boolean): MachineStatusSpec {
  const { uuid, hostname, osVersion, stage, addresses, schematicId } = facts;
  return {
    connected,
    uuid,
    osVersion,
    stage,
    maintenance: stage === 'maintenance',
    ...(hostname !== undefined && { hostname }),
    ...(addresses !== undefined && { addresses }),
    ...(schematicId !== undefined && { schematic: { fullId: schematicId } }),
  };
}

function labelsOf(connected: boolean): Readonly<Record<string, string>> {
  return connected ? { connected: '' } : { disconnected: '' };
}

function keyOf(definition: FleetDefinition, id: string): Key {
  return { ...kindOf(definition), id };
}

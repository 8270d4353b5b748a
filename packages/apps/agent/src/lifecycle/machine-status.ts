import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

import type { VolumeStatus } from '@nodecore/volumes';

import { kvstoreService, type MemberPhase } from '../kvstore/member-state.ts';
import type { Sequence } from './take-overs.ts';

/** What the machine is doing as a whole. */
export type Stage =
  | 'booting'
  | 'installing'
  | 'maintenance'
  | 'running'
  | 'rebooting'
  | 'shuttingDown'
  | 'resetting'
  | 'upgrading';

/** Something that the machine lacks to be ready. */
export type UnmetCondition = { readonly name: string; readonly reason: string };

/** The spec of a `MachineStatus`. */
export type MachineStatus = {
  readonly stage: Stage;
  readonly status: { readonly ready: boolean; readonly unmetConditions: readonly UnmetCondition[] };
};

/** This node's member of the kvstore, as its resource has it. */
type Member = {
  readonly phase: MemberPhase;
  readonly reason?: string | undefined;
  readonly idle?: boolean | undefined;
};

export type MachineFacts = {
  readonly sequence: Sequence | undefined;
  readonly isConfigured: boolean;
  readonly isInMaintenance: boolean;
  readonly volumes: readonly Pick<VolumeStatus, 'id' | 'phase' | 'errorMessage' | 'reason'>[];
  /** Undefined: the node is no member. */
  readonly member: Member | undefined;
  /** The clock was right once, or nobody waits for it. */
  readonly isTimeReady: boolean;
  /** Undefined where the network is not the node's own. */
  readonly addresses: readonly string[] | undefined;
  /** Programs that the node keeps running. */
  readonly services?: readonly ServiceFacts[];
  /** Why the machine has not the name that it is to have. */
  readonly hostnameError?: string | undefined;
  /** Files below /etc that are not as wanted: which, and why. */
  readonly etcErrors?: readonly string[];
};

/** A service as its resource has it. */
export type ServiceFacts = {
  readonly id: string;
  readonly state: string;
  readonly running: boolean;
  readonly healthy: boolean;
  readonly unknown: boolean;
  readonly message: string;
  readonly healthMessage?: string;
};

/** The beginning of a machine is known by what there is of it. */
const stages: Readonly<Partial<Record<Sequence, Stage>>> = {
  install: 'installing',
  reboot: 'rebooting',
  reset: 'resetting',
  rollback: 'upgrading',
  shutdown: 'shuttingDown',
  upgrade: 'upgrading',
};

/** Only where the machine works for somebody there is something to be ready for. */
const working: ReadonlySet<Stage> = new Set(['booting', 'running']);

/** The condition that is unmet while the member of the kvstore has no data, and waits until somebody says how to begin. */
const bootstrapCondition = 'kvstore';

/** Whether the machine does all that it can do by itself: what it lacks is the bootstrap of its kvstore at most. */
export function isUp({ status: { ready, unmetConditions } }: Pick<MachineStatus, 'status'>): boolean {
  return (
    ready || (unmetConditions.length > 0 && unmetConditions.every(({ name }) => name === bootstrapCondition))
  );
}

/** What holds of the facts. */
export function machineStatus(facts: MachineFacts): MachineStatus {
  const stage = stageOf(facts);
  const unmetConditions = working.has(stage) ? [...unmet(facts)] : [];
  return { stage, status: { ready: unmetConditions.length === 0, unmetConditions } };
}

function stageOf({ sequence, isConfigured, isInMaintenance }: MachineFacts): Stage {
  const stage = sequence && stages[sequence];
  if (stage !== undefined) return stage;
  if (isConfigured) return 'running';
  return isInMaintenance ? 'maintenance' : 'booting';
}

function* unmet(facts: MachineFacts): Generator<UnmetCondition> {
  const { isConfigured, volumes, member, isTimeReady, addresses } = facts;
  if (!isConfigured) yield { name: 'configuration', reason: 'no configuration is active yet' };
  if (addresses?.length === 0) yield { name: 'network', reason: 'no interface has an address' };
  if (facts.hostnameError !== undefined)
    yield { name: 'network', reason: `the hostname is not set: ${facts.hostnameError}` };
  for (const reason of facts.etcErrors ?? []) yield { name: 'network', reason };
  for (const { id, phase, errorMessage, reason } of volumes)
    if ((id === 'STATE' || id === 'EPHEMERAL') && phase !== 'ready')
      yield { name: 'volumes', reason: `${id} is ${phase}${because(errorMessage ?? reason)}` };
  if (!isTimeReady) yield { name: 'time', reason: 'the clock was not set yet: see osctl get timestatus' };
  const kvstore = member && memberLack(member);
  if (kvstore !== undefined) yield kvstore;
  for (const service of facts.services ?? []) {
    // Why its program does not run was said.
    const isSaid = kvstore !== undefined && service.id === kvstoreService;
    const reason = isSaid ? undefined : serviceLack(service);
    if (reason !== undefined) yield { name: 'services', reason: `${service.id} ${reason}` };
  }
}

function memberLack({ phase, reason, idle }: Member): UnmetCondition | undefined {
  if (phase === 'disabled' || phase === 'running') return undefined;
  if (phase === 'waiting' && idle === true)
    return { name: bootstrapCondition, reason: reason ?? 'nobody has begun it' };
  return { name: 'services', reason: `kvstore is ${phase}${because(reason)}` };
}

/** What has ended in order, or was never begun, is not lacking. */
const quiet: ReadonlySet<string> = new Set(['Initialized', 'Finished', 'Skipped']);

function serviceLack({ state, running, healthy, unknown, ...texts }: ServiceFacts): string | undefined {
  if (quiet.has(state)) return undefined;
  if (!running)
    return `is ${state.toLowerCase()}${because(texts.message === '' ? undefined : texts.message)}`;
  return unknown || healthy ? undefined : `is not healthy${because(texts.healthMessage)}`;
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason}`;
}

/** Addresses by which others reach this machine. */
export function outsideAddresses(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string[] {
  return Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !/^(?:fe[89ab]|169\.254\.)/iu.test(address))
    .map(({ address }) => address);
}

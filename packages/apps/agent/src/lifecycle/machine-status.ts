import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

import type { VolumeStatus } from '@nodecore/volumes';

import type { MemberPhase } from '../kvstore/member-state.ts';
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

export type MachineFacts = {
  readonly sequence: Sequence | undefined;
  readonly isConfigured: boolean;
  readonly isInMaintenance: boolean;
  readonly volumes: readonly Pick<VolumeStatus, 'id' | 'phase' | 'errorMessage' | 'reason'>[];
  /** Undefined: the node is no member. */
  readonly member: { readonly phase: MemberPhase; readonly reason?: string | undefined } | undefined;
  /** The clock was right once, or nobody waits for it. */
  readonly isTimeReady: boolean;
  /** Undefined where the network is not the node's own. */
  readonly addresses: readonly string[] | undefined;
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

/** What holds of the facts. A member of the kvstore that waits for its bootstrap is ready for it. */
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
  for (const { id, phase, errorMessage, reason } of volumes)
    if ((id === 'STATE' || id === 'EPHEMERAL') && phase !== 'ready')
      yield { name: 'volumes', reason: `${id} is ${phase}${because(errorMessage ?? reason)}` };
  if (!isTimeReady) yield { name: 'time', reason: 'the clock was not set yet: see osctl get timestatus' };
  const settled: ReadonlySet<MemberPhase> = new Set(['disabled', 'waiting', 'running']);
  if (member !== undefined && !settled.has(member.phase))
    yield { name: 'services', reason: `kvstore is ${member.phase}${because(member.reason)}` };
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

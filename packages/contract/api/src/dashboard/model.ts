import type {
  PressureResponse,
  KernelLogRecord,
  VersionResponse,
  Resource,
  ServiceInfo,
  LoadAvgResponse,
} from '../../gen/nodecore-v1.js';
import type { ResourceDefinition } from '../definition.ts';
import type { MemoryUse } from '../readings/memory-use.ts';
import type { Sampled } from '../readings/process-samples.ts';
import type { VolumeSpace } from '../readings/volume-spaces.ts';
import type { Notes } from './dashboard-node.ts';

/** An answer, or in a line why there is none; undefined: not asked yet. */
export type Part<Value> = { readonly value: Value } | { readonly failure: string } | undefined;

export type Processor = {
  readonly count: number;
  /** Percent of all of them, since the reading before. */
  readonly percent: number | undefined;
  readonly each: readonly { readonly name: string; readonly percent: number | undefined }[];
};

/** Bytes per second. */
export type DeviceRate = {
  readonly name: string;
  readonly into: number | undefined;
  readonly out: number | undefined;
};

/** The first is all of them together. */
export type Rates = readonly [total: DeviceRate, ...each: DeviceRate[]];

export type Activity = {
  readonly processes: readonly Sampled[];
  /** How long the machine runs. */
  readonly uptimeMs: number;
};

/** What the machine says of itself as a whole. */
export type Machine = {
  readonly stage: string;
  readonly ready: boolean;
  readonly unmet: readonly { readonly name: string; readonly reason: string }[];
};

/** The resources of a kind on a node, as they are now. */
export type Table = {
  readonly definition: ResourceDefinition;
  readonly resources: Part<readonly Resource[]>;
  /** Why they may be old; undefined while the node tells of every change. */
  readonly interruption?: string;
};

/** What of the resources of a node somebody looks at. */
export type Browsed = {
  readonly kinds: Part<readonly ResourceDefinition[]>;
  /** Of the kind that is looked at. */
  readonly table?: Table;
};

/** The values of the last intervals, oldest first; undefined: not known then. */
export type History = readonly (number | undefined)[];

/** All that is known of a node. */
export type NodeModel = {
  /** As the user named it. */
  readonly name: string;
  /** Why it does not answer; undefined while it does. */
  readonly failure?: string;
  /** When it is asked again; while it does not answer. */
  readonly retryMs?: number;
  /** When it answered last; undefined: never. */
  readonly answeredMs?: number;
  readonly version?: VersionResponse;
  readonly processor?: Part<Processor>;
  readonly memory?: Part<MemoryUse>;
  readonly load?: Part<LoadAvgResponse>;
  readonly network?: Part<Rates>;
  readonly disks?: Part<Rates>;
  readonly pressure?: Part<PressureResponse>;
  readonly activity?: Part<Activity>;
  readonly machine?: Part<Machine>;
  /** What its owner has to say besides. */
  readonly notes?: Notes;
  readonly volumes?: Part<readonly VolumeSpace[]>;
  readonly services?: Part<readonly ServiceInfo[]>;
  readonly log?: Part<readonly KernelLogRecord[]>;
  /** What of its resources somebody looks at. */
  readonly browsed?: Browsed;
  readonly histories: Readonly<Record<HistoryName, History>>;
};

export type HistoryName = 'processor' | 'memory' | 'received' | 'sent' | 'read' | 'written';

export const noHistories: NodeModel['histories'] = {
  processor: [],
  memory: [],
  received: [],
  sent: [],
  read: [],
  written: [],
};

/** The value of a part that was answered. */
export function valueOf<Value>(part: Part<Value>): Value | undefined {
  return part !== undefined && 'value' in part ? part.value : undefined;
}

/** What stands where the value of a part would. */
export function absenceOf(part: Part<unknown>): string {
  return part !== undefined && 'failure' in part ? part.failure : 'waiting for the node';
}

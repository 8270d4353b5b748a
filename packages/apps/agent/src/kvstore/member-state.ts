import type { MemberStatus } from '@nodecore/kvstore';

/** By which the member is known among the services. */
export const kvstoreService = 'etcd';

export type MemberPhase =
  | 'disabled' // the configuration makes this node no member
  | 'waiting' // for its volume, an address, or somebody to bootstrap it; `reason` says for what
  | 'joining' // it has no data and asks members to take it in
  | 'starting' // etcd runs and does not answer yet
  | 'running'
  | 'failed' // see `code` and `reason`; it is tried again
  | 'removed'; // the others have removed it; its data is of no use to it

/** What is known about this node's member. A new object after every change. */
export type MemberState = {
  readonly phase: MemberPhase;
  readonly reason?: string;
  readonly code?: string;
  /** Only while it waits: it has no data, and begins when somebody says how. Nothing of the machine is out of order. */
  readonly idle?: boolean;
  readonly name?: string;
  /** Where it keeps its data. */
  readonly directory?: string;
  readonly clientUrl?: string;
  readonly peerUrl?: string;
  /** Addresses of the other members, as this one knew them when it was healthy last. */
  readonly peers?: readonly string[];
  /** Of etcd. */
  readonly version?: string;
  readonly pid?: number;
  /** Whether a majority agreed with it on its last read; only while it runs. */
  readonly healthy?: boolean;
  /** Only while it runs. */
  readonly status?: MemberStatus;
  /** Since the agent began. */
  readonly restarts: number;
};

/** 16 hexadecimal digits, as etcd's own programs print it. */
export function hexId(id: bigint): string {
  return id.toString(16).padStart(16, '0');
}

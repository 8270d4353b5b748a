import type { Contract } from './contract.ts';
import type { ClusterSecrets } from './secrets.ts';

/** What the configuration of a cluster is generated from. */
export type ConfigInput = {
  readonly contract: Contract;
  readonly name: string;
  /** `https://host:port` of the orchestrator. */
  readonly endpoint: string;
  /** Its host, an IPv6 address without brackets. */
  readonly host: string;
  readonly secrets: ClusterSecrets;
  readonly additionalSans: readonly string[];
  readonly dnsDomain: string;
  /** Of the orchestrator's images: `v1.35.0`. */
  readonly orchVersion: string;
  readonly installDisk?: string;
  readonly installImage?: string;
  /** Registry, and the URL of a mirror of it. */
  readonly registryMirrors: readonly (readonly [registry: string, url: string])[];
  /** Where members of the cluster find each other; none: they don't by themselves. */
  readonly discoveryEndpoint?: string;
  readonly withMesh: boolean;
  /** Pods may run on the control plane. */
  readonly allowScheduling: boolean;
  /** Machines run neither the orchestrator nor the kvstore. */
  readonly withoutOrch?: boolean;
  /** The machine is of the older type that begins the kvstore by itself. */
  readonly isInit?: boolean;
};

/** A machine of the cluster. */
export type MachineKind = 'controlplane' | 'worker';

/** A document or a part of one. */
export type Part = Readonly<Record<string, unknown>>;

import { findHierarchy, type Hierarchy, type Pressure, pressure } from '@nodecore/cgroup';

/** Where this node tells about its cgroups, and about what runs in them. */
export type Places = {
  readonly hierarchy: () => Promise<Hierarchy>;
  /** The hierarchy is a copy of another machine's: in tests. */
  readonly foreign: boolean;
  /** Of the node as a whole. */
  readonly pressure: (options: { readonly signal: AbortSignal }) => Promise<Pressure>;
  readonly processes: string;
  readonly blockDevices: string;
  /** A directory per pod, `<namespace>_<name>_<uid>`, as kubelet keeps them. */
  readonly podLogs: string;
  /** A file per container, `<pod>_<namespace>_<name>-<id>.log`. */
  readonly containerLogs: string;
};

export const thisNode: Places = {
  hierarchy: findHierarchy,
  foreign: false,
  pressure: (options) => pressure.read('system', options),
  processes: '/proc',
  blockDevices: '/sys/dev/block',
  podLogs: '/var/log/pods',
  containerLogs: '/var/log/containers',
};

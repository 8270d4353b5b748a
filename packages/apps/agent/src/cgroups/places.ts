import { type CgroupNode, findHierarchy, type Hierarchy, type Pressure, pressure } from '@nodecore/cgroup';

/** Where this node publishes its cgroups, and what runs in them. */
export type Places = {
  readonly hierarchy: () => Promise<Hierarchy>;
  /** The hierarchy is a copy of another machine's: in tests. */
  readonly foreign: boolean;
  /** When the files of a cgroup were read, in ns. A copied hierarchy says what happened by then, so its copier says when. */
  readonly readAtNs: (node: CgroupNode) => bigint;
  /** Of the node as a whole. */
  readonly pressure: (options: { readonly signal: AbortSignal }) => Promise<Pressure>;
  readonly processes: string;
  readonly blockDevices: string;
  /** A directory per pod, `<namespace>_<name>_<uid>`, as kubelet keeps them. */
  readonly podLogs: string;
  /** A file per container, `<pod>_<namespace>_<name>-<id>.log`. */
  readonly containerLogs: string;
};

/** The machine that the agent runs on; `hierarchy` rejects with `ERR_CGROUP_VERSION` where no cgroup v2 is mounted. */
export const thisNode: Places = {
  hierarchy: findHierarchy,
  foreign: false,
  readAtNs: ({ takenNs }) => takenNs,
  pressure: (options) => pressure.read('system', options),
  processes: '/proc',
  blockDevices: '/sys/dev/block',
  podLogs: '/var/log/pods',
  containerLogs: '/var/log/containers',
};

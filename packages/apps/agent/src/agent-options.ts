import type { Clock } from '@nodecore/waiting';
import type { VolumeManagerOptions } from '@nodecore/volumes';

import type { Container } from './container/container.ts';
import type { ImagePaths } from './image/paths.ts';
import type { InitChannel } from './init/init-channel.ts';
import type { LogRing } from './link/log-ring.ts';
import type { Log } from './log.ts';
import type { Address } from './address.ts';

/** What an agent is started with. */
export type AgentOptions = {
  readonly log: Log;
  readonly listen: Address;
  /** Where control planes sign the certificates of workers; 50001 unless given. */
  readonly signerPort?: number;
  /** A directory to keep state in, on a host that is not ours. Without it the machine's system disk is looked for. */
  readonly state?: string;
  /** Prepended to the mount points of volumes, `/` by default. */
  readonly mountRoot?: string;
  /** For what does not outlive the boot, `/run/nodecore` by default. */
  readonly runDirectory?: string;
  /** What new keyslots cost; measured on this machine unless given. */
  readonly keyDerivation?: VolumeManagerOptions['keyDerivation'];
  /** Unmount and lock all volumes at the end. */
  readonly unmountOnExit: boolean;
  /** Where `/metrics` and `/healthz` are answered to every client that reaches it; nowhere unless given. */
  readonly metrics?: Address;
  /** The machine runs our own image, and this is where things lie on it. */
  readonly image?: ImagePaths;
  /** The agent is the first process of a container. */
  readonly container?: Container;
  /** To the node's init program; undefined where another one has started the agent. */
  readonly init?: InitChannel;
  /** The newest lines of the log, for the fleet, where the kernel does not keep them. */
  readonly lines?: LogRing;
  /** Services go on when the agent is killed, and the next one finds them; with an image, always. */
  readonly keepServices?: boolean;
  readonly clock?: Clock;
};

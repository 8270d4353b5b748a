import type { ControllerCounts } from '@nodecore/runtime';
import type { Store } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import type { AgentOptions } from './agent-options.ts';
import type { Ending } from './ending.ts';
import type { Log } from './log.ts';
import type { Address } from './address.ts';
import type { Dependency } from './supervisor/dependencies.ts';
import { type Activation, type Feature, given } from './supervisor/feature.ts';

/** What every feature may ask for: the surroundings of the agent, and its life as a whole. */
export type NodeContext = {
  readonly options: AgentOptions;
  readonly log: Log;
  readonly clock: Clock;
  readonly store: Store;
  /** For what does not outlive the boot. */
  readonly runDirectory: string;
  /** Where the API listens. */
  readonly address: () => Address;
  /** How everything that runs hangs together. */
  readonly dependencies: () => readonly Dependency[];
  /** What the controllers of all features did since the start. */
  readonly controllerCounts: () => readonly ControllerCounts[];
  /** Makes a configuration effective in every feature. */
  readonly activate: (next: Activation) => Promise<void>;
  /** Ends everything but the API. */
  readonly halt: (options: { readonly unmount: boolean }) => Promise<void>;
  /** Called when the agent is to begin anew, or the machine, or when the machine is to be switched off. */
  readonly end: (ending: Ending) => void;
};

/** The surroundings as a feature that others name among their needs; its handle is given to the supervisor at the start. */
export const node: Feature<NodeContext> = given('node');

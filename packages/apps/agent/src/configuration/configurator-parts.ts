import type { Configuration } from '@nodecore/config';
import type { Clock } from '@nodecore/waiting';
import type { VolumeStatus } from '@nodecore/volumes';

import type { Log } from '../log.ts';
import type { StateDirectory } from '../persistence/state-directory.ts';
import type { Persisted } from './persisted.ts';

/** A configuration in use, with the number that it was given. */
export type Numbered = { readonly configuration: Configuration; readonly version: number };

/** What the configurator needs of the rest of the node. */
export type ConfiguratorParts = {
  readonly log: Log;
  readonly clock?: Clock;
  /** Resolves with the place to persist in, which may first have to be made as `configuration` says. */
  readonly prepareState: (configuration: Configuration) => Promise<StateDirectory>;
  /** What the boot medium says; the first configuration that somebody brings is merged into it. */
  readonly bootText?: () => Promise<string | undefined>;
  /**
   * Takes a first configuration whose machine is to be installed before there is a place to persist in.
   *
   * @returns what is to be said of it; undefined when there is such a place, or nobody asks for an installation.
   */
  readonly awaitInstallation?: (configuration: Configuration, text: string) => string | undefined;
  /** Called before a configuration goes on trial. */
  readonly prepareTrial: (configuration: Configuration) => Promise<void>;
  /** What the volumes are like now. */
  readonly volumeStatuses: () => readonly VolumeStatus[];
  /**
   * Throws when the node could not work with it; called before anything is persisted.
   *
   * @returns what may keep it from working, for people.
   */
  readonly admit: (
    configuration: Configuration,
    active: Configuration | undefined,
  ) => Promise<readonly string[]>;
  /** Called with every configuration that becomes active, and with those whose keys may still open volumes. */
  readonly activate: (active: Numbered, former: readonly Configuration[]) => Promise<void>;
  /** Whether every volume has exactly the keys of the active configuration. */
  readonly keysInForce: () => boolean;
  /** Called when the keys of no other configuration than this one are needed any more. */
  readonly settle: (configuration: Configuration) => Promise<void>;
  /** Called when texts with secrets have been read and are needed no more. */
  readonly forgetTexts?: () => void;
  /** Called when texts are about to be read, and disposed of when they are needed no more. */
  readonly holdTexts?: () => Disposable;
  /** Called whenever what is active or persisted has changed. */
  readonly publish: (active: Numbered | undefined, persisted: Persisted | undefined) => void;
};

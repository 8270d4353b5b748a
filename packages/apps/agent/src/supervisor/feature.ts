import type { ResourceDefinition } from '@nodecore/api';
import type { Configuration } from '@nodecore/config';
import type { Controller } from '@nodecore/runtime';

import type { ServicePart, ServiceOptions } from '../server/service-part.ts';

/** A configuration that becomes active. */
export type Activation = {
  readonly configuration: Configuration;
  /** Those before it whose keys may still be in keyslots. */
  readonly previous: readonly Configuration[];
};

/** What a feature is while the agent runs. All but the handle is optional; nothing is called before everything is made. */
export type FeatureLife<Handle> = {
  /** What the features that need this one get. */
  readonly handle: Handle;
  /** gRPC handlers. Called once for each server: before the first configuration another one answers than after it. */
  readonly services?: (options: ServiceOptions) => readonly ServicePart[];
  /** Run side by side over the store, each item with reasons and back-off of its own, until the agent ends. */
  readonly controllers?: readonly Controller[];
  /** Works until the signal fires. It is started again, after a growing delay, when it fails or ends by itself. */
  readonly run?: (signal: AbortSignal) => Promise<void>;
  /** Called once, when everything runs; the start of the agent waits for it and fails with it. */
  readonly started?: () => Promise<void>;
  /** Gets ready for a configuration, and lets go of what it does not have any more. */
  readonly prepare?: (next: Activation) => Promise<void>;
  /** Makes a configuration effective, when every feature is prepared. */
  readonly configure?: (next: Activation) => void;
  /** Takes no more work from outside. Called while everything still runs. */
  readonly quiesce?: () => Promise<void>;
  /** Ends what went on after {@link run}, when nothing runs any more; with `unmount`, as if the agent did not come back. */
  readonly close?: (options: { readonly unmount: boolean }) => Promise<void>;
  /** Gives back what calls may have needed until the API was closed. */
  readonly dispose?: () => Promise<void> | void;
};

/** Features that are made before another one, by the name that it calls them. */
export type Needs = Readonly<Record<string, Feature<unknown>>>;

/** The handles of {@link Needs}. */
export type Handles<Needed extends Needs> = {
  readonly [Name in keyof Needed]: Needed[Name] extends Feature<infer Handle> ? Handle : never;
};

/** A part of the agent with one face: what it needs, what it reads and writes in the store, and how it lives. */
export type Feature<Handle> = {
  /** In the log and in the graph of dependencies. */
  readonly name: string;
  readonly needs: Needs;
  /** Resources of others that it follows beside its controllers; they may go at any time. */
  readonly reads: readonly ResourceDefinition[];
  /** Resources of others that it keeps from going while it uses them, beside its controllers. */
  readonly holds: readonly ResourceDefinition[];
  /** Resources of its own; those of its controllers are among them. */
  readonly writes: readonly ResourceDefinition[];
  readonly make: (handleOf: (feature: Feature<unknown>) => unknown) => FeatureLife<Handle>;
};

/** What {@link feature} makes a feature of. */
export type FeatureDefinition<Handle, Needed extends Needs> = {
  readonly name: string;
  readonly needs?: Needed;
  readonly reads?: readonly ResourceDefinition[];
  readonly holds?: readonly ResourceDefinition[];
  readonly writes?: readonly ResourceDefinition[];
  readonly make: (needs: Handles<Needed>) => FeatureLife<Handle>;
};

/** A feature whose needs are features themselves: what is missing, or is no handle of theirs, does not compile. */
export function feature<Handle, Needed extends Needs = Needs>({
  name,
  needs,
  reads = [],
  holds = [],
  writes = [],
  make,
}: FeatureDefinition<Handle, Needed>): Feature<Handle> {
  const needed = needs ?? ({} as Needed);
  return {
    name,
    needs: needed,
    reads,
    holds,
    writes,
    make: (handleOf) => {
      const handles = Object.entries(needed).map(([key, each]) => [key, handleOf(each)] as const);
      return make(Object.fromEntries(handles) as Handles<Needed>);
    },
  };
}

/** A feature that is there before all others: its handle is given to the supervisor. */
export function given<Handle>(name: string): Feature<Handle> {
  return feature<Handle>({
    name,
    make: () => {
      throw new TypeError(`${name} was not given to the supervisor`);
    },
  });
}

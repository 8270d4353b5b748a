import { type Secret } from '@nodecore/sys';

import { type Problem } from './errors.ts';
import { type Values } from './kind/kinds.ts';
import { defaultSystemVolume } from './system-volume.ts';
import {
  type Document,
  type ExistingVolume,
  type ExternalVolume,
  type FilesystemTrim,
  type LinkAgent,
  type MachineRoot,
  type PressurePolicy,
  type RawVolume,
  type SwapVolume,
  type SystemVolume,
  type SystemVolumeName,
  type TrustedRoots,
  type UserVolume,
  type Volume,
} from './types.ts';

export type ConfigurationParts = {
  readonly source: Secret;
  readonly documents: readonly Document[];
  readonly machine: MachineRoot | undefined;
  readonly userVolumes: readonly UserVolume[];
  readonly rawVolumes: readonly RawVolume[];
  readonly swapVolumes: readonly SwapVolume[];
  readonly existingVolumes: readonly ExistingVolume[];
  readonly externalVolumes: readonly ExternalVolume[];
  readonly systemVolumes: readonly SystemVolume[];
  readonly trustedRoots: readonly TrustedRoots[];
  readonly filesystemTrim: FilesystemTrim | undefined;
  readonly pressurePolicies: readonly PressurePolicy[];
  readonly linkAgent: LinkAgent | undefined;
  readonly values: readonly DocumentValue[];
  readonly warnings: readonly Problem[];
  readonly secrets: readonly Secret[];
};

/** What a described document reads as. */
export type DocumentValue = { readonly kind: string; readonly identity: string; readonly value: unknown };

/**
 * A valid configuration. Owns the secrets of its documents: disposing it overwrites them, so a reader that needs one
 * for longer clones it.
 */
export class Configuration {
  readonly documents: readonly Document[];
  /** Undefined in a partial configuration, which only maintenance mode takes. */
  readonly machine: MachineRoot | undefined;
  readonly userVolumes: readonly UserVolume[];
  readonly rawVolumes: readonly RawVolume[];
  readonly swapVolumes: readonly SwapVolume[];
  readonly existingVolumes: readonly ExistingVolume[];
  readonly externalVolumes: readonly ExternalVolume[];
  /** Only those with a document; {@link systemVolume} has the others. */
  readonly systemVolumes: readonly SystemVolume[];
  /** Authorities the node trusts beside the public ones. */
  readonly trustedRoots: readonly TrustedRoots[];
  /** Undefined without its document: then only volumes that ask for it are trimmed. */
  readonly filesystemTrim: FilesystemTrim | undefined;
  readonly pressurePolicies: readonly PressurePolicy[];
  /** Undefined without its document: the node dials no fleet manager on account of its configuration. */
  readonly linkAgent: LinkAgent | undefined;
  readonly warnings: readonly Problem[];
  /** The text as it was given, secrets included. */
  readonly source: Secret;
  readonly #values: readonly DocumentValue[];
  readonly #secrets: readonly Secret[];

  constructor(parts: ConfigurationParts) {
    this.documents = parts.documents;
    this.machine = parts.machine;
    this.userVolumes = parts.userVolumes;
    this.rawVolumes = parts.rawVolumes;
    this.swapVolumes = parts.swapVolumes;
    this.existingVolumes = parts.existingVolumes;
    this.externalVolumes = parts.externalVolumes;
    this.systemVolumes = parts.systemVolumes;
    this.trustedRoots = parts.trustedRoots;
    this.filesystemTrim = parts.filesystemTrim;
    this.pressurePolicies = parts.pressurePolicies;
    this.linkAgent = parts.linkAgent;
    this.warnings = parts.warnings;
    this.source = parts.source;
    this.#values = parts.values;
    this.#secrets = parts.secrets;
  }

  /**
   * The text as it was given, secrets included: for persisting, never for showing, and not to be kept. It is made from
   * {@link source} at each call. Throws a `TypeError` after dispose.
   */
  get text(): string {
    return this.source.bytes.toString('utf8');
  }

  /** The documents of a kind, in the order of the text. */
  all<Kind extends keyof Values>(kind: Kind): readonly Values[Kind][] {
    return this.#values.filter((one) => one.kind === kind).map(({ value }) => value as Values[Kind]);
  }

  /** The document of a kind that there is one of; the first, where there may be more. */
  get<Kind extends keyof Values>(kind: Kind): Values[Kind] | undefined {
    return this.all(kind)[0];
  }

  /** A system volume as its document says, or as it is without a document. */
  systemVolume(name: SystemVolumeName): SystemVolume {
    return this.systemVolumes.find((volume) => volume.name === name) ?? defaultSystemVolume(name);
  }

  /** Every volume that has a document. */
  get volumes(): readonly Volume[] {
    return [
      ...this.systemVolumes,
      ...this.userVolumes,
      ...this.rawVolumes,
      ...this.swapVolumes,
      ...this.existingVolumes,
      ...this.externalVolumes,
    ];
  }

  [Symbol.dispose](): void {
    for (const secret of this.#secrets) secret[Symbol.dispose]();
  }
}

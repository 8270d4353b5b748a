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
  readonly warnings: readonly Problem[];
  /** The text as it was given, secrets included. */
  readonly source: Secret;
  readonly #values: readonly DocumentValue[];
  readonly #secrets: readonly Secret[];

  constructor(parts: ConfigurationParts) {
    this.documents = parts.documents;
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

  /** Undefined in a partial configuration, which only maintenance mode takes. */
  get machine(): MachineRoot | undefined {
    return this.get('machine');
  }

  get userVolumes(): readonly UserVolume[] {
    return this.all('UserVolumeConfig');
  }

  get rawVolumes(): readonly RawVolume[] {
    return this.all('RawVolumeConfig');
  }

  get swapVolumes(): readonly SwapVolume[] {
    return this.all('SwapVolumeConfig');
  }

  get existingVolumes(): readonly ExistingVolume[] {
    return this.all('ExistingVolumeConfig');
  }

  get externalVolumes(): readonly ExternalVolume[] {
    return this.all('ExternalVolumeConfig');
  }

  /** Only those with a document; {@link systemVolume} has the others. */
  get systemVolumes(): readonly SystemVolume[] {
    return this.all('VolumeConfig');
  }

  /** Authorities the node trusts beside the public ones. */
  get trustedRoots(): readonly TrustedRoots[] {
    return this.all('TrustedRootsConfig');
  }

  /** Undefined without its document: then only volumes that ask for it are trimmed. */
  get filesystemTrim(): FilesystemTrim | undefined {
    return this.get('FilesystemTrimConfig');
  }

  get pressurePolicies(): readonly PressurePolicy[] {
    return this.all('OOMConfig');
  }

  /** Undefined without its document: the node dials no fleet manager on account of its configuration. */
  get linkAgent(): LinkAgent | undefined {
    return this.get('LinkAgentConfig');
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

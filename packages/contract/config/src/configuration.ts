import { type Secret } from '@nodecore/sys/pure';

import { type Problem } from './errors.ts';
import { withoutDocument } from './field/fallback.ts';
import { type ModeFinding } from './legacy/modes.ts';
import { descriptionOf, type Values } from './kind/kinds.ts';
import { originIn, type Origin } from './origin.ts';
import { defaultSystemVolume } from './system-volume.ts';
import {
  type Document,
  type MachineRoot,
  type SystemVolume,
  type SystemVolumeName,
  type Volume,
} from './types.ts';

export type ConfigurationParts = {
  readonly source: Secret;
  readonly documents: readonly Document[];
  readonly values: readonly DocumentValue[];
  readonly warnings: readonly Problem[];
  readonly modes: readonly ModeFinding[];
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
  /** What fields of the root mean on machines of one kind alone. */
  readonly modes: readonly ModeFinding[];
  /** The text as it was given, secrets included. */
  readonly source: Secret;
  readonly #values: readonly DocumentValue[];
  readonly #secrets: readonly Secret[];

  constructor(parts: ConfigurationParts) {
    this.documents = parts.documents;
    this.warnings = parts.warnings;
    this.modes = parts.modes;
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

  /**
   * What holds for a kind that there is one of: its document, else what is left out of an empty one. Undefined for a kind that
   * means nothing without its document.
   */
  effective<Kind extends keyof Values>(kind: Kind): Values[Kind] | undefined {
    return (
      this.get(kind) ??
      (withoutDocument(descriptionOf(kind)?.options.fields ?? {}) as Values[Kind] | undefined)
    );
  }

  /**
   * Where a value is from: `origin('EtcFileConfig/motd', 'mode')`. A path that the document does not have is what holds
   * without it. Reads the text again; throws a `TypeError` after dispose.
   */
  origin(identity: string, ...path: readonly (string | number)[]): Origin {
    return originIn(this.text, identity, path);
  }

  /** Undefined in a partial configuration, which only maintenance mode takes. */
  get machine(): MachineRoot | undefined {
    return this.get('machine');
  }

  /** A system volume as its document says, or as it is without a document. */
  systemVolume(name: SystemVolumeName): SystemVolume {
    return this.all('VolumeConfig').find((volume) => volume.name === name) ?? defaultSystemVolume(name);
  }

  /** Every volume that has a document. */
  get volumes(): readonly Volume[] {
    return [
      ...this.all('VolumeConfig'),
      ...this.all('UserVolumeConfig'),
      ...this.all('RawVolumeConfig'),
      ...this.all('SwapVolumeConfig'),
      ...this.all('ExistingVolumeConfig'),
      ...this.all('ExternalVolumeConfig'),
    ];
  }

  [Symbol.dispose](): void {
    for (const secret of this.#secrets) secret[Symbol.dispose]();
  }
}

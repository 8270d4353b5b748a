import type { Environment } from '@marcbachmann/cel-js';

import { type Explanation, explain, partsOf } from './selector-explain.ts';
import { type Language, type Outcome, compileExpression } from './selector-expression.ts';
import {
  type SelectableDisk,
  type SelectableVolume,
  diskFields,
  fieldTypes,
  fieldValues,
  volumeFields,
} from './selector-facts.ts';
import { selectorLanguage } from './selector-language.ts';

export { SelectorError, type SelectorErrorCode } from './selector-error.ts';
export type { Explanation, FailedPart } from './selector-explain.ts';
export type { SelectableDisk, SelectableVolume } from './selector-facts.ts';

/** What a disk selector is asked about. Everything is always known: there is no unbound name. */
export type DiskEnvironment = { readonly disk: SelectableDisk; readonly systemDisk: boolean };

/** What a volume selector is asked about: the volume, and the disk it is on. */
export type VolumeEnvironment = DiskEnvironment & { readonly volume: SelectableVolume };

/** A compiled CEL expression that answers true or false. */
export type Selector<E> = {
  /** The text as the user wrote it. */
  readonly text: string;
  /** Never throws. An expression that can't be evaluated does not match and says why. */
  matches(environment: E): Outcome;
  /** As `matches`; of a non-match it also names the first part that was not true. */
  explain(environment: E): Explanation;
};

/**
 * Compiles a selector over `disk` and `system_disk`.
 *
 * @throws {SelectorError} with line, column and what to write, also for names and types that don't fit.
 * @example
 * const large = compileDiskSelector('disk.size > 120 * GB && !system_disk');
 * const { matched, error } = large.matches({ disk, systemDisk: false });
 */
export function compileDiskSelector(text: string): Selector<DiskEnvironment> {
  disks ??= diskLanguage();
  return compileSelector(disks, text, diskBindings);
}

/**
 * Compiles a selector over `volume`, `disk` and `system_disk`.
 *
 * @throws {SelectorError} with line, column and what to write, also for names and types that don't fit.
 */
export function compileVolumeSelector(text: string): Selector<VolumeEnvironment> {
  volumes ??= volumeLanguage();
  return compileSelector(volumes, text, volumeBindings);
}

// Made at first use: most runs of the command-line client compile no selector.
let disks: Language | undefined;
let volumes: Language | undefined;

function diskLanguage(): Language {
  return {
    environment: declareDisk(selectorLanguage()),
    variables: { disk: Object.keys(diskFields), system_disk: [] },
  };
}

function volumeLanguage(): Language {
  return {
    environment: declareDisk(selectorLanguage())
      .registerType('Volume', { fields: fieldTypes(volumeFields) })
      .registerVariable('volume', 'Volume'),
    variables: { volume: Object.keys(volumeFields), disk: Object.keys(diskFields), system_disk: [] },
  };
}

function declareDisk(environment: Environment): Environment {
  return environment
    .registerType('Disk', { fields: fieldTypes(diskFields) })
    .registerVariable('disk', 'Disk')
    .registerVariable('system_disk', 'bool');
}

type Bindings = Readonly<Record<string, unknown>>;

function diskBindings({ disk, systemDisk }: DiskEnvironment): Bindings {
  return { disk: fieldValues(diskFields, disk), system_disk: systemDisk };
}

function volumeBindings(environment: VolumeEnvironment): Bindings {
  return { ...diskBindings(environment), volume: fieldValues(volumeFields, environment.volume) };
}

function compileSelector<E>(
  language: Language,
  text: string,
  bind: (environment: E) => Bindings,
): Selector<E> {
  const expression = compileExpression(language, text);
  return {
    text,
    matches: (environment) => expression.evaluate(bind(environment)),
    explain: (environment) => explain(expression, partsOf(language, expression), bind(environment)),
  };
}

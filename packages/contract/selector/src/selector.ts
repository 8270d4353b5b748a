import type { Bindings } from './cel/evaluator.ts';
import { type Language, overload } from './cel/language.ts';
import { type Explanation, explain } from './explain.ts';
import { linkFields, type SelectableLink } from './link-facts.ts';
import { type Outcome, compileExpression } from './program.ts';
import {
  type SelectableDisk,
  type SelectableVolume,
  diskFields,
  fieldTypes,
  messageOf,
  volumeFields,
} from './facts.ts';
import { selectorLanguage } from './selector-language.ts';

/** What a disk selector is asked about. Everything is always known: there is no unbound name. */
export type DiskEnvironment = { readonly disk: SelectableDisk; readonly systemDisk: boolean };

/** What a volume selector is asked about: the volume, and the disk it is on. */
export type VolumeEnvironment = DiskEnvironment & { readonly volume: SelectableVolume };

/** What a selector of network interfaces is asked about. */
export type LinkEnvironment = { readonly link: SelectableLink };

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

/**
 * Compiles a selector over `link`, with `mac(bytes)` for hardware addresses.
 *
 * @throws {SelectorError} with line, column and what to write, also for names and types that don't fit.
 * @example
 * compileLinkSelector('mac(link.permanent_addr) == "52:54:00:00:00:01"').matches({ link });
 */
export function compileLinkSelector(text: string): Selector<LinkEnvironment> {
  links ??= linkLanguage();
  return compileSelector(links, text, ({ link }) => ({ link: messageOf('Link', linkFields, link) }));
}

// Made at first use: most runs of the command-line client compile no selector.
let disks: Language | undefined;
let volumes: Language | undefined;
let links: Language | undefined;

function diskLanguage(): Language {
  return declareDisk(selectorLanguage());
}

function volumeLanguage(): Language {
  const language = selectorLanguage().addMessage('Volume', fieldTypes(volumeFields));
  return declareDisk(language.addVariable('volume', 'Volume'));
}

function linkLanguage(): Language {
  return selectorLanguage()
    .addFunction(
      overload('mac(bytes): string', ([address]) =>
        Buffer.from(address as Uint8Array)
          .toString('hex')
          .replaceAll(/(..)(?=.)/gu, '$1:'),
      ),
    )
    .addMessage('Link', fieldTypes(linkFields))
    .addVariable('link', 'Link');
}

function declareDisk(language: Language): Language {
  return language
    .addMessage('Disk', fieldTypes(diskFields))
    .addVariable('disk', 'Disk')
    .addVariable('system_disk', 'bool');
}

function diskBindings({ disk, systemDisk }: DiskEnvironment): Bindings {
  return { disk: messageOf('Disk', diskFields, disk), system_disk: systemDisk };
}

function volumeBindings(environment: VolumeEnvironment): Bindings {
  return { ...diskBindings(environment), volume: messageOf('Volume', volumeFields, environment.volume) };
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
    explain: (environment) => explain(expression, bind(environment)),
  };
}

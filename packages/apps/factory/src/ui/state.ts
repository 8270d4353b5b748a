import type { Architecture } from '@nodecore/schematic/release';

import type { Factory } from '../factory.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { officialExtensions } from '../http/official-extensions.ts';
import { type System, systems, type Target, targets } from './systems.ts';

/** The pages that ask something, in their order. */
export const steps = ['target', 'version', 'platform', 'machine', 'extensions', 'customization'] as const;
export type Step = (typeof steps)[number];

/** What has been chosen so far: all of it stands in the address, and only what there is, is taken from there. */
export type State = {
  readonly target?: Target;
  readonly release?: LoadedRelease;
  readonly system?: System;
  readonly architecture?: Architecture;
  readonly isSecureBoot: boolean;
  /** Undefined until somebody has chosen, which may be none. */
  readonly extensions?: readonly string[];
  readonly cmdline: string;
  readonly meta: string;
  readonly bootloader: string;
  readonly enrollment: string;
  /** What was asked for and is not there. */
  readonly missing: readonly string[];
};

/** The longest text that an address may bring into a field. */
const maxText = 8_192;

/** Reads what an address, or a form, has chosen. */
export function readState(query: URLSearchParams, factory: Factory): State {
  const missing: string[] = [];
  const pick = <T>(name: string, all: readonly T[], nameOf: (one: T) => string): T | undefined => {
    const asked = query.get(name);
    if (asked === null || asked === '') return undefined;
    const found = all.find((one) => nameOf(one) === asked);
    if (found === undefined) missing.push(`${name}=${asked.slice(0, 64)}`);
    return found;
  };
  const target = pick('target', offeredTargets(), String);
  const version = pick('version', factory.releases.offered, String);
  const release = version === undefined ? undefined : factory.releases.get(version);
  const ofTarget = systems.filter((system) => system.target === target);
  const system =
    pick('platform', ofTarget, ({ name }) => name) ?? (ofTarget.length === 1 ? ofTarget[0] : undefined);
  const architecture = pick('arch', architecturesOf(system, release), String);
  const known = release === undefined ? [] : officialExtensions(release).map(({ name }) => name);
  const asked = query.getAll('extensions').flatMap((names) => names.split(','));
  for (const each of release?.architectures ?? [])
    asked.push(...asked.map((name) => release?.extensionName(each, name) ?? name));
  const chosen = known.filter((name) => asked.includes(name));
  const isChosen = query.has('extensions') || (release !== undefined && known.length === 0);
  const text = (name: string): string => (query.get(name) ?? '').slice(0, maxText);
  return {
    ...(target && { target }),
    ...(release && { release }),
    ...(system && { system }),
    ...(architecture && { architecture }),
    isSecureBoot: query.get('secureboot') === 'true' && hasSecureBoot(system, factory),
    ...(isChosen ? { extensions: chosen } : {}),
    cmdline: text('cmdline'),
    meta: text('meta'),
    bootloader: text('bootloader'),
    enrollment: text('enroll-keys'),
    missing,
  };
}

/** The page that asks for what is not known yet, or an earlier one that is asked for. */
export function stepOf(state: State, asked: string | null): Step {
  const open = firstOpen(state);
  const wanted = steps.find((step) => step === asked);
  return wanted !== undefined && steps.indexOf(wanted) < steps.indexOf(open) ? wanted : open;
}

function firstOpen({ target, release, system, architecture, extensions }: State): Step {
  if (target === undefined) return 'target';
  if (release === undefined) return 'version';
  if (system === undefined) return 'platform';
  if (architecture === undefined) return 'machine';
  return extensions === undefined ? 'extensions' : 'customization';
}

/** What stands in an address for a state, by name; what has not been chosen is left out. */
export function fieldsOf(state: State): readonly (readonly [name: string, value: string])[] {
  const { target, release, system, architecture, isSecureBoot, extensions } = state;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['target', target],
    ['version', release?.version],
    ['platform', system?.name],
    ['arch', architecture],
    ['secureboot', isSecureBoot ? 'true' : undefined],
    ...(extensions === undefined ? [] : [['extensions', extensions.join(',')] as const]),
    ['cmdline', state.cmdline || undefined],
    ['meta', state.meta || undefined],
    ['bootloader', state.bootloader || undefined],
    ['enroll-keys', state.enrollment || undefined],
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** An address with a query of these fields. */
export function addressOf(path: string, fields: readonly (readonly [name: string, value: string])[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of fields) query.append(name, value);
  return `${path}?${query.toString()}`;
}

/** The kinds of machines that something is made for. */
export function offeredTargets(): readonly Target[] {
  return targets.filter((target) => systems.some((system) => system.target === target));
}

/** Those that the system and the release have. */
export function architecturesOf(
  system: System | undefined,
  release: LoadedRelease | undefined,
): readonly Architecture[] {
  return (release?.architectures ?? []).filter((one) => system?.architectures.includes(one) === true);
}

/** Whether images of a system can be signed here. */
export function hasSecureBoot(system: System | undefined, factory: Factory): boolean {
  return system?.hasSecureBoot === true && factory.images.hasSecureBoot;
}

import { isMap, type YAMLMap } from 'yaml';

import { type Effect } from '../document.ts';
import { descriptionOf } from '../kind/kinds.ts';
import { isEqual, pairOf } from '../patch/nodes.ts';
import { rootIdentity, type SourceDocument } from '../source.ts';
import { textOfNode } from './nodes.ts';
import { type MoveOutcome, resolve } from './resolve.ts';
import { moves } from './moves/all.ts';

/** A field of the root that is not the same, and what it takes to come into force. */
export type ChangedField = { readonly path: string; readonly effect: Effect };

/** What it takes, from the worst to nothing at all. */
export const effectsByWeight: readonly Effect[] = ['reboot', 'service', 'once', 'live', 'none'];

/** Fields that no document has replaced, and the node acts on. Of all others it takes nothing. */
const kept: Readonly<Record<string, Effect>> = {
  'machine.type': 'service', // the member of the kvstore begins or ends
  'machine.ca': 'live', // certificates are issued anew
  'machine.acceptedCAs': 'live',
  'machine.certSANs': 'live',
  'machine.logging': 'live',
  'cluster.kvstore': 'service',
  'cluster.kvstore.image': 'none',
  'cluster.kvstore.snapshots': 'live', // the member itself goes on
  'cluster.kvstore.defragmentation': 'live',
};

/**
 * The fields of the root that differ, in its order, each with the effect of the documents that it comes to: of what only a part of the
 * machines has, or no document says, it is `none`.
 */
export function changedFields(
  before: readonly SourceDocument[],
  after: readonly SourceDocument[],
): readonly ChangedField[] {
  const effects = new Map<string, Effect>(Object.entries(kept));
  for (const { from } of moves) for (const path of from) effects.set(path, 'none');
  for (const { present, parts } of [...outcomesOf(before), ...outcomesOf(after)])
    for (const path of present)
      effects.set(path, worst([effects.get(path) ?? 'none', ...parts.map(({ kind }) => effectOf(kind))]));
  return differing(rootOf(before), rootOf(after), { under: '', known: [...effects.keys()] }).map((path) => ({
    path,
    effect: effects.get(longest(path, effects)) ?? 'none',
  }));
}

/** What the documents of a kind take; `live` where it is unknown. */
export function effectOf(kind: string): Effect {
  return descriptionOf(kind)?.options.takesEffect ?? 'live';
}

/** The worst of several effects. */
export function worst(effects: readonly Effect[]): Effect {
  return effectsByWeight.find((effect) => effects.includes(effect)) ?? 'none';
}

function rootOf(documents: readonly SourceDocument[]): YAMLMap | undefined {
  return documents.find(({ identity }) => identity === rootIdentity)?.map;
}

function outcomesOf(documents: readonly SourceDocument[]): readonly MoveOutcome[] {
  return resolve(documents).outcomes;
}

type Walk = { readonly under: string; readonly known: readonly string[] };

/** Paths of fields whose values differ: as deep as effects are told apart. */
function differing(before: unknown, after: unknown, { under, known }: Walk): readonly string[] {
  const [former, latter] = [before, after].map((value) => (isMap(value) ? value : undefined));
  return [...new Set([...namesOf(former), ...namesOf(latter)])].flatMap((name) => {
    const path = under === '' ? name : `${under}.${name}`;
    const [one, other] = [former, latter].map((map) => map && (pairOf(map, name)?.value ?? undefined));
    if (isEqual(one, other)) return [];
    const isTold = known.some((each) => each.startsWith(`${path}.`)) && (isMap(one) || isMap(other));
    return isTold ? differing(one, other, { under: path, known }) : [path];
  });
}

function namesOf(map: YAMLMap | undefined): readonly string[] {
  return map?.items.map(({ key }) => textOfNode(key) ?? '') ?? [];
}

/** The longest of the known paths that a path is in; the path itself where there is none. */
function longest(path: string, known: ReadonlyMap<string, unknown>): string {
  const steps = path.split('.');
  for (let count = steps.length; count > 0; count -= 1) {
    const part = steps.slice(0, count).join('.');
    if (known.has(part)) return part;
  }
  return path;
}

import { builtin } from '@nodecore/sys/pure';
import { isMap, isScalar, Pair, Scalar, YAMLMap, type Node } from 'yaml';

import { ConfigError } from '../errors.ts';
import { isRefusal, type Move, type Refusal } from '../legacy/move.ts';
import { moves } from '../legacy/moves/all.ts';
import { legacyOf } from '../legacy/resolve.ts';
import { parse } from '../parse.ts';
import { isEqual, pairOf } from '../patch/nodes.ts';
import { PatchTarget } from '../patch/target.ts';
import { identityOf, readSource, rootIdentity, type SourceDocument, textOf } from '../source.ts';
import { lostComments } from './comments.ts';
import { removeAt, valueAt } from './fields.ts';
import { resolved } from './resolved.ts';

const util = builtin('node:util');

/** What became of the fields of the root that documents have replaced. */
export type Migration = {
  /** The very same text when nothing was moved. */
  readonly text: string;
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Fields that stay, and why. */
  readonly left: readonly { readonly from: string; readonly why: string }[];
};

/**
 * Moves every field of the root that a document has replaced to that document. Comments move along, what is not moved stays as it was
 * written. It was proven that both texts are valid, say the same and hold the same comments.
 *
 * @throws {ConfigError} when the text is not valid.
 */
export function migrate(text: string, options: { readonly file?: string } = {}): Migration {
  return migrateBy(text, moves, options);
}

/** The same by other moves than ours. */
export function migrateBy(
  text: string,
  all: readonly Move[],
  { file }: { readonly file?: string } = {},
): Migration {
  parse(text, file === undefined ? {} : { file })[Symbol.dispose]();
  const moved: { from: string; to: string }[] = [];
  const left: { from: string; why: string }[] = [];
  let current = text;
  let root = rootOf(current);
  for (const move of all) {
    const present = move.from.filter((path) => root !== undefined && valueAt(root, path) !== undefined);
    if (present.length === 0) continue;
    const result = moveTo(current, move, present);
    if ('why' in result) {
      for (const from of present) left.push({ from, why: result.why });
      continue;
    }
    current = result.text;
    root = rootOf(current);
    for (const from of present) moved.push({ from, to: placeOf(move, result.kinds, from) });
  }
  prove(text, current, all);
  return { text: current, moved, left };
}

function placeOf({ into, places = {} }: Move, made: readonly string[], from: string): string {
  const kinds = [...new Set(made.length === 0 ? into : made)].join(', ');
  return places[from] === undefined ? kinds : `${kinds}.${places[from]}`;
}

function rootOf(text: string): YAMLMap | undefined {
  const { documents } = readSource(text, undefined);
  return documents.find(({ identity }) => identity === rootIdentity)?.map;
}

type Moved = { readonly text: string; readonly kinds: readonly string[] };

/** The text with the fields at their new places, or why they can't go there. */
function moveTo(text: string, move: Move, present: readonly string[]): Moved | Refusal {
  const { documents } = readSource(text, undefined);
  const target = new PatchTarget(text, documents);
  const root = target.map(rootIdentity);
  if (root === undefined) return { text, kinds: [] };
  const legacy = legacyOf(root, documents);
  if (move.only === 'controlplane' && legacy.isControlPlane !== true)
    return { why: 'only a control plane has it' };
  const parts = move.parts(legacy);
  if (isRefusal(parts)) return parts;
  const comments = new Map(present.map((path) => [path, removeAt(root, path).join('\n')]));
  const touched = new Map<string, YAMLMap>();
  for (const { kind, map } of parts) {
    const identity = identityOf(kind, textOf(map, 'name'));
    const document = target.map(identity) ?? touched.get(identity) ?? head(kind);
    const refusal = putAll(document, map, move.merges === true);
    if (refusal !== undefined) return { why: `${identity} ${refusal}` };
    touched.set(identity, document);
  }
  for (const [identity, map] of touched) {
    for (const [path, comment] of comments) comments.set(path, putComment(map, move.places?.[path], comment));
    if (target.map(identity) === undefined) target.add(identity, map);
    else target.touch(identity);
  }
  target.touch(rootIdentity);
  const made = withComments(text, target.render(), [...touched.keys()]);
  return whyInvalid(made) ?? { text: made, kinds: parts.map(({ kind }) => kind) };
}

/** Puts a comment in front of the field that it is about. @returns what is left of it. */
function putComment(map: YAMLMap, path: string | undefined, comment: string): string {
  const [step = '', ...above] = (path ?? '').split('.').toReversed();
  const owner = above.length === 0 ? map : valueAt(map, above.toReversed().join('.'));
  const key = isMap(owner) ? pairOf(owner, step)?.key : undefined;
  if (comment === '' || !isScalar(key)) return comment;
  key.commentBefore = [comment, key.commentBefore].filter(Boolean).join('\n');
  return '';
}

function head(kind: string): YAMLMap {
  const map = new YAMLMap();
  map.items = [
    new Pair(new Scalar('apiVersion'), new Scalar('v1alpha1')),
    new Pair(new Scalar('kind'), new Scalar(kind)),
  ];
  return map;
}

/** The fields of a part; what a document has already must say the same, or wins. */
function putAll(map: YAMLMap, part: YAMLMap, merges: boolean): string | undefined {
  for (const pair of part.items as Pair<Scalar, Node | null>[]) {
    const name = String(pair.key.value);
    const present = pairOf(map, name);
    if (present === undefined) map.items.push(pair);
    else if (isMap(present.value) && isMap(pair.value)) {
      const refusal = putAll(present.value, pair.value, merges);
      if (refusal !== undefined) return refusal;
    } else if (!merges && !isEqual(present.value, pair.value))
      return `has another ${name}: decide which counts`;
  }
  return undefined;
}

/** A comment that had no field of its own goes in front of the document that its neighbours went to. */
function withComments(before: string, text: string, touched: readonly string[]): string {
  const after = readSource(text, undefined).documents;
  const lost = lostComments(readSource(before, undefined).documents, after);
  const [first = rootIdentity] = touched;
  if (lost.length === 0) return text;
  const target = new PatchTarget(text, after);
  const key = target.map(first)?.items[0]?.key;
  if (isScalar(key))
    key.commentBefore = [
      ...(key.commentBefore ?? '').split('\n').filter(Boolean),
      ...lost.map((line) => ` ${line}`),
    ].join('\n');
  target.touch(first);
  return target.render();
}

/** A document that lacks something is none. */
function whyInvalid(text: string): Refusal | undefined {
  try {
    parse(text)[Symbol.dispose]();
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [problem] = error.problems;
    return { why: [problem?.document, problem?.path, problem?.message].filter(Boolean).join(' ') };
  }
}

function prove(before: string, after: string, all: readonly Move[]): void {
  if (before === after) return;
  const [old, current] = [before, after].map((text) => readSource(text, undefined).documents) as [
    readonly SourceDocument[],
    readonly SourceDocument[],
  ];
  const isSame = util().isDeepStrictEqual(resolved(old, all), resolved(current, all));
  if (!isSame || lostComments(old, current).length > 0)
    throw new TypeError('the migrated configuration would not say the same: nothing was changed');
}

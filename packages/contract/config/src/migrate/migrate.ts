import { builtin } from '@nodecore/sys/pure';
import { isScalar, Pair, Scalar, YAMLMap, type Node } from 'yaml';

import { ConfigError } from '../errors.ts';
import { kinds } from '../kind/kinds.ts';
import { parse } from '../parse.ts';
import { isEqual } from '../patch/nodes.ts';
import { PatchTarget } from '../patch/target.ts';
import { identityOf, readSource, rootIdentity, type SourceDocument, textOf } from '../source.ts';
import { lostComments } from './comments.ts';
import { removeAt, setAt, valueAt } from './fields.ts';
import { type Move, type MovesTo } from './move.ts';
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
  const all = [...kinds.values()].flatMap(({ kind, options: { moves = [] } }) =>
    moves.length === 0 ? [] : [{ kind, moves }],
  );
  return migrateBy(text, all, options);
}

/** The same by other moves than those of the descriptions. */
export function migrateBy(
  text: string,
  all: readonly MovesTo[],
  { file }: { readonly file?: string } = {},
): Migration {
  parse(text, file === undefined ? {} : { file })[Symbol.dispose]();
  const moved: { from: string; to: string }[] = [];
  const left: { from: string; why: string }[] = [];
  let current = text;
  for (const one of all) {
    const present = one.moves.filter(({ from }) => valueOf(current, from) !== undefined);
    if (present.length === 0) continue;
    const result = moveTo(current, { ...one, moves: present });
    if (typeof result === 'string') {
      current = result;
      for (const move of present) moved.push({ from: move.from, to: placeOf(one.kind, move) });
    } else for (const { from } of present) left.push({ from, why: result.why });
  }
  prove(text, current, all);
  return { text: current, moved, left };
}

function placeOf(kind: string, move: Move): string {
  return 'each' in move ? kind : `${kind}.${move.to}`;
}

function valueOf(text: string, path: string): Node | undefined {
  const { documents } = readSource(text, undefined);
  const root = documents.find(({ identity }) => identity === rootIdentity);
  return root && valueAt(root.map, path);
}

/** The text with the fields at their new places, or why they can't go there. */
function moveTo(text: string, { kind, moves }: MovesTo): string | { readonly why: string } {
  const { documents } = readSource(text, undefined);
  const target = new PatchTarget(text, documents);
  const root = target.map(rootIdentity);
  if (root === undefined) return text;
  const touched = new Map<string, YAMLMap>();
  for (const move of moves) {
    const value = valueAt(root, move.from);
    if (value === undefined) continue;
    const comment = removeAt(root, move.from).join('\n');
    const parts = 'each' in move ? move.each(value) : [undefined];
    for (const part of parts) {
      const identity = identityOf(kind, textOf(part, 'name'));
      const map = target.map(identity) ?? touched.get(identity) ?? head(kind);
      const refusal = 'each' in move ? putAll(map, part, comment) : put(map, move, value, comment);
      if (refusal !== undefined) return { why: `${identity} ${refusal}` };
      touched.set(identity, map);
    }
  }
  for (const [identity, map] of touched)
    if (target.map(identity) === undefined) target.add(identity, map);
    else target.touch(identity);
  target.touch(rootIdentity);
  return checked(withComments(text, target.render(), [...touched.keys()]));
}

function head(kind: string): YAMLMap {
  const map = new YAMLMap();
  map.items = [
    new Pair(new Scalar('apiVersion'), new Scalar('v1alpha1')),
    new Pair(new Scalar('kind'), new Scalar(kind)),
  ];
  return map;
}

/** A field of a document; what is there already must say the same. */
function put(
  map: YAMLMap,
  move: Extract<Move, { readonly to: string }>,
  value: Node,
  comment: string,
): string | undefined {
  const written = move.as === undefined ? value : move.as(value);
  const present = valueAt(map, move.to);
  if (present !== undefined)
    return isEqual(present, written) ? undefined : `has another ${move.to}: decide which counts`;
  setAt(map, move.to, written, comment);
  return undefined;
}

function putAll(map: YAMLMap, part: YAMLMap | undefined, comment: string): string | undefined {
  for (const { key, value } of (part?.items ?? []) as Pair<Scalar, Node | null>[]) {
    const name = isScalar(key) ? String(key.value) : '';
    const present = valueAt(map, name);
    if (present !== undefined && !isEqual(present, value)) return `has another ${name}: decide which counts`;
    if (present === undefined && value !== null)
      setAt(map, name, value, name === 'name' ? comment : undefined);
  }
  return undefined;
}

/** A comment that had no field of its own goes in front of the document that its neighbours went to. */
function withComments(before: string, text: string, touched: readonly string[]): string {
  const after = readSource(text, undefined).documents;
  const lost = lostComments(readSource(before, undefined).documents, after);
  const [first] = touched;
  if (lost.length === 0 || first === undefined) return text;
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
function checked(text: string): string | { readonly why: string } {
  try {
    parse(text)[Symbol.dispose]();
    return text;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [problem] = error.problems;
    return { why: [problem?.document, problem?.path, problem?.message].filter(Boolean).join(' ') };
  }
}

function prove(before: string, after: string, all: readonly MovesTo[]): void {
  if (before === after) return;
  const [old, current] = [before, after].map((text) => readSource(text, undefined).documents) as [
    readonly SourceDocument[],
    readonly SourceDocument[],
  ];
  const isSame = util().isDeepStrictEqual(resolved(old, all), resolved(current, all));
  if (!isSame || lostComments(old, current).length > 0)
    throw new TypeError('the migrated configuration would not say the same: nothing was changed');
}

import { type Node } from 'yaml';

import { checkConflicts } from './across/conflicts.ts';
import { Documents, type ReadDocument } from './across/documents.ts';
import { checkKvstoreVolumes } from './across/kvstore-volumes.ts';
import { checkLocks } from './across/lock-to-state.ts';
import { checkReplaced } from './across/replaced.ts';
import { rules } from './across/rules.ts';
import { checkTrims } from './across/trims.ts';
import { Configuration } from './configuration.ts';
import { modeFindings, type ModeFinding } from './legacy/modes.ts';
import { reportOutcomes } from './legacy/report.ts';
import { resolve, type ResolvedDocument } from './legacy/resolve.ts';
import { RootFindings } from './legacy/root-findings.ts';
import { descriptionOf, kinds } from './kind/kinds.ts';
import { nearest } from './nearest.ts';
import { Place } from './place.ts';
import { type Problems } from './problems.ts';
import { readSource, rootIdentity, type Source, type SourceDocument } from './source.ts';
import { type Document } from './types.ts';
import { Vault } from './vault.ts';

export type ParseOptions = {
  /** Where the text is from, for problems. */
  readonly file?: string;
  /** Milliseconds since the epoch, for warnings about certificates; now by default. Injected by tests. */
  readonly nowMs?: number;
};

/**
 * Reads a multi-document configuration.
 *
 * @returns a configuration without a single problem; the caller disposes it to wipe its secrets.
 * @throws {ConfigError} `ERR_CONFIG_INVALID` with every problem at once. Neither the error nor a problem holds the
 *   value of a secret field.
 *
 * @example
 * using configuration = parse(decode(await readFile('node.yaml')), { file: 'node.yaml' });
 * for (const volume of configuration.all('UserVolumeConfig')) console.log(volume.id);
 */
export function parse(text: string, options: ParseOptions = {}): Configuration {
  const source = readSource(text, options.file);
  const vault = new Vault();
  try {
    const { read, modes } = readDocuments(source, { vault, nowMs: options.nowMs ?? Date.now() });
    source.problems.throwIfAny();
    const documents = source.documents.map((document) => summary(document, source.problems));
    return new Configuration({
      source: vault.keep(text),
      documents,
      // Without their places, which would keep the text with its secrets.
      values: read.map(({ kind, identity, value }) => ({ kind, identity, value })),
      warnings: source.problems.warnings(),
      modes,
      secrets: vault.secrets,
    });
  } catch (error) {
    vault.wipe();
    throw error;
  }
}

type Read = { readonly read: readonly ReadDocument[]; readonly modes: readonly ModeFinding[] };

type Context = { readonly vault: Vault; readonly nowMs: number };

function readDocuments({ documents, problems }: Source, context: Context): Read {
  if (documents.length === 0 && problems.count === 0) {
    const message = 'no document: the text is empty';
    problems.add({ code: 'document.none', message, path: [], document: '', offset: 0 });
  }
  checkConflicts(documents, problems);
  const root = documents.find(({ identity }) => identity === rootIdentity);
  const rootValue = root && readDocument(root, Place.root(root.map, rootIdentity, problems, context));
  // Of a field that is wrong by itself no document is made.
  const isRight = ({ range }: Node): boolean => !problems.isBetween(range?.[0] ?? 0, range?.[1] ?? 0);
  const { documents: resolved, outcomes } = resolve(documents, isRight);
  const read = resolved.flatMap((document) => {
    if (document.map === root?.map) return rootValue ?? [];
    return readDocument(document, placeOf(document, problems, context, root)) ?? [];
  });
  checkLocks(resolved, problems);
  checkTrims(resolved, problems);
  checkKvstoreVolumes(documents, problems);
  checkReplaced(documents, problems);
  if (root !== undefined) reportOutcomes(root, outcomes, problems);
  const whole = new Documents(read);
  for (const rule of rules) rule(whole);
  const written = new Set(documents.map(({ identity }) => identity));
  const made = resolved.filter(({ identity }) => !written.has(identity));
  return { read, modes: root === undefined ? [] : modeFindings(root, made, problems) };
}

function placeOf(
  { map, identity, isOfRoot, isQuiet }: ResolvedDocument,
  problems: Problems,
  context: Context,
  root: SourceDocument | undefined,
): Place {
  const findings = root === undefined || !isOfRoot ? problems : new RootFindings(problems, root, isQuiet);
  return Place.root(map, identity, findings, context);
}

type Readable = Pick<SourceDocument, 'kind' | 'identity'>;

function readDocument(document: Readable, root: Place): ReadDocument | undefined {
  const kind = document.identity === rootIdentity ? rootIdentity : document.kind;
  const description = descriptionOf(kind);
  if (description === undefined) {
    reportKind(kind, root);
    return undefined;
  }
  if (kind === rootIdentity && root.get('version') === undefined) {
    const message = 'a document begins with apiVersion and kind, or with version for the root document';
    root.problem('kind.required', message);
    return undefined;
  }
  const value = description.read(root);
  return value === undefined ? undefined : { kind, identity: document.identity, value, at: root };
}

function reportKind(kind: string, root: Place): void {
  const near = nearest(kind, [...kinds.keys()]);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  root.problemAt('kind', 'kind.unknown', `unknown kind of document${hint}`);
}

function summary({ kind, name, identity, offset }: SourceDocument, problems: Problems): Document {
  return {
    kind: kind === '' ? rootIdentity : kind,
    ...(name === undefined ? {} : { name }),
    identity,
    ...problems.place(offset),
  };
}

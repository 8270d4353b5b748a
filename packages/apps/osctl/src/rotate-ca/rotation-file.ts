import { createPrivateKey, randomUUID } from 'node:crypto';
import { link, lstat } from 'node:fs/promises';

import { OutputError, readNamedText } from '@nodecore/cli';
import { readCertificate } from '@nodecore/pki';
import { codeOf, removeFileDurably, writeFileAtomic } from '@nodecore/sys';
import { parse as parseYaml, stringify } from 'yaml';

import { RotationError } from './errors.ts';

/** A certificate and its key, both PEM. The strings can't be wiped. */
export type Pair = { readonly crt: string; readonly key: string };

/** An authority that is replaced, in both directions. */
export type Exchange = { readonly former: { readonly crt: string }; readonly next: Pair };

/** What a rotation needs to go on, or back, wherever it was interrupted. */
export type Rotation = {
  /** Of the client config. */
  readonly context: string;
  readonly os?: Exchange;
  readonly orch?: Exchange;
  /** What the administrator shows before and after; `ca` is what the context trusted before. */
  readonly client?: { readonly former: Pair & { readonly ca: string }; readonly next: Pair };
};

/** @returns undefined when there is none. @throws {RotationError} `ERR_ROTATION_FILE`, without a word of it. */
export async function readRotation(path: string, context: string): Promise<Rotation | undefined> {
  if (!(await isThere(path))) return undefined;
  const rotation = parsed(await readNamedText(path, '--rotation-file'));
  if (rotation === undefined)
    throw new RotationError('ERR_ROTATION_FILE', `${path} is no file of osctl rotate-ca; name another one`);
  if (rotation.context !== context)
    throw new RotationError(
      'ERR_ROTATION_FILE',
      `${path} is of context ${JSON.stringify(rotation.context)}, and this is ${JSON.stringify(context)}`,
    );
  return rotation;
}

/**
 * Whole or not at all, for its owner only, and never over another: nodes may have what that one has the only key of.
 *
 * @throws {OutputError}; {RotationError} `ERR_ROTATION_FILE` when there is one.
 */
export async function writeRotation(path: string, rotation: Rotation): Promise<void> {
  const head = '# osctl rotate-ca goes on from this file, or back. Whoever has it owns the cluster.\n';
  const own = `${path}.${randomUUID()}`;
  try {
    await writeFileAtomic(own, head + stringify(rotation, { lineWidth: 0 }), { mode: 0o600 });
    try {
      await link(own, path);
    } finally {
      await removeFileDurably(own);
    }
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EEXIST') throw new OutputError(path, code ?? String(error));
    throw new RotationError(
      'ERR_ROTATION_FILE',
      `${path}: another run has just made it; run this again to go on from it`,
    );
  }
}

export async function removeRotation(path: string): Promise<void> {
  await removeFileDurably(path);
}

type Tree = Readonly<Record<string, unknown>>;

function parsed(text: string): Rotation | undefined {
  try {
    const tree = parseYaml(text, { prettyErrors: false }) as Tree;
    const [os, orch, client] = [exchangeOf(tree['os']), exchangeOf(tree['orch']), clientOf(tree['client'])];
    const { context } = tree;
    if (typeof context !== 'string' || (os === undefined) !== (client === undefined)) return undefined;
    return { context, ...(os && { os }), ...(orch && { orch }), ...(client && { client }) };
  } catch {
    return undefined; // a message of the parser may quote a key
  }
}

function exchangeOf(value: unknown): Exchange | undefined {
  if (value === undefined) return undefined;
  const { former, next } = value as Record<string, Tree>;
  return { former: { crt: certificate(former?.['crt']) }, next: pairOf(next) };
}

function clientOf(value: unknown): Rotation['client'] {
  if (value === undefined) return undefined;
  const { former, next } = value as Record<string, Tree>;
  return { former: { ...pairOf(former), ca: certificate(former?.['ca']) }, next: pairOf(next) };
}

/** @throws for a pair that does not belong together. */
function pairOf(value: Tree | undefined): Pair {
  const [crt, key] = [certificate(value?.['crt']), String(value?.['key'])];
  if (!readCertificate(crt).checkPrivateKey(createPrivateKey(key))) throw new TypeError('another key');
  return { crt, key };
}

function certificate(value: unknown): string {
  readCertificate(String(value));
  return String(value);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw new OutputError(path, codeOf(error) ?? String(error));
  }
}

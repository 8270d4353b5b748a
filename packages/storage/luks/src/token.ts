import { CRYPT_ANY_TOKEN } from './constants.ts';
import { LuksError, unsupported } from './errors.ts';
import type { Handle } from './handle.ts';
import type { HeaderFacts } from './header-json.ts';
import { ShapeError } from './json-shape.ts';
import type { ReadOptions } from './read-options.ts';
import { requireKeyslot } from './key.ts';
import { loadTrusted, readHeader } from './load.ts';
import { exclusively } from './queue.ts';
import { encodeToken, type Token, type TokenJson, tokenLimit } from './token-json.ts';

export type SetTokenOptions = {
  readonly token: TokenJson;
  /** Replaces this token, or makes it; the first free id by default. */
  readonly id?: number;
  readonly signal?: AbortSignal;
};

/** Every token of a header. Their fields are whatever somebody wrote: check them like any input. */
async function list(device: string, options: ReadOptions = {}): Promise<Token[]> {
  return await exclusively({ device, signal: options.signal }, async () => {
    const { facts } = await readHeader(device);
    return [...facts.tokens];
  });
}

/** One token; undefined when there is none with this id. */
async function get(device: string, id: number, options: ReadOptions = {}): Promise<Token | undefined> {
  checkId(device, id);
  return (await list(device, options)).find((token) => token.id === id);
}

/**
 * Stores a token and returns its id. It is one change of the header: a crash leaves the header with it or without it.
 *
 * @throws {LuksError} `ERR_LUKS_FULL` when no id is free or the header has no room for the text, before anything was
 *   changed; `ERR_LUKS_NOT_FOUND` when it is assigned to a keyslot that is not there.
 */
async function set(device: string, options: SetTokenOptions): Promise<number> {
  const { token, id, signal } = options;
  if (id !== undefined) checkId(device, id);
  const text = encoded(device, token);
  return await change(device, signal, async (handle, facts) => {
    for (const slot of token.keyslots) requireKeyslot(device, facts, Number(slot));
    if (id === undefined && facts.tokens.length >= tokenLimit) {
      throw new LuksError('ERR_LUKS_FULL', device, '', `${device}: all ${tokenLimit} tokens are in use`);
    }
    return await handle.check('crypt_token_json_set', {}, id ?? CRYPT_ANY_TOKEN, text);
  });
}

/** Removes a token; one that is not there counts as removed. */
async function remove(device: string, id: number, options: ReadOptions = {}): Promise<void> {
  checkId(device, id);
  await change(device, options.signal, async (handle, facts) => {
    if (facts.tokens.some((token) => token.id === id))
      await handle.check('crypt_token_json_set', {}, id, null);
  });
}

/** Notes in a token that it belongs to a keyslot. */
async function assign(device: string, id: number, slot: number, options: ReadOptions = {}): Promise<void> {
  checkId(device, id);
  await change(device, options.signal, async (handle, facts) => {
    requireToken(device, facts, id);
    requireKeyslot(device, facts, slot);
    await handle.check('crypt_token_assign_keyslot', {}, id, slot);
  });
}

/** Takes a keyslot out of a token's list; one that is not in it is no error. */
async function unassign(device: string, id: number, slot: number, options: ReadOptions = {}): Promise<void> {
  checkId(device, id);
  await change(device, options.signal, async (handle, facts) => {
    const token = requireToken(device, facts, id);
    if (token.json.keyslots.includes(String(slot)))
      await handle.check('crypt_token_unassign_keyslot', {}, id, slot);
  });
}

async function change<T>(
  device: string,
  signal: AbortSignal | undefined,
  task: (handle: Handle, facts: HeaderFacts) => Promise<T>,
): Promise<T> {
  return await exclusively({ device, signal }, async () => {
    const { handle, facts } = await loadTrusted(device);
    await using _ = handle;
    return await task(handle, facts);
  });
}

function encoded(device: string, token: TokenJson): string {
  try {
    return encodeToken(token);
  } catch (error) {
    const why = error instanceof ShapeError ? `: ${error.message}` : '';
    const message = `${device}: not a token that can be stored${why}`;
    throw new LuksError('ERR_LUKS_UNSUPPORTED', device, '', message, { cause: error });
  }
}

function checkId(device: string, id: number): void {
  if (!(Number.isInteger(id) && id >= 0 && id < tokenLimit)) throw unsupported(device, `token ${id}`);
}

function requireToken(device: string, facts: HeaderFacts, id: number): Token {
  const token = facts.tokens.find((candidate) => candidate.id === id);
  if (token === undefined)
    throw new LuksError('ERR_LUKS_NOT_FOUND', device, 'ENOENT', `${device}: no token ${id}`);
  return token;
}

/**
 * Tokens of a device or a file: JSON beside the keyslots, which says where their keys come from. Works while the volume
 * is open. Token handlers of the library are not loaded.
 */
export const tokens: {
  readonly list: typeof list;
  readonly get: typeof get;
  readonly set: typeof set;
  readonly remove: typeof remove;
  readonly assign: typeof assign;
  readonly unassign: typeof unassign;
} = { list, get, set, remove, assign, unassign };

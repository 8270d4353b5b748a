import { parseBoundedJson } from './bounded-json.ts';
import { asIds, asName, asRecord, asText, asTexts, idOf, ShapeError } from './json-shape.ts';

/** LUKS2 has keyslots 0 to 31. */
export const keyslotLimit = 32;
/** LUKS2 has tokens 0 to 31. */
export const tokenLimit = 32;

/**
 * What a token stores: JSON of anybody's making, with these two members always there. Nothing in it is secret, and
 * whoever can write to the disk can change it: its fields are as hostile as any input.
 */
export type TokenJson = {
  /** Who understands the token: `systemd-tpm2`, `systemd-recovery`. Names that begin with `luks2-` are the library's own. */
  readonly type: string;
  /** The keyslots it is assigned to, as decimal text. */
  readonly keyslots: readonly string[];
  readonly [field: string]: unknown;
};

export type Token = { readonly id: number; readonly json: TokenJson };

/** Reads the tokens of a header's JSON. @throws {ShapeError} when one is no token. */
export function readTokens(value: unknown): Token[] {
  return asIds(value, 'tokens', tokenLimit).map(([id, json]) => ({
    id,
    json: checkToken(json, `tokens.${id}`),
  }));
}

/**
 * The text of a token for the library, when every reader will understand it alike.
 *
 * @throws {ShapeError} for what is no token, or what a C reader would see otherwise than we do.
 */
export function encodeToken(token: TokenJson): string {
  checkBuiltin(checkToken(token, 'token'));
  const text = JSON.stringify(token);
  if (unreadable.test(text)) throw new ShapeError('token holds text that C programs read otherwise');
  // What was given may have been more than data: a getter, `toJSON`. What is stored is what the text says.
  checkToken(parseBoundedJson(text), 'token');
  return text;
}

/** An escaped NUL, where a C string ends, or half of a surrogate pair, which JSON.stringify escapes. */
const unreadable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Tokens that the library knows have exactly the members that it knows. It says no more than EINVAL for others. */
function checkBuiltin(token: TokenJson): void {
  if (!token.type.startsWith('luks2-')) return;
  if (token.type !== 'luks2-keyring')
    throw new ShapeError(`libcryptsetup has no token of the type ${token.type}`);
  asName(token['key_description'], 'token.key_description');
  const extra = Object.keys(token).find((name) => !['type', 'keyslots', 'key_description'].includes(name));
  if (extra !== undefined) throw new ShapeError(`a luks2-keyring token has no member ${extra}`);
}

function checkToken(value: unknown, where: string): TokenJson {
  const token = asRecord(value, where);
  if (asText(token['type'], `${where}.type`) === '') throw new ShapeError(`${where}.type is empty`);
  for (const slot of asTexts(token['keyslots'], `${where}.keyslots`)) {
    idOf(slot, `${where}.keyslots`, keyslotLimit);
  }
  return token as TokenJson;
}

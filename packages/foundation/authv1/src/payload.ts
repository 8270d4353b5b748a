import { Authv1Error } from './errors.ts';
import { comparable, type HeaderReader, signedHeaders, timestampHeader } from './headers.ts';

/** Headers of a call about to be signed, by their names. */
export type CallHeaders = Readonly<Record<string, string | readonly string[]>>;

const maxPayload = 64 * 1024;
const printable = /^[\x20-\x7e]*$/u;

/** The text that is signed: the method, and every header that matters; one that is not there is null. */
export function payloadOf(path: string, headers: CallHeaders): string {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat()]));
  const signed = signedHeaders.map((name) => [name, given.get(name.toLowerCase()) ?? null]);
  const text = JSON.stringify({ headers: Object.fromEntries(signed) as object, method: path });
  // A header has printable ASCII alone.
  return text.replaceAll(/[^\x20-\x7e]/gu, (unit) =>
    [...Array(unit.length).keys()]
      .map((index) => `\\u${unit.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** What a payload says, as far as it has been read. Nothing in it is believed before the signature is. */
export type Payload = {
  readonly method: string;
  /** By their names in lower case; empty: the header was not there. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
};

/** Reads a payload. @throws {Authv1Error} `ERR_AUTHV1_SIGNATURE`. */
export function readPayload(text: string): Payload {
  if (text.length > maxPayload || !printable.test(text)) throw refusal();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw refusal();
  }
  if (!isRecord(parsed) || typeof parsed['method'] !== 'string' || !isRecord(parsed['headers']))
    throw refusal();
  const headers = new Map<string, readonly string[]>();
  for (const [name, values] of Object.entries(parsed['headers'])) {
    const key = name.toLowerCase();
    if (headers.has(key)) throw refusal();
    headers.set(key, listOf(values));
  }
  return { method: parsed['method'], headers };
}

/**
 * Compares a call with what was signed: the method; each header of the payload; and each header of ours that the call has, which must
 * be in the payload: one that was added on the way is not the signer's.
 *
 * @throws {Authv1Error} `ERR_AUTHV1_SIGNATURE`.
 */
export function checkPayload({ method, headers }: Payload, path: string, headersOf: HeaderReader): void {
  if (method !== path) throw refusal();
  const names = new Set([...headers.keys(), ...signedHeaders.map((name) => name.toLowerCase())]);
  for (const name of names) {
    if (comparable(headers.get(name) ?? []) !== comparable(headersOf(name))) throw refusal();
  }
  if ((headers.get(timestampHeader)?.length ?? 0) !== 1) throw refusal();
}

function listOf(values: unknown): readonly string[] {
  if (values === null) return [];
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) throw refusal();
  return values;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(): Authv1Error {
  return new Authv1Error('ERR_AUTHV1_SIGNATURE', 'the call is not signed as it came');
}

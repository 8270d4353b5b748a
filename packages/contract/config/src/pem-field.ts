import { type Place } from './place.ts';

/** The bytes of a base64 field; a mistake is reported under `code` and reads as missing. */
export function readBase64(field: Place | undefined, code: string): Buffer | undefined {
  const text = field?.text();
  if (field === undefined || text === undefined) return undefined;
  const compact = text.replaceAll(/\s/gu, '');
  // Buffer.from skips what is not base64: a truncated or foreign text must not decode to something.
  if (compact === '' || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/u.test(compact)) {
    field.problem(code, 'must be base64 with padding');
    return undefined;
  }
  return Buffer.from(compact, 'base64');
}

/** One block and nothing around it: text that follows would be kept, and shown, unread. */
const oneBlock = /^\s*-----BEGIN (?<label>[A-Z ]+)-----\s[A-Za-z0-9+/=\s]+-----END \k<label>-----\s*$/u;

/** The PEM text inside a base64 field, as bytes. */
export function readPem(field: Place | undefined, code: string, what: string): Buffer | undefined {
  const bytes = readBase64(field, code);
  if (field === undefined || bytes === undefined) return undefined;
  if (oneBlock.test(bytes.toString('latin1'))) return bytes;
  bytes.fill(0);
  field.problem(code, `must be ${what} in PEM form, in base64`);
  return undefined;
}

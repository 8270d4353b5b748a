import { hideValues } from './hide-values.ts';
import { hideLogins } from './logins.ts';

/** Stands for what is left out. */
const hidden = '[redacted]';

/** What is between two words, also in a text of JSON. */
const gap = String.raw`(?:\s|\\[nrt]){1,32}`;
/** `login NAME password VALUE` of a .netrc, or with the password first; `account` may stand between them. */
const netrc = new RegExp(
  String.raw`(?<=^|[^A-Za-z\d]|\\[nrt])((?:machine|login|account)${gap}[^\s\\]{1,256}${gap}password${gap})(?:[^\s"\\]|"(?=\w)|\\(?![nrt"]))+`,
  'gu',
);

/**
 * What gives access, in the forms in which programs print it. Too much is hidden rather than too little. A pattern begins with
 * what no other match runs over, so that the time grows with the text and not with its square.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]*-----|$)/gu, hidden],
  [/(:\\?\/\\?\/)[^\s/"']+@/gu, `$1${hidden}@`],
  [netrc, `$1${hidden}`],
  [/\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gu, `$1${hidden}`],
  // In small letters these are ordinary words, too: "basic authentication".
  [/\b((?:bearer|basic)\s+)(?=[\w.~+/=-]*[\dA-Z=])[\w.~+/=-]{8,}/gu, `$1${hidden}`],
];

/** A text without the secrets that its forms give away. What nodes send has none; this is for what programs on them print. */
export function redactText(text: string): string {
  const plain = patterns.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
  return hideValues(hideLogins(plain, hidden), hidden).replace(encodedPem, (block) =>
    isPrivate(block) ? hidden : block,
  );
}

/** Base64 of `-----BEGIN `, as configurations have keys and certificates. */
const encodedPem = /LS0tLS1CRUdJTi[\w+/=]+/gu;

function isPrivate(block: string): boolean {
  return Buffer.from(block, 'base64').includes('PRIVATE KEY');
}

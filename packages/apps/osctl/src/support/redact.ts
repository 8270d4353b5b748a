const hidden = '[redacted]';

/** What gives access, in the forms in which programs print it. Too much is hidden rather than too little. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]*-----|$)/gu, hidden],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/giu, `$1${hidden}@`],
  [
    /(["']?[\w.-]*(?:passw(?:or)?d|passphrase|token|secret|private[_-]?key|api[_-]?key|credential)s?["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&}\]]+)/giu,
    `$1"${hidden}"`,
  ],
  [/\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gu, `$1${hidden}`],
];

/** A text without the secrets that its forms give away. What nodes send has none; this is for what programs on them print. */
export function redactText(text: string): string {
  const plain = patterns.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
  return plain.replace(encodedPem, (block) => (isPrivate(block) ? hidden : block));
}

/** Base64 of `-----BEGIN `, as configurations have keys and certificates. */
const encodedPem = /LS0tLS1CRUdJTi[\w+/=]+/gu;

function isPrivate(block: string): boolean {
  return Buffer.from(block, 'base64').includes('PRIVATE KEY');
}

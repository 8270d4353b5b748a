/** A secret that a test planted. */
export type Planted = { readonly name: string; readonly bytes: Uint8Array };

const text = (value: string): Buffer => Buffer.from(value, 'utf8');

/** Every way in which key bytes may stand in text or memory, by name. */
export function formsOf(bytes: Uint8Array): ReadonlyMap<string, Buffer> {
  const secret = Buffer.from(bytes);
  const base64 = secret.toString('base64');
  const latin1 = secret.toString('latin1');
  return new Map([
    ['raw', secret],
    ['hex', text(secret.toString('hex'))],
    ['HEX', text(secret.toString('hex').toUpperCase())],
    // Without its end, which depends on what follows in a longer text.
    ['base64', text(base64.slice(0, Math.floor(secret.length / 3) * 4))],
    ['base64url', text(secret.toString('base64url').slice(0, Math.floor(secret.length / 3) * 4))],
    ['utf16', Buffer.from(latin1, 'utf16le')],
    ['utf8 of latin1', text(latin1)],
    ['JSON string', text(JSON.stringify(latin1).slice(1, -1))],
    ['decimal bytes', text([...secret].join(','))],
    ['inspected bytes', text([...secret].map((byte) => byte.toString(16).padStart(2, '0')).join(' '))],
  ]);
}

/** Where any form of any planted secret stands in `haystack`: `name as form`, in words for a report. */
export function findSecrets(haystack: Buffer, planted: readonly Planted[]): string[] {
  return planted.flatMap(({ name, bytes }) =>
    [...formsOf(bytes)].flatMap(([form, needle]) =>
      haystack.includes(needle) ? [`${name} as ${form}`] : [],
    ),
  );
}

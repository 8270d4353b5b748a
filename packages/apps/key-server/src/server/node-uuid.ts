/** RFC 9562, any version: firmware invents its own. */
const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The one spelling of a node's UUID. Undefined for what is none, and for the two that firmware answers when it has
 * none (SMBIOS 7.2.1): several nodes would share one of them.
 */
export function canonicalUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (!form.test(lower) || /^[0-]*$|^[f-]*$/.test(lower)) return undefined;
  return lower;
}

/** Its 16 bytes in the order of the text. */
export function uuidBytes(canonical: string): Buffer {
  return Buffer.from(canonical.replaceAll('-', ''), 'hex');
}

import { decode } from '@nodecore/config';
import { Secret, writeFileAtomic } from '@nodecore/sys';

/** Persists a text with secrets; its bytes are overwritten. */
export async function writeSecretText(path: string, text: string): Promise<void> {
  using bytes = Secret.take(Buffer.from(text, 'utf8'));
  await writeFileAtomic(path, bytes.bytes);
}

/** The text of these bytes, which are overwritten. @throws {ConfigError} when they are no UTF-8. */
export function decodeAndWipe(bytes: Uint8Array, from: { readonly file?: string } = {}): string {
  try {
    return decode(bytes, from);
  } finally {
    bytes.fill(0);
  }
}

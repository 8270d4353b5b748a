import * as pki from '@nodecore/pki';

import { writeFiles, type WriteOptions } from './files.ts';

/**
 * Writes a new Ed25519 key, PKCS #8 in PEM, to `<name>.key` with mode 0600; the copy in memory is wiped.
 *
 * @throws {UsageError} when the file exists and `force` is not set.
 */
export async function genKey(options: WriteOptions & { readonly name: string }): Promise<void> {
  using key = await pki.generateKey();
  await writeFiles([{ path: `${options.name}.key`, content: key, secret: true }], options);
}

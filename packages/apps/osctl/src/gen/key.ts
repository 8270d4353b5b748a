import * as pki from '@nodecore/pki';

import { writeFiles, type WriteOptions } from './files.ts';

export async function genKey(options: WriteOptions & { readonly name: string }): Promise<void> {
  using key = await pki.generateKey();
  await writeFiles([{ path: `${options.name}.key`, content: key, secret: true }], options);
}

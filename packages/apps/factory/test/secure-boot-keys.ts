import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { authenticatedVariable, certificateList, certificatePem, encodeSignatureLists } from '@nodecore/efi';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { identities, listOf, owner } from '../../../image/efi/test/signing.ts';

/**
 * A directory as `osctl gen secureboot` makes it: one key for all.
 *
 * @param enrolled certificates in db besides.
 */
export async function secureBootKeys(
  t: ExecutionContext,
  enrolled: readonly Uint8Array[] = [],
): Promise<string> {
  const directory = await temporaryDirectory(t);
  const [signer] = await identities();
  await writeFile(
    join(directory, 'uki-signing-key.pem'),
    signer.key.export({ type: 'pkcs8', format: 'pem' }),
    { mode: 0o600 },
  );
  await writeFile(join(directory, 'uki-signing-cert.pem'), certificatePem(signer.certificate));
  const [, pcr] = await identities();
  await writeFile(join(directory, 'pcr-signing-key.pem'), pcr.key.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  });
  const own = listOf(signer);
  const all = [...own, ...enrolled.map((certificate) => certificateList(certificate, owner))];
  const time = new Date('2026-03-04T05:06:07Z');
  for (const name of ['PK', 'KEK', 'db'] as const)
    await writeFile(
      join(directory, `${name}.auth`),
      await authenticatedVariable(
        { name, value: encodeSignatureLists(name === 'db' ? all : own), time },
        signer,
      ),
    );
  return directory;
}

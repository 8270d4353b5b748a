import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import * as tpm from '@nodecore/tpm';

// Node has an OpenSSL of its own, and both libraries use the system's.
testWith(program('swtpm'))('a TPM works in a process that has opened a volume before', async (t) => {
  const image = join(await temporaryDirectory(t), 'volume');
  await writeFile(image, '');
  await truncate(image, 17 << 20);
  using key = Secret.random(32);
  await luks.format(image, { key, pbkdf: { type: 'pbkdf2', iterations: 1000 } });

  const { tcti } = await softwareTpm(t);
  await using chip = await tpm.open({ tcti });
  const sealed = await chip.seal(key, { pcrs: [] });
  using unsealed = await chip.unseal(sealed);
  t.true(unsealed.equals(key));
  t.is(await luks.testKey(image, { key: unsealed }), 0);
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { parsePcrSignatures, pcrSignatures } from '../src/index.ts';

const entry = {
  pcrs: [11],
  pkfp: 'AB'.repeat(32),
  pol: 'cd'.repeat(32),
  sig: Buffer.alloc(256, 1).toString('base64'),
};

test('the key and the signatures of the running image come before those of the system', async (t) => {
  const root = await temporaryDirectory(t);
  const directories = ['image', 'run', 'etc'].map((name) => join(root, name));
  t.deepEqual(await pcrSignatures({ directories }), {});
  for (const directory of directories) await mkdir(directory);
  const [image = '', run = '', etc = ''] = directories;
  await writeFile(join(etc, 'tpm2-pcr-public-key.pem'), 'etc');
  await writeFile(join(run, 'tpm2-pcr-public-key.pem'), 'run');
  await writeFile(
    join(etc, 'tpm2-pcr-signature.json'),
    JSON.stringify({ sha1: [entry], sha256: [entry, entry] }),
  );
  const found = await pcrSignatures({ directories });
  t.is(Buffer.from(found.publicKey ?? []).toString(), 'run');
  t.deepEqual(
    found.signatures?.map(({ bank }) => bank),
    ['sha1', 'sha256', 'sha256'],
  );
  t.is(found.signatures?.[0]?.fingerprint, 'ab'.repeat(32));
  t.is(found.signatures?.[0]?.signature.length, 256);
  await writeFile(join(image, 'tpm2-pcr-signature.json'), JSON.stringify({ sm3: [1] }));
  t.deepEqual((await pcrSignatures({ directories })).signatures, []);
});

test('what is no list of signatures says where', (t) => {
  const wrong = [
    'not JSON',
    '[]',
    '{"sha256":{}}',
    '{"sha256":[{}]}',
    JSON.stringify({ sha256: [{ ...entry, pcrs: [24] }] }),
    JSON.stringify({ sha256: [{ ...entry, pol: 'cd' }] }),
    JSON.stringify({ sha256: [entry, { ...entry, sig: 'no base64!' }] }),
  ];
  for (const text of wrong) {
    t.throws(() => parsePcrSignatures(Buffer.from(text), '/x.json'), {
      code: 'ERR_TPM_SIGNATURE_INVALID',
      message: /\/x\.json holds no signatures: /,
    });
  }
});

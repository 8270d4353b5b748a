import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import test from 'ava';

import { loadSecureBootKeys } from '@nodecore/efi';

import { osctl } from './command-line.ts';
import { mode } from './gen-directory.ts';

test('gen secureboot makes keys that fit together, and replaces none without --force', async (t) => {
  for (const name of ['uki', 'pcr', 'database']) {
    const made = await osctl(['gen', 'secureboot', name]);
    t.is(made.code, 0, made.error);
  }
  const keys = await loadSecureBootKeys('_out');
  const certificate = new X509Certificate(keys.signer.certificate);
  t.is(certificate.subject, 'CN=Test UKI Signing Key');
  t.deepEqual(await readFile('_out/uki-signing-cert.der'), keys.signer.certificate);
  t.is(keys.pcrKey?.asymmetricKeyDetails?.modulusLength, 2048);
  t.deepEqual(
    [await mode('_out/uki-signing-key.pem'), await mode('_out/pcr-signing-key.pem')],
    [0o600, 0o600],
  );
  t.deepEqual([await mode('_out/uki-signing-cert.pem'), await mode('_out/db.auth')], [0o644, 0o644]);
  for (const [name, file] of [
    ['uki', 'uki-signing-cert.pem'],
    ['pcr', 'pcr-signing-key.pem'],
    ['database', 'PK.auth'],
  ]) {
    const refused = await osctl(['gen', 'secureboot', name ?? '']);
    t.is(refused.code, 2);
    t.is(refused.error, `osctl: _out/${file} exists; give --force to replace it\n`);
  }
  t.is((await osctl(['gen', 'secureboot', 'pcr', '--force'])).code, 0);
});

test('gen secureboot database takes another certificate for images than the one that owns the machine', async (t) => {
  for (const out of ['owner', 'images']) {
    t.is((await osctl(['gen', 'secureboot', 'uki', '-o', out, '--common-name', out])).code, 0);
  }
  const flags = [
    '--enrolled-certificate',
    'images/uki-signing-cert.pem',
    '--signing-certificate',
    'owner/uki-signing-cert.pem',
  ];
  const made = await osctl([
    'gen',
    'secureboot',
    'database',
    ...flags,
    '--signing-key',
    'owner/uki-signing-key.pem',
    '-o',
    'images',
    '--json',
  ]);
  t.is(made.code, 0, made.error);
  type Made = { readonly file: string; readonly secret: boolean };
  const files = JSON.parse(made.out) as readonly Made[];
  t.deepEqual(
    files.map(({ file }) => file).filter((file) => file.endsWith('.auth')),
    ['images/PK.auth', 'images/KEK.auth', 'images/db.auth'],
  );
  t.false(files.some(({ secret }) => secret));
  t.is(new X509Certificate((await loadSecureBootKeys('images')).signer.certificate).subject, 'CN=images');
  const wrong = await osctl([
    'gen',
    'secureboot',
    'database',
    ...flags,
    '--signing-key',
    'images/uki-signing-key.pem',
    '-o',
    'wrong',
  ]);
  t.is(wrong.code, 2);
  t.regex(wrong.error, /--signing-key: the key does not belong to the certificate/);
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { command, output, program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { samplePe } from '../../../image/efi/test/sample-pe.ts';
import { osctl } from './command-line.ts';

/** Who the entries are of, as osctl writes it. */
const owner = '3f0f8d1e-7c55-4f43-9d0b-2f6f4c9a51e2';

/** EFI_TIME at the beginning of an authenticated variable, as sign-efi-sig-list takes it. */
function timeOf(auth: Buffer): string {
  const two = (at: number): string => String(auth.readUInt8(at)).padStart(2, '0');
  return `${auth.readUInt16LE(0)}-${two(2)}-${two(3)} ${two(4)}:${two(5)}:${two(6)}`;
}

testWith(
  program('openssl'),
  program('sbsign'),
  program('sbverify'),
  program('cert-to-efi-sig-list'),
  program('sign-efi-sig-list'),
)(
  'what gen secureboot writes other programs take: openssl the keys, sbsign and sbverify the certificate, efitools make the same updates',
  async (t) => {
    const out = await temporaryDirectory(t);
    const path = (name: string): string => join(out, name);
    for (const name of ['uki', 'pcr'])
      t.is((await osctl(['gen', 'secureboot', name, '-o', out])).code, 0, name);
    const [key, certificate] = [path('uki-signing-key.pem'), path('uki-signing-cert.pem')];
    const database = ['gen', 'secureboot', 'database', '-o', out, '--enrolled-certificate', certificate];
    const made = await osctl([...database, '--signing-key', key, '--signing-certificate', certificate]);
    t.is(made.code, 0, made.error);

    t.regex(await output(['openssl', 'verify', '-CAfile', certificate, certificate]), /: OK/u);
    const text = await output(['openssl', 'x509', '-in', certificate, '-noout', '-text']);
    t.regex(text, /Public-Key: \(2048 bit\)/u);
    t.regex(text, /Subject: CN ?= ?Test UKI Signing Key/u);
    const [years10, day] = [10 * 365 * 86_400, 86_400];
    t.is(
      (await command(['openssl', 'x509', '-in', certificate, '-checkend', String(years10 - day)])).code,
      0,
    );
    t.is(
      (await command(['openssl', 'x509', '-in', certificate, '-checkend', String(years10 + 9 * day)])).code,
      1,
    );
    const pem = ['-inform', 'DER', '-outform', 'PEM', '-out', path('of-der.pem')];
    await output(['openssl', 'x509', '-in', path('uki-signing-cert.der'), ...pem]);
    t.deepEqual(
      await output(['openssl', 'x509', '-in', path('of-der.pem'), '-noout', '-fingerprint', '-sha256']),
      await output(['openssl', 'x509', '-in', certificate, '-noout', '-fingerprint', '-sha256']),
    );
    t.regex(
      await output(['openssl', 'rsa', '-in', path('pcr-signing-key.pem'), '-check', '-noout']),
      /RSA key ok/u,
    );

    await writeFile(path('plain.efi'), samplePe());
    await output([
      'sbsign',
      '--key',
      key,
      '--cert',
      certificate,
      '--output',
      path('signed.efi'),
      path('plain.efi'),
    ]);
    t.is((await command(['sbverify', '--cert', certificate, path('signed.efi')])).code, 0);

    await output(['cert-to-efi-sig-list', '-g', owner, certificate, path('list.esl')]);
    for (const name of ['PK', 'KEK', 'db']) {
      const ours = await readFile(path(`${name}.auth`));
      const words = [
        '-t',
        timeOf(ours),
        '-k',
        key,
        '-c',
        certificate,
        name,
        path('list.esl'),
        path('theirs'),
      ];
      await output(['sign-efi-sig-list', ...words], { env: { TZ: 'UTC' } });
      t.deepEqual(ours, await readFile(path('theirs')), name);
    }

    // Two in db, as for option ROMs that somebody else has signed.
    const other = path('other');
    t.is((await osctl(['gen', 'secureboot', 'uki', '-o', other, '--common-name', 'Other'])).code, 0);
    const both = ['--enrolled-certificate', join(other, 'uki-signing-cert.der'), '--force'];
    const again = await osctl([
      ...database,
      ...both,
      '--signing-key',
      key,
      '--signing-certificate',
      certificate,
    ]);
    t.is(again.code, 0, again.error);
    const db = await readFile(path('db.auth'));
    for (const one of [path('uki-signing-cert.der'), join(other, 'uki-signing-cert.der')])
      t.true(db.includes(await readFile(one)), one);
    t.false((await readFile(path('KEK.auth'))).includes(await readFile(join(other, 'uki-signing-cert.der'))));
  },
);

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { authenticatedVariable, encodeSignatureLists, signPe, type SigningIdentity } from '@nodecore/efi';
import { partitions } from '@nodecore/block';
import { codeOf } from '@nodecore/sys';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';

import { identities, listOf } from '../../../image/efi/test/signing.ts';
import { samplePe } from '../../../image/efi/test/sample-pe.ts';
import { installing, type InstallingOptions } from './installing.ts';

const mib = 1 << 20;
const time = new Date('2026-03-04T05:06:07Z');

const signed = async (signer: SigningIdentity): Promise<Buffer> =>
  await (await signPe(View.of(samplePe()), signer)).bytes();

/** As a factory puts them into an installer image for Secure Boot. */
async function keyFiles(signer: SigningIdentity): Promise<Record<string, Buffer>> {
  const value = encodeSignatureLists(listOf(signer));
  const update = (name: 'PK' | 'KEK' | 'db') => authenticatedVariable({ name, value, time }, signer);
  return {
    'keys/PK.auth': await update('PK'),
    'keys/KEK.auth': await update('KEK'),
    'keys/db.auth': await update('db'),
    'keys/uki-signing-cert.der': Buffer.from(signer.certificate),
  };
}

testWith(root, program('mcopy'))(
  'an image for Secure Boot leaves its keys beside the boot loader, to be enrolled as it says',
  async (t) => {
    const { path } = await loopDevice(t, { sizeBytes: 700 * mib });
    const [signer] = await identities();
    const more = await keyFiles(signer);
    const image = await signed(signer);
    const facts = { devPath: path, size: BigInt(700 * mib) };
    const { run } = await installing(t, {
      facts,
      more,
      uki: image,
      loader: image,
      manifest: { enrollKeys: 'if-safe' },
    });
    await run();
    const directory = await temporaryDirectory(t);
    const file = async (name: string): Promise<Buffer> => {
      await output(['mcopy', '-n', '-o', '-i', `${path}p1`, `::${name}`, join(directory, 'copy')]);
      return await readFile(join(directory, 'copy'));
    };
    for (const name of ['PK', 'KEK', 'db'])
      t.deepEqual(await file(`loader/keys/auto/${name}.auth`), more[`keys/${name}.auth`], name);
    t.deepEqual(await file('EFI/keys/uki-signing-cert.der'), Buffer.from(signer.certificate));
    t.regex((await file('loader/loader.conf')).toString(), /^secure-boot-enroll if-safe$/mu);
  },
);

testWith(root)(
  'keys that are not all there, or would lock the machine out, change no byte of the disk',
  async (t) => {
    const { path } = await loopDevice(t, { sizeBytes: 700 * mib });
    const [signer, other] = await identities();
    const image = await signed(signer);
    const keys = await keyFiles(signer);
    const { 'keys/db.auth': db, ...lacking } = keys;
    const facts = { devPath: path, size: BigInt(700 * mib) };
    const cases: readonly (readonly [string, Partial<InstallingOptions>, RegExp])[] = [
      ['without db', { more: lacking }, /keys\/db\.auth of the installer image is missing/u],
      [
        'with a db of somebody else',
        { more: { ...keys, 'keys/db.auth': (await keyFiles(other))['keys/db.auth']! } },
        /keys\/db\.auth of the installer image can not be enrolled/u,
      ],
      [
        'with a boot loader that db does not know',
        { more: keys, loader: await signed(other) },
        /keys\/db\.auth of the installer image can not be enrolled/u,
      ],
      [
        'with bytes that are no key',
        { more: { ...keys, 'keys/PK.auth': db!.subarray(0, 50) } },
        /keys\/PK\.auth/u,
      ],
      [
        'with a PK of 70 KB',
        { more: { ...keys, 'keys/PK.auth': Buffer.alloc(70_000) } },
        /more than 65536 bytes/u,
      ],
      [
        'with a way to enrol that is none',
        { more: keys, manifest: { enrollKeys: 'now' } },
        /enrollKeys is "now"/u,
      ],
    ];
    for (const [what, options, message] of cases) {
      const { run } = await installing(t, { facts, uki: image, loader: image, ...options });
      const error = await t.throwsAsync(run());
      t.is(codeOf(error), 'ERR_UPGRADE_IMAGE', what);
      t.regex(error?.message ?? '', message, what);
    }
    t.is(await partitions.read(path), undefined);
  },
);

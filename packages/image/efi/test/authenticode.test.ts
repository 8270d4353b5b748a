import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { command, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import test from 'ava';

import {
  authenticodeDigest,
  certificatePem,
  type Databases,
  EfiError,
  encodeSignatureLists,
  parseSignatureLists,
  readPe,
  signPe,
  verifyPe,
} from '../src/index.ts';
import { signBytesWith } from '../src/signer.ts';
import { samplePe } from './sample-pe.ts';
import { identities, listOf, owner } from './signing.ts';

const optional = 0x58;

async function signedSample(): Promise<Buffer> {
  const [signer] = await identities();
  return await (await signPe(View.of(samplePe()), signer)).bytes();
}

async function databases(): Promise<Databases> {
  const [first] = await identities();
  return { db: listOf(first) };
}

test('an image that db signs is told by its certificate, and equal inputs give equal bytes', async (t) => {
  const [first] = await identities();
  const signed = await signedSample();
  t.deepEqual(await verifyPe(View.of(signed), await databases()), first.certificate);
  t.deepEqual(await signedSample(), signed);
});

test('the certificate table ends with its only entry, rounded up to 8, as EDK II adds it up', async (t) => {
  for (const odd of [false, true]) {
    const [signer] = await identities();
    const signed = await (await signPe(View.of(samplePe({ odd })), signer)).bytes();
    const pe = await readPe(View.of(signed));
    const length = signed.readUInt32LE(pe.end);
    t.is(pe.certificateBytes, Math.ceil(length / 8) * 8);
    t.is(pe.end + pe.certificateBytes, signed.length);
    t.is(pe.end % 8, 0);
  }
});

test('the checksum of a signed image is right', async (t) => {
  const signed = await signedSample();
  const { at } = await readPe(View.of(signed));
  const claimed = signed.readUInt32LE(at.checksum);
  signed.writeUInt32LE(0, at.checksum);
  let sum = 0;
  for (let offset = 0; offset < signed.length; offset += 2) {
    sum += signed.readUInt16LE(offset);
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  t.is(claimed, sum + signed.length);
});

test('every byte of an image but its checksum is signed', async (t) => {
  const signed = await signedSample();
  const { at, end } = await readPe(View.of(signed));
  const places = [
    0x20,
    at.coff + 8,

    at.checksum + 4,
    at.sectionTable + 80,
    0x400,
    0x5ff,
    0x600,
    end - 1,
  ];
  for (const place of places) {
    const changed = Buffer.from(signed);
    changed[place] = (changed[place] ?? 0) ^ 1;
    await t.throwsAsync(
      verifyPe(View.of(changed), await databases()),
      {
        instanceOf: EfiError,
        code: 'ERR_EFI_SIGNATURE',
      },
      `byte ${place}`,
    );
  }
  signed.writeUInt32LE(1, at.checksum);
  await t.notThrowsAsync(verifyPe(View.of(signed), await databases()));
});

test('who is not in db does not sign, whatever certificate his signature brings', async (t) => {
  const [, second] = await identities();
  const foreign = await signPe(View.of(samplePe()), second);
  await t.throwsAsync(verifyPe(foreign, await databases()), {
    code: 'ERR_EFI_SIGNATURE',
    message: /no certificate of db/,
  });
  await t.throwsAsync(verifyPe(View.of(samplePe()), await databases()), { message: /not signed/ });
  await t.throwsAsync(verifyPe(await signPe(View.of(samplePe()), second), { db: [] }), {
    code: 'ERR_EFI_SIGNATURE',
  });
});

test('dbx forbids an image by its digest, and a certificate', async (t) => {
  const [first] = await identities();
  const view = View.of(await signedSample());
  const digest = await authenticodeDigest(await readPe(view));
  const dbx = [{ type: 'sha256', entries: [{ owner, data: digest }] }];
  await t.throwsAsync(verifyPe(view, { db: listOf(first), dbx }), {
    code: 'ERR_EFI_REVOKED',
    message: /digest/,
  });
  await t.throwsAsync(verifyPe(view, { db: listOf(first), dbx: listOf(first) }), {
    code: 'ERR_EFI_REVOKED',
    message: /certificate/,
  });
});

test('dbx forbids a certificate by a digest of what its issuer has signed, as openssl finds it', async (t) => {
  const [first, second] = await identities();
  const view = View.of(await signedSample());
  const tbsOf = async (certificate: Uint8Array): Promise<Buffer> => {
    const path = join(await temporaryDirectory(t), 'tbs');
    await writeFile(`${path}.der`, certificate);
    // The first element within the outermost one.
    await command([
      'openssl',
      'asn1parse',
      '-inform',
      'DER',
      '-in',
      `${path}.der`,
      '-strparse',
      '4',
      '-noout',
      '-out',
      path,
    ]);
    return await readFile(path);
  };
  for (const [type, algorithm] of [
    ['3bd2a492-96c0-4079-b420-fcf98ef103ed', 'sha256'],
    ['7076876e-80c2-4ee6-aad2-28b349a6865b', 'sha384'],
    ['446dbf63-2502-4cda-bcfa-2465d2b0fe9d', 'sha512'],
  ] as const) {
    const dbxOf = async (certificate: Uint8Array) => {
      const digest = createHash(algorithm)
        .update(await tbsOf(certificate))
        .digest();
      const data = Buffer.concat([digest, Buffer.alloc(16)]); // revoked for all time
      return parseSignatureLists(encodeSignatureLists([{ type, entries: [{ owner, data }] }]));
    };
    const db = listOf(first);
    await t.throwsAsync(
      verifyPe(view, { db, dbx: await dbxOf(first.certificate) }),
      { code: 'ERR_EFI_REVOKED' },
      algorithm,
    );
    await t.notThrowsAsync(verifyPe(view, { db, dbx: await dbxOf(second.certificate) }));
  }
});

test('a signature of an image does not serve for another one', async (t) => {
  const signed = await signedSample();
  const { end } = await readPe(View.of(signed));
  const other = samplePe();
  other[0x700] = 1;
  other.writeUInt32LE(end, optional + 144);
  other.writeUInt32LE(signed.length - end, optional + 148);
  const spliced = View.of(other, signed.subarray(end));
  await t.throwsAsync(verifyPe(spliced, await databases()), { message: /for another image/ });
});

test('a signature whose digest was exchanged for that of another image does not count', async (t) => {
  const signed = await signedSample();
  const { end } = await readPe(View.of(signed));
  const digest = await authenticodeDigest(await readPe(View.of(signed)));
  signed[0x700] = 1;
  const at = signed.indexOf(digest, end);
  t.true(at > end);
  signed.set(await authenticodeDigest(await readPe(View.of(signed))), at);
  await t.throwsAsync(verifyPe(View.of(signed), await databases()), { message: /no certificate of db/ });
});

test('an image that is signed again has the new signature only', async (t) => {
  const [first, second] = await identities();
  const again = await signPe(View.of(await signedSample()), second);
  t.deepEqual(await verifyPe(again, { db: listOf(second) }), second.certificate);
  await t.throwsAsync(verifyPe(again, { db: listOf(first) }), { code: 'ERR_EFI_SIGNATURE' });
});

test('a certificate table that firmware would not take is refused, whatever sbverify says', async (t) => {
  const signed = await signedSample();
  const { at, certificateBytes } = await readPe(View.of(signed));
  const padded = Buffer.concat([signed, Buffer.alloc(512)]);
  padded.writeUInt32LE(certificateBytes + 512, at.security + 4);
  await t.throwsAsync(verifyPe(View.of(padded), await databases()), {
    code: 'ERR_EFI_SIGNATURE',
    message: /does not end with its last entry/,
  });
});

test('the key may be elsewhere, and one that does not belong to the certificate signs nothing', async (t) => {
  const [first, second] = await identities();
  const remote = (bytes: Uint8Array): Promise<Buffer> => signBytesWith(first.key, bytes);
  const signed = await signPe(View.of(samplePe()), { key: remote, certificate: first.certificate });
  t.deepEqual(await signed.bytes(), await signedSample());
  for (const key of [second.key, (bytes: Uint8Array): Promise<Buffer> => signBytesWith(second.key, bytes)]) {
    const signing = signPe(View.of(samplePe()), { key, certificate: first.certificate });
    await t.throwsAsync(signing, { code: 'ERR_EFI_KEY', message: /does not belong/ });
  }
});

testWith(program('sbverify'), program('sbsign'))(
  'sbverify takes our signature, and we take that of sbsign',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const [signer, second] = await identities();
    const path = (name: string): string => join(directory, name);
    await writeFile(path('cert.pem'), certificatePem(signer.certificate));
    await writeFile(path('other.pem'), certificatePem(second.certificate));
    await writeFile(path('key.pem'), signer.key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    await writeFile(path('plain.efi'), samplePe());
    await (await signPe(View.of(samplePe()), signer)).writeTo(path('ours.efi'));
    const ours = await command(['sbverify', '--cert', path('cert.pem'), path('ours.efi')]);
    t.is(ours.code, 0, ours.stderr);
    t.not((await command(['sbverify', '--cert', path('other.pem'), path('ours.efi')])).code, 0);
    const theirs = await command([
      'sbsign',
      '--key',
      path('key.pem'),
      '--cert',
      path('cert.pem'),
      '--output',
      path('theirs.efi'),
      path('plain.efi'),
    ]);
    t.is(theirs.code, 0, theirs.stderr);
    const { fileView } = await import('@nodecore/view');
    t.deepEqual(
      await verifyPe(await fileView(path('theirs.efi')), { db: listOf(signer) }),
      signer.certificate,
    );
  },
);

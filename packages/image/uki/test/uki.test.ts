import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { certificateList, certificatePem, createSigningIdentity, readPe, verifyPe } from '@nodecore/efi';
import { command, output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { parsePcrSignatures } from '@nodecore/tpm';
import { View } from '@nodecore/view';
import test from 'ava';

import {
  assembleUki,
  extractSections,
  kernelParts,
  measurePcr11,
  pcrPublicKey,
  predictPcr11,
} from '../src/index.ts';
import { samplePe, sections, stub } from './sample.ts';

const pcrKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

function chain(steps: readonly (Buffer | string)[]): Buffer {
  return steps.reduce<Buffer>((value, step) => {
    const digest = createHash('sha256').update(step).digest();
    return createHash('sha256').update(value).update(digest).digest();
  }, Buffer.alloc(32));
}

test('phases alone give the values that TPMs give', async (t) => {
  const values = [
    'd15b0e8e244e65c40f024e95773f2347ce4ef3ffe6b597c9a14b50bbab6df319',
    '75df9c8b17d8a6465f2862028b892ea13a3d7c37685a945e5ff34fb44956c207',
    '47c37960df05b047faba985f8a0c43cbe49197613b53b6a1b1aa153febad4099',
    'c306799bfd1dc998c984bd5341025d05c6b4852672e9cfe2babae0c79bf0e2f8',
  ];
  const phases = ['enter-initrd', 'leave-initrd', 'enter-machined', 'start-the-world'];
  for (const [n, value] of values.entries()) {
    t.is((await measurePcr11({}, phases.slice(0, n + 1))).toString('hex'), value);
  }
});

test('sections are measured in the order of the stub, with their names, not in that of the file', async (t) => {
  const image = await assembleUki({ stub, sections, pcrSigningKey: pcrKey });
  const expected = chain([
    '.linux\0',
    await sections.linux.bytes(),
    '.osrel\0',
    sections.osrel,
    '.cmdline\0',
    sections.cmdline,
    '.initrd\0',
    await sections.initrd.bytes(),
    '.uname\0',
    sections.uname,
    '.sbat\0',
    'sbat,1\nexample,1\n',
    '.pcrpkey\0',
    pcrPublicKey(pcrKey),
    'enter-initrd',
    'leave-initrd',
    'enter-machined',
  ]);
  t.deepEqual(await predictPcr11(image), expected);
});

test('one entry is signed, for the value after the third phase, as the TPM package reads it', async (t) => {
  const image = await assembleUki({ stub, sections, pcrSigningKey: pcrKey });
  const json = await (await extractSections(image)).get('pcrsig')?.bytes();
  const entries = parsePcrSignatures(json ?? Buffer.alloc(0), '.pcrsig');
  t.is(entries.length, 1);
  const [entry] = entries;
  if (entry === undefined) return;
  t.deepEqual([entry.bank, entry.pcrs], ['sha256', [11]]);
  const publicKey = createPublicKey(pcrKey);
  const pkcs1 = publicKey.export({ type: 'pkcs1', format: 'der' });
  t.is(entry.fingerprint, createHash('sha256').update(pkcs1).digest('hex'));
  t.true(verify('sha256', entry.policy, publicKey, entry.signature));
  const value = createHash('sha256')
    .update(await predictPcr11(image))
    .digest();
  const step = Buffer.from('0000017f00000001000b03000800', 'hex');
  const policy = createHash('sha256').update(Buffer.alloc(32)).update(step).update(value).digest();
  t.deepEqual(Buffer.from(entry.policy), policy);
});

test('other profiles lie behind everything, have a line of their own, and are neither measured nor read with the first', async (t) => {
  const reset = { id: 'reset', title: 'Reset: wipes the system disk', cmdline: `${sections.cmdline} reset` };
  const image = await assembleUki({
    stub,
    sections: { ...sections, profiles: [reset] },
    pcrSigningKey: pcrKey,
  });
  const pe = await readPe(image);
  const from = pe.sections.findIndex(({ name }) => name === '.profile');
  const behind = await Promise.all(
    pe.sections.slice(from).map(async ({ name, offset, virtualSize }) => {
      return [name, (await image.slice(offset, offset + virtualSize).bytes()).toString()];
    }),
  );
  t.deepEqual(behind, [
    ['.profile', 'ID=main\nTITLE="Main"\n'],
    ['.profile', 'ID=reset\nTITLE="Reset: wipes the system disk"\n'],
    ['.cmdline', reset.cmdline],
  ]);
  const found = await extractSections(image);
  t.is((await found.get('cmdline')?.bytes())?.toString(), sections.cmdline);
  t.is((await found.get('profile')?.bytes())?.toString(), 'ID=main\nTITLE="Main"\n');
  const plain = await extractSections(await assembleUki({ stub, sections, pcrSigningKey: pcrKey }));
  const measured = Object.fromEntries(
    [...plain, ['profile', found.get('profile')] as const].filter(([name]) => name !== 'pcrsig'),
  );
  t.deepEqual(await predictPcr11(image), await measurePcr11(measured));
});

test('profiles that nobody could tell apart, or that would say more, are refused', async (t) => {
  const profile = { id: 'reset', title: 'Reset', cmdline: 'quiet' };
  for (const profiles of [
    [profile, profile],
    [{ ...profile, id: 'main' }],
    [{ ...profile, id: 're set' }],
    [{ ...profile, title: 'a"\nID=main' }],
    [{ ...profile, cmdline: 'quiet\n' }],
    [{ ...profile, cmdline: '' }],
  ])
    await t.throwsAsync(assembleUki({ stub, sections: { ...sections, profiles } }), {
      code: 'ERR_UKI_SECTION',
    });
});

test('sections come out of an image as they went in, and nothing is copied', async (t) => {
  const image = await assembleUki({ stub, sections });
  const found = await extractSections(image);
  for (const name of ['osrel', 'cmdline', 'uname'] as const) {
    t.is((await found.get(name)?.bytes())?.toString(), sections[name]);
  }
  t.deepEqual(await found.get('linux')?.bytes(), await sections.linux.bytes());
  t.deepEqual(await found.get('initrd')?.bytes(), await sections.initrd.bytes());
  t.false(found.has('pcrsig'));
  const huge = { ...sections, initrd: View.of({ kind: 'hole', size: 2 ** 31 }) };
  t.true((await assembleUki({ stub, sections: huge })).size > 2 ** 31);
  const { headers, at } = await readPe(image);
  t.is(
    headers.readUInt16LE(at.optional + 70) & 0x100,
    0,
    'the kernel is not NX compatible, so the image is not',
  );
});

test('equal inputs give equal bytes, and db proves them', async (t) => {
  const signer = await createSigningIdentity('test');
  const options = { stub, sections, pcrSigningKey: pcrKey, sign: signer };
  const image = await assembleUki(options);
  t.deepEqual(await (await assembleUki(options)).bytes(), await image.bytes());
  const list = certificateList(signer.certificate, '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0');
  t.deepEqual(await verifyPe(image, { db: [list] }), signer.certificate);
});

test('what could never boot, or never sort, is refused', async (t) => {
  const cases = [
    { osrel: 'ID=nodeos\nIMAGE_VERSION=1.14.0-alpha.0\n' },
    { osrel: 'ID=nodeos\nIMAGE_VERSION="1.14.0-alpha.0"\n' },
    { osrel: '' },
    { cmdline: '' },
    { cmdline: 'a\nb' },
    { cmdline: 'a\0' },
    { uname: '6.1 x' },
  ];
  for (const changed of cases) {
    const assembling = assembleUki({ stub, sections: { ...sections, ...changed } });
    await t.throwsAsync(assembling, { code: 'ERR_UKI_SECTION' }, JSON.stringify(changed));
  }
  const notKernel = { ...sections, linux: View.of(Buffer.from('not a kernel')) };
  await t.throwsAsync(assembleUki({ stub, sections: notKernel }), { code: 'ERR_EFI_PE' });
  const other = pcrPublicKey(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey);
  const foreign = assembleUki({ stub, sections: { ...sections, pcrpkey: other }, pcrSigningKey: pcrKey });
  await t.throwsAsync(foreign, { code: 'ERR_UKI_KEY' });
  const ed25519 = generateKeyPairSync('ed25519').privateKey;
  await t.throwsAsync(assembleUki({ stub, sections, pcrSigningKey: ed25519 }), { code: 'ERR_UKI_KEY' });
});

test('what is no unified kernel image has no sections to give', async (t) => {
  await t.throwsAsync(extractSections(stub), { code: 'ERR_UKI_SECTION', message: /no kernel/ });
  const image = await (await assembleUki({ stub, sections })).bytes();
  const at = image.indexOf('.uname\0');
  image.write('.osrel\0', at);
  await t.throwsAsync(extractSections(View.of(image)), { code: 'ERR_UKI_SECTION', message: /twice/ });
  await t.throwsAsync(extractSections(View.of(Buffer.alloc(4096))), { code: 'ERR_EFI_PE' });
});

testWith(
  program('objdump'),
  program('objcopy'),
  program('sbverify'),
)('objdump, objcopy and sbverify read the image as we do', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = (name: string): string => join(directory, name);
  const signer = await createSigningIdentity('test');
  const image = await assembleUki({ stub, sections, pcrSigningKey: pcrKey, sign: signer });
  await image.writeTo(path('uki.efi'));
  await writeFile(path('cert.pem'), certificatePem(signer.certificate));
  const verified = await command(['sbverify', '--cert', path('cert.pem'), path('uki.efi')]);
  t.is(verified.code, 0, verified.stderr);
  const table = await output(['objdump', '-h', path('uki.efi')]);
  const names = [
    '.text',
    '.sbat',
    '.osrel',
    '.cmdline',
    '.uname',
    '.pcrpkey',
    '.linux',
    '.initrd',
    '.pcrsig',
  ];
  t.deepEqual(
    [...table.matchAll(/^ +\d+ (?<name>\.\w+)/gmu)].map(({ groups }) => groups?.['name']),
    names,
  );
  await output(['objcopy', '-O', 'binary', '--only-section=.initrd', path('uki.efi'), path('initrd')]);
  const { readFile } = await import('node:fs/promises');
  t.deepEqual(
    (await readFile(path('initrd'))).subarray(0, sections.initrd.size),
    await sections.initrd.bytes(),
  );
});

test('a kernel whose headers lie is refused before anything is made', async (t) => {
  const kernel = samplePe({ '.text': Buffer.alloc(100) });
  kernel.writeUInt32LE(0xffff_ffff, 0x58 + 240 + 16);
  const assembling = assembleUki({ stub, sections: { ...sections, linux: View.of(kernel) } });
  await t.throwsAsync(assembling, { code: 'ERR_EFI_PE' });
});

test('what a kernel is started with comes out of an image as it went in, with microcode in front', async (t) => {
  const plain = await kernelParts(await assembleUki({ stub, sections }));
  t.deepEqual(await plain.linux.bytes(), await sections.linux.bytes());
  t.deepEqual(await plain.initrd.bytes(), await sections.initrd.bytes());
  t.is(plain.commandLine, sections.cmdline);
  const ucode = View.of(Buffer.alloc(1021, 7));
  const { initrd } = await kernelParts(await assembleUki({ stub, sections: { ...sections, ucode } }));
  const expected = [await ucode.bytes(), Buffer.alloc(3), await sections.initrd.bytes()];
  t.deepEqual(await initrd.bytes(), Buffer.concat(expected));
});

test('an image that the stub would start in another way gives no kernel', async (t) => {
  const parts = {
    '.linux': Buffer.from('kernel'),
    '.initrd': Buffer.from('initrd'),
    '.cmdline': Buffer.from('quiet\n\0'),
  };
  const refusal = async (sectionsOf: Readonly<Record<string, Buffer>>): Promise<string | undefined> =>
    (await t.throwsAsync(kernelParts(View.of(samplePe(sectionsOf))), { code: 'ERR_UKI_SECTION' }))?.message;
  t.is((await kernelParts(View.of(samplePe(parts)))).commandLine, 'quiet');
  for (const name of ['.profile', '.dtb', '.dtbauto', '.hwids', '.efifw'])
    t.is(await refusal({ ...parts, [name]: Buffer.from('more') }), `the image has ${name}`);
  for (const name of ['.linux', '.initrd', '.cmdline']) {
    const { [name as keyof typeof parts]: _, ...rest } = parts;
    t.regex((await refusal(rest)) ?? '', /the image has no /u);
  }
  t.regex((await refusal({ ...parts, '.cmdline': Buffer.from('a\nb') })) ?? '', /printable ASCII/u);
  t.regex((await refusal({ ...parts, '.cmdline': Buffer.alloc(70_000, 0x61) })) ?? '', /has 70000 bytes/u);
});

import { readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import {
  attributes,
  authenticatedVariable,
  certificatePem,
  encodeSignatureLists,
  guidBytes,
  guids,
  guidText,
  isVariableSignedBy,
  type KeyVariable,
  parseAuthenticatedVariable,
  parseSignatureLists,
  readVariable,
  removeVariable,
  storedVariables,
  variableStore,
  writeVariable,
} from '../src/index.ts';
import { identities, listOf, owner } from './signing.ts';

const time = new Date('2026-03-04T05:06:07Z');
const blankStore = '/usr/share/OVMF/OVMF_VARS_4M.fd';
const ovmf = { missing: () => (existsSync(blankStore) ? undefined : 'the package ovmf') };

test('a GUID has the byte order of UEFI', (t) => {
  t.is(guidBytes(guids.global).toString('hex'), '61dfe48bca93d211aa0d00e098032b8c');
  t.is(guidText(guidBytes(guids.global.toUpperCase())), guids.global);
  t.throws(() => guidBytes('8be4df61'), { code: 'ERR_EFI_VARIABLE' });
});

test('signature lists come back as they were', async (t) => {
  const [first, second] = await identities();
  const digests = { type: 'sha256', entries: [1, 2].map((n) => ({ owner, data: Buffer.alloc(32, n) })) };
  const lists = [...listOf(first), digests, ...listOf(second)];
  t.deepEqual(parseSignatureLists(encodeSignatureLists(lists)), lists);
  t.deepEqual(parseSignatureLists(Buffer.alloc(0)), []);
});

test('signature lists that can not be are refused', async (t) => {
  const [first] = await identities();
  const good = encodeSignatureLists(listOf(first));
  const change = (offset: number, value: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes.writeUInt32LE(value, offset);
    return bytes;
  };
  const bad = [
    good.subarray(0, 20),
    good.subarray(0, -1),
    Buffer.concat([good, Buffer.alloc(3)]),
    change(16, 0xffff_ffff),
    change(16, 27),
    change(20, 0xffff_ff00),
    change(24, 0),
    change(24, 16),
    change(24, 17),
    Buffer.alloc((1 << 20) + 1),
  ];
  for (const bytes of bad) t.throws(() => parseSignatureLists(bytes), { code: 'ERR_EFI_SIGNATURE_LIST' });
  t.throws(() => encodeSignatureLists([{ type: 'x509', entries: [] }]), { code: 'ERR_EFI_SIGNATURE_LIST' });
  const uneven = [1, 2].map((size) => ({ owner, data: Buffer.alloc(size) }));
  t.throws(() => encodeSignatureLists([{ type: 'x509', entries: uneven }]), {
    code: 'ERR_EFI_SIGNATURE_LIST',
  });
});

test('an update says who signed it, for which variable, value and time', async (t) => {
  const [first, second] = await identities();
  const value = encodeSignatureLists(listOf(second));
  const update = parseAuthenticatedVariable(await authenticatedVariable({ name: 'KEK', value, time }, first));
  t.deepEqual([update.time, update.value], [time, value]);
  t.true(await isVariableSignedBy('KEK', update, first.certificate));
  t.false(await isVariableSignedBy('KEK', update, second.certificate));
  for (const name of ['PK', 'db', 'dbx'] as const)
    t.false(await isVariableSignedBy(name, update, first.certificate));
  t.false(await isVariableSignedBy('KEK', { ...update, time: new Date('2027-01-01') }, first.certificate));
  t.false(await isVariableSignedBy('KEK', { ...update, value: Buffer.alloc(0) }, first.certificate));
});

test('what is no update is refused', async (t) => {
  const [first] = await identities();
  const good = await authenticatedVariable({ name: 'PK', value: Buffer.alloc(0), time }, first);
  const change = (offset: number, value: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes.writeUInt32LE(value, offset);
    return bytes;
  };
  for (const bytes of [
    good.subarray(0, 39),
    change(16, 0xffff_ffff),
    change(16, 23),
    change(20, 0),
    change(24, 0),
  ]) {
    t.throws(() => parseAuthenticatedVariable(bytes), { code: 'ERR_EFI_VARIABLE' });
  }
});

testWith(program('cert-to-efi-sig-list'), program('sign-efi-sig-list'))(
  'lists and updates are those of efitools, byte by byte',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const [signer] = await identities();
    const path = (name: string): string => join(directory, name);
    await writeFile(path('cert.pem'), certificatePem(signer.certificate));
    await writeFile(path('key.pem'), signer.key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    await output(['cert-to-efi-sig-list', '-g', owner, path('cert.pem'), path('list.esl')]);
    const value = encodeSignatureLists(listOf(signer));
    t.deepEqual(await readFile(path('list.esl')), value);
    for (const name of ['PK', 'KEK', 'db'] as const satisfies readonly KeyVariable[]) {
      const files = [path('list.esl'), path(`${name}.auth`)];
      const key = ['-k', path('key.pem'), '-c', path('cert.pem')];
      const env = { TZ: 'UTC' };
      await output(['sign-efi-sig-list', '-t', '2026-03-04 05:06:07', ...key, name, ...files], { env });
      const theirs = await readFile(path(`${name}.auth`));
      t.deepEqual(await authenticatedVariable({ name, value, time }, signer), theirs);
    }
  },
);

testWith(ovmf)('a variable store has the keys behind what it had, and takes them once', async (t) => {
  const [first, second] = await identities();
  const blank = await readFile(blankStore);
  const before = storedVariables(blank);
  const store = variableStore(blank, {
    PK: listOf(first),
    KEK: listOf(first),
    db: [...listOf(first), ...listOf(second)],
  });
  const added = storedVariables(store).slice(before.length);
  t.deepEqual(
    added.map(({ name, vendor, attributes }) => [name, vendor, attributes]),
    [
      ['KEK', guids.global, 0x27],
      ['db', guids.imageSecurity, 0x27],
      ['PK', guids.global, 0x27],
    ],
  );
  t.deepEqual(parseSignatureLists(added[1]?.value ?? Buffer.alloc(0)), [...listOf(first), ...listOf(second)]);
  t.deepEqual(await readFile(blankStore), blank);
  t.throws(() => variableStore(store, { PK: listOf(first) }), {
    code: 'ERR_EFI_STORE',
    message: /PK already/,
  });
  const large = [{ type: 'x509', entries: [{ owner, data: Buffer.alloc(1 << 20) }] }];
  t.throws(() => variableStore(blank, { db: large }), { code: 'ERR_EFI_STORE', message: /no room for db/ });
});

testWith(ovmf)('what is no variable store is refused', async (t) => {
  const blank = await readFile(blankStore);
  const header = blank.readUInt16LE(0x30);
  const change = (offset: number): Buffer => {
    const bytes = Buffer.from(blank);
    bytes[offset] = (bytes[offset] ?? 0) ^ 0x55;
    return bytes;
  };
  const bad = [
    Buffer.alloc(0),
    Buffer.alloc(4096),
    change(0x28),
    change(header),
    change(header + 20),
    change(header + 21),
    change(header + 19),
  ];
  for (const bytes of bad) t.throws(() => storedVariables(bytes), { code: 'ERR_EFI_STORE' });
});

test('a variable of the firmware is its attributes and its value; one that is not there is undefined', async (t) => {
  const root = await temporaryDirectory(t);
  const variable = { name: 'LoaderEntryOneShot', vendor: '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f', root };
  t.is(await readVariable(variable), undefined);
  const content = {
    attributes: attributes.nonVolatile | attributes.runtime,
    value: Buffer.from('x\0', 'utf16le'),
  };
  await writeVariable(variable, content);
  t.deepEqual(await readVariable(variable), content);
  await writeVariable(variable, { ...content, value: Buffer.from([1]) });
  t.deepEqual((await readVariable(variable))?.value, Buffer.from([1]));
  await removeVariable(variable);
  t.is(await readVariable(variable), undefined);
  await t.notThrowsAsync(removeVariable(variable), 'one that is not there');
  await writeFile(join(root, `${variable.name}-${variable.vendor}`), 'abc');
  await t.throwsAsync(readVariable(variable), { code: 'ERR_EFI_FIRMWARE' });
  await t.throwsAsync(readVariable({ ...variable, name: '../PK' }), { code: 'ERR_EFI_VARIABLE' });
});

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createSigningIdentity, parseSignatureLists, storedVariables } from '@nodecore/efi';
import { type Need, temporaryDirectory, testWith } from '@nodecore/testkit';
import { extractSections } from '@nodecore/uki';
import { fileView } from '@nodecore/view';
import test from 'ava';

import { hasWellKnownCertificates } from '../src/assets/well-known-certificates.ts';
import { startFactory } from '../src/index.ts';
import { ask, factoryOptions, runningFactory, submit } from './running-factory.ts';
import { secureBootKeys } from './secure-boot-keys.ts';

const run = promisify(execFile);
const v = 'v1.14.0';
/** Of Debian's package ovmf. */
const microsoftStore = '/usr/share/OVMF/OVMF_VARS_4M.ms.fd';
const file = (path: string): Need => ({
  missing: () => (existsSync(path) ? undefined : `no ${path}`),
});

/** What an installation finds in the layers of an installer image. */
async function installedKeys(archive: string, directory: string) {
  const layout = join(directory, 'layout');
  await mkdir(layout);
  await run('tar', ['-xf', archive, '-C', layout]);
  const blob = async (digest: string): Promise<Buffer> =>
    await readFile(join(layout, 'blobs', digest.replace(':', '/')));
  const json = async (digest: string) => JSON.parse((await blob(digest)).toString());
  const index = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8'));
  const { manifests } = await json(index.manifests[0].digest);
  const { layers } = await json(manifests[0].digest);
  const parts = await Promise.all(layers.map(({ digest }: { digest: string }) => blob(digest)));
  await writeFile(join(layout, 'install.tar'), Buffer.concat(parts));
  await run('tar', ['-xf', join(layout, 'install.tar'), '-C', layout]);
  const file = (name: string): Promise<Buffer> => readFile(join(layout, 'install', name));
  const { enrollKeys } = JSON.parse((await file('manifest.json')).toString());
  const [PK, KEK, db] = await Promise.all(['PK', 'KEK', 'db'].map((name) => file(`keys/${name}.auth`)));
  return { enrollKeys, PK, KEK, db };
}

test('with keys, image and boot loader are signed, and the variables lie beside the loader', async (t) => {
  const keys = await secureBootKeys(t);
  const running = await runningFactory(t, { secureBootKeys: keys });
  const id = await submit(running, 'customization: {secureboot: {enrollKeys: force}}');
  const directory = await temporaryDirectory(t);
  const medium = join(directory, 'medium');
  await writeFile(medium, (await ask(running, `/image/${id}/${v}/metal-amd64-secureboot.iso`)).body);
  const esp = `${medium}@@1M`;
  const copy = async (path: string): Promise<string> => {
    const file = join(directory, path.replaceAll('/', '_'));
    await run('mcopy', ['-i', esp, `::${path}`, file]);
    return file;
  };
  for (const path of [
    '/EFI/Linux/nodeos-1.14.0-1.efi',
    '/EFI/BOOT/BOOTX64.EFI',
    '/EFI/systemd/systemd-bootx64.efi',
  ]) {
    const { stdout } = await run('sbverify', [
      '--cert',
      join(keys, 'uki-signing-cert.pem'),
      await copy(path),
    ]);
    t.regex(stdout, /Signature verification OK/, path);
  }
  for (const name of ['PK', 'KEK', 'db']) {
    const onDisk = await readFile(await copy(`/loader/keys/auto/${name}.auth`));
    t.deepEqual(onDisk, await readFile(join(keys, `${name}.auth`)));
  }
  t.regex(await readFile(await copy('/loader/loader.conf'), 'utf8'), /secure-boot-enroll force/);
  const archive = join(directory, 'installer.tar');
  await writeFile(archive, (await ask(running, `/image/${id}/${v}/installer-amd64-secureboot.tar`)).body);
  t.deepEqual(await installedKeys(archive, directory), {
    enrollKeys: 'force',
    PK: await readFile(join(keys, 'PK.auth')),
    KEK: await readFile(join(keys, 'KEK.auth')),
    db: await readFile(join(keys, 'db.auth')),
  });
  t.is((await ask(running, `/v2/metal-installer-secureboot/${id}/manifests/${v}`)).status, 200);
  t.true(
    (await ask(running, '/secureboot/signing-cert.pem')).body
      .toString()
      .startsWith('-----BEGIN CERTIFICATE-----'),
  );
});

test('the image says by a signature what PCR 11 will be, and has the key of it', async (t) => {
  const running = await runningFactory(t, { secureBootKeys: await secureBootKeys(t) });
  const id = await submit(running, '{}');
  const uki = join(await temporaryDirectory(t), 'uki');
  await writeFile(uki, (await ask(running, `/image/${id}/${v}/metal-amd64-secureboot-uki.efi`)).body);
  const sections = await extractSections(await fileView(uki));
  const signatures = JSON.parse((await sections.get('pcrsig')!.bytes()).toString());
  t.deepEqual(Object.keys(signatures), ['sha256']);
  t.true((await sections.get('pcrpkey')!.bytes()).toString().startsWith('-----BEGIN PUBLIC KEY-----'));
});

test('the command line of an image for Secure Boot locks the kernel down', async (t) => {
  const running = await runningFactory(t, { secureBootKeys: await secureBootKeys(t) });
  const id = await submit(running, '{}');
  const line = async (name: string): Promise<string> =>
    (await ask(running, `/image/${id}/${v}/cmdline-metal-${name}`)).body.toString();
  t.true((await line('amd64-secureboot')).includes('lockdown=confidentiality'));
  t.false((await line('amd64')).includes('lockdown'));
  t.regex(
    (await ask(running, `/pxe/${id}/${v}/metal-amd64-secureboot`)).body.toString(),
    /kernel http\S+\/metal-amd64-secureboot-uki\.efi /,
  );
});

test('well-known certificates are in an image whose db was signed with them, and are refused for another with what to do', async (t) => {
  const [known, other] = await Promise.all([
    createSigningIdentity('Microsoft Corporation UEFI CA 2011'),
    createSigningIdentity('Not Microsoft UEFI CA 2011'),
  ]);
  for (const [certificates, expected] of [
    [[], 400],
    [[other.certificate], 400],
    [[other.certificate, known.certificate], 200],
  ] as const) {
    const running = await runningFactory(t, { secureBootKeys: await secureBootKeys(t, certificates) });
    const id = await submit(running, 'customization: {secureboot: {includeWellKnownCertificates: true}}');
    const image = `/image/${id}/${v}/metal-amd64`;
    const { status, body } = await ask(running, `${image}-secureboot.iso`);
    t.is(status, expected);
    if (status === 200) t.true(body.includes(known.certificate));
    else t.regex(body.toString(), /^ERR_FACTORY_UNSUPPORTED: .*--enrolled-certificate/u);
    t.is((await ask(running, `${image}.iso`, { method: 'HEAD' })).status, 200, 'it is of Secure Boot alone');
  }
});

testWith(file(microsoftStore))('the certificates of Microsoft are known as firmware has them', async (t) => {
  const stored = storedVariables(await readFile(microsoftStore));
  const listsOf = (name: string) =>
    parseSignatureLists(stored.find((variable) => variable.name === name)?.value ?? Buffer.alloc(0));
  t.true(hasWellKnownCertificates(listsOf('db')));
  t.false(hasWellKnownCertificates(listsOf('KEK')));
});

test('other keys are another recipe, and keys that are not all there do not start', async (t) => {
  const keys = await secureBootKeys(t);
  const signed = await runningFactory(t, { secureBootKeys: keys });
  const etag = async (running: typeof signed, id: string): Promise<unknown> =>
    (await ask(running, `/image/${id}/${v}/metal-amd64.iso`, { method: 'HEAD' })).headers['etag'];
  const plain = await runningFactory(t);
  t.not(await etag(signed, await submit(signed, '{}')), await etag(plain, await submit(plain, '{}')));
  await rm(join(keys, 'db.auth'));
  await t.throwsAsync(startFactory({ ...(await factoryOptions(t)), secureBootKeys: keys }), {
    code: 'ENOENT',
  });
});

test('the wizard offers Secure Boot where there are keys, and leads to images that are signed', async (t) => {
  const running = await runningFactory(t, { secureBootKeys: await secureBootKeys(t) });
  const chosen = `target=metal&version=${v}&arch=amd64&lang=en`;
  const machine = await ask(running, `/?${chosen}&step=machine`);
  t.regex(machine.body.toString(), /name="secureboot"/);
  const page = await ask(running, `/?${chosen}&secureboot=true`);
  t.regex(page.body.toString(), /<select id="enroll-keys"/);
  const created = await ask(running, '/ui/wizard', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `${chosen}&secureboot=true&enroll-keys=force`,
  });
  const result = (await ask(running, String(created.headers['location']))).body.toString();
  t.regex(result, /enrollKeys: force/);
  const links = Array.from(result.matchAll(/example\.com(\/image\/[^"<]+)"/g), ([, path = '']) => path);
  t.true(links.length > 9);
  for (const path of links) {
    t.regex(path, /-secureboot/);
    t.is((await ask(running, path, { method: 'HEAD' })).status, 200, path);
  }
});

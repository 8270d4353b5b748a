import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { releaseKeys, writeRelease } from './running-factory.ts';
import { secureBootKeys } from './secure-boot-keys.ts';

const run = promisify(execFile);
const program = new URL('image-digests.ts', import.meta.url).pathname;
const version = 'v1.14.0';

/** One of each way in which bytes are put together. */
const names = [
  'initramfs-amd64.xz',
  'cmdline-metal-amd64',
  'metal-amd64-uki.efi',
  'metal-amd64.iso',
  'metal-amd64.raw',
  'metal-amd64.raw.zst',
  'metal-amd64.raw.gz',
  'metal-amd64.raw.xz',
  'metal-amd64.raw.tar.gz',
  'metal-amd64.qcow2',
  'metal-amd64.vhd',
  'metal-amd64.ova',
  'metal-amd64.ova.sigstore.json',
  'installer-amd64.tar',
  'metal-amd64-secureboot-uki.efi',
  'metal-amd64-secureboot.iso',
  'installer-amd64-secureboot.tar',
];
const schematics = [
  `customization:
    extraKernelArgs: [console=ttyS0]
    meta: [{ key: 10, value: one }, { key: 11, value: two }]
    systemExtensions: { officialExtensions: [os/tools, our/agent] }`,
  '{}',
];

/** The same files, which a directory has in another order and with other times. */
async function copyBackwards(from: string, to: string): Promise<void> {
  const files = (await readdir(from, { withFileTypes: true, recursive: true })).filter((entry) =>
    entry.isFile(),
  );
  for (const { name, parentPath } of files.toReversed()) {
    const target = join(to, parentPath.slice(from.length), name);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(parentPath, name), target);
  }
}

test('images of a schematic are the same bytes by another process, clock, time zone, locale, umask, place and order of directories', async (t) => {
  t.timeout(180_000, 'two processes make all images');
  const directory = await temporaryDirectory(t);
  const extensions = { 'os/tools': Buffer.from('hsqs tools'), 'our/agent': Buffer.from('hsqs agent') };
  await writeRelease(join(directory, 'releases'), version, extensions);
  await copyBackwards(join(directory, 'releases'), join(directory, 'of-another', 'machine'));
  const key = join(directory, 'release.pub');
  await writeFile(key, releaseKeys.publicKey.export({ type: 'spki', format: 'pem' }));
  const installerSigningKey = join(directory, 'installer.key');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(installerSigningKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const given = {
    releaseKeys: [key],
    listen: { host: '127.0.0.1', port: 0 },
    externalUrl: 'http://factory.example.com/',
    installerSigningKey,
    secureBootKeys: await secureBootKeys(t),
    paths: names.map((name) => `${version}/${name}`),
  };
  const digests = async (options: object, env: Readonly<Record<string, string>>, cwd: string) => {
    const words = [...process.execArgv, program, JSON.stringify({ ...given, ...options })];
    const { stdout } = await run(process.execPath, words, {
      cwd,
      env: { PATH: process.env['PATH'], ...env },
    });
    return JSON.parse(stdout) as Readonly<Record<string, string>>;
  };
  const here = await digests(
    { schematics, releases: join(directory, 'releases'), storage: join(directory, 'a'), umask: 0o022 },
    { TZ: 'UTC', LC_ALL: 'C' },
    '/',
  );
  const there = await digests(
    {
      schematics: schematics.slice(0, 1),
      releases: join(directory, 'of-another', 'machine'),
      storage: join(directory, 'b'),
      umask: 0o077,
      now: Date.UTC(2031, 5, 7, 8, 9, 10),
    },
    { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', HOME: directory },
    directory,
  );
  const ofFirst = Object.fromEntries(Object.entries(here).filter(([name]) => name.startsWith('0 ')));
  t.is(Object.keys(there).length, names.length);
  t.deepEqual(there, ofFirst);
  for (const name of names)
    t.not(here[`1 ${version}/${name}`], here[`0 ${version}/${name}`], `${name} of another schematic`);
});

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { keepBootFiles, localScript } from '../src/boot-files.ts';
import { serveBootFiles, withBootServer } from '../src/keeper/boot-server.ts';
import { lanOf, makePlan, type ClusterPlan } from '../src/plan.ts';
import { ClusterDirectory, readRequest, syncKernel } from '../src/index.ts';
import { tinyRequest, usualFlags } from './requests.ts';

/** As a factory writes it, which calls itself by another name. */
const factoryScript = `#!ipxe
imgfree
kernel http://10.5.0.1:8081/image/a/v1/kernel-amd64 initrd=initramfs-amd64.xz os.platform=metal
initrd http://10.5.0.1:8081/image/a/v1/initramfs-amd64.xz
boot
`;
const ours = `#!ipxe
imgfree
kernel kernel-amd64 initrd=initramfs-amd64.xz os.platform=metal
initrd initramfs-amd64.xz
boot
`;
const url = 'https://factory.example/pxe/a/v1/metal-amd64';

async function clusterIn(home: string): Promise<ClusterDirectory> {
  const directory = new ClusterDirectory(home, 'example');
  await directory.make();
  return directory;
}

test('what a script of a factory loads lies beside it, from where the script is from', (t) => {
  const { script, files } = localScript(factoryScript, url);
  t.is(script, ours);
  t.deepEqual(
    [...files],
    [
      ['kernel-amd64', 'https://factory.example/image/a/v1/kernel-amd64'],
      ['initramfs-amd64.xz', 'https://factory.example/image/a/v1/initramfs-amd64.xz'],
    ],
  );
});

for (const [what, text] of [
  ['a page', '<html></html>'],
  ['a script that loads nothing', '#!ipxe\nboot\n'],
  ['a file without a name', '#!ipxe\nkernel http://a/\n'],
  ['a file of another directory', '#!ipxe\nkernel http://a/..%2fx\n'],
  ['a file that is the script', '#!ipxe\nkernel http://a/boot.ipxe\n'],
  ['no URL', '#!ipxe\nkernel vmlinuz\n'],
] as const)
  test(`${what} is refused`, (t) => {
    t.throws(() => localScript(text, url), { code: 'ERR_CLUSTER_IMAGE' });
  });

test('the script is kept last, and nothing is fetched again', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = await clusterIn(home);
  const { boot } = directory;
  const asked: string[] = [];
  let isLost = true;
  const fetch = async (from: string): Promise<string> => {
    asked.push(from);
    if (isLost && from.endsWith('.xz')) throw new Error('the factory is gone');
    const path = join(home, 'fetched');
    await writeFile(path, from === url ? factoryScript : from);
    return path;
  };
  await t.throwsAsync(keepBootFiles({ pxe: url }, directory, fetch), { message: 'the factory is gone' });
  await t.throwsAsync(readFile(join(boot, 'boot.ipxe')), { code: 'ENOENT' });
  isLost = false;
  await keepBootFiles({ pxe: url }, directory, fetch);
  t.is(await readFile(join(boot, 'boot.ipxe'), 'utf8'), ours);
  t.is(asked.filter((from) => from.endsWith('kernel-amd64')).length, 1);
  const before = asked.length;
  await keepBootFiles({ pxe: url }, directory, fetch);
  t.is(asked.length, before);
});

function planOf(presets: readonly string[], factory: string): ClusterPlan {
  return makePlan(readRequest({ ...usualFlags, presets, imageFactoryUrl: factory }), '0'.repeat(32));
}

test('machines that start by the network have a way to the files, which has a port of its own', async (t) => {
  for (const [factory, port] of [
    ['http://127.0.0.1:8081', 80],
    ['http://127.0.0.1', 8069],
  ] as const) {
    const plan = planOf(['pxe'], factory);
    const { spec, boot } = await withBootServer(lanOf(plan)!, '/nowhere');
    t.teardown(() => boot.close());
    t.is(spec.bootScript, `http://10.5.0.1:${port}/${boot.token}/boot.ipxe`);
    t.deepEqual(spec.outlets.at(-1), { port, target: { address: '127.0.0.1', port: boot.port } });
    t.false(JSON.stringify(plan).includes(boot.token), 'the plan holds no secret');
  }
});

test('files are given to who knows the token, and none from beside them', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'kernel-amd64'), 'kernel');
  const server = await serveBootFiles(directory);
  t.teardown(() => server.close());
  const { port, token } = server;
  const ask = (path: string, method = 'GET'): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { method });
  const whole = await ask(`/${token}/kernel-amd64`);
  t.is(whole.headers.get('content-length'), '6');
  t.is(await whole.text(), 'kernel');
  const head = await ask(`/${token}/kernel-amd64`, 'HEAD');
  t.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '6', '']);
  t.is((await ask(`/${token}/kernel-amd64`, 'PUT')).status, 405);
  for (const path of [
    '/',
    '/kernel-amd64',
    `/${'0'.repeat(32)}/kernel-amd64`,
    `/${token}/`,
    `/${token}/nothing`,
    `/${token}/..%2fbeside`,
    `/${token}/.hidden`,
    `/${token}/kernel-amd64?a`,
  ])
    t.is((await ask(path)).status, 404, path);
});

test('a kernel and a UKI that come from URLs lie in the cluster’s directory, and files of this computer where they are', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = await clusterIn(home);
  const { boot } = directory;
  const fetched = join(home, 'fetched');
  await writeFile(fetched, 'image');
  const asked: string[] = [];
  const fetch = (from: string): Promise<string> => {
    asked.push(from);
    return Promise.resolve(fetched);
  };
  const image = { kernel: 'https://x.example/vmlinuz', initrd: '/boot/initrd', arguments: '' };
  await keepBootFiles(image, directory, fetch);
  t.deepEqual(await readdir(boot), ['kernel']);
  await writeFile(join(boot, 'kernel'), 'synced');
  await keepBootFiles(image, directory, fetch);
  t.is(await readFile(join(boot, 'kernel'), 'utf8'), 'synced', 'what came later stays');
  await keepBootFiles({ uki: 'https://x.example/a.efi' }, directory, fetch);
  t.deepEqual(asked, ['https://x.example/vmlinuz', 'https://x.example/a.efi']);
  t.is(await readFile(join(boot, 'uki.efi'), 'utf8'), 'image');
});

const nothing = (): Promise<string> => Promise.reject(new Error('nothing is fetched'));

test('what lies in a cache under its digest is kept, and a file that somebody builds again is started as it is then', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = await clusterIn(home);
  const { boot } = directory;
  const cached = join(home, 'f'.repeat(64));
  const built = join(home, 'vmlinuz');
  for (const path of [cached, built]) await writeFile(path, path);
  await keepBootFiles({ kernel: cached, initrd: built, arguments: '' }, directory, nothing);
  t.deepEqual(await readdir(boot), ['kernel']);
  await rm(cached);
  t.is(await readFile(join(boot, 'kernel'), 'utf8'), cached);
  await writeFile(cached, cached);
  await keepBootFiles({ uki: cached }, directory, nothing);
  t.deepEqual((await readdir(boot)).toSorted(), ['kernel', 'uki.efi']);
});

test('what a kernel is brought up to date with while it is fetched stays, with its first filesystem', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = await clusterIn(home);
  const image = { kernel: 'https://x.example/vmlinuz', initrd: 'https://x.example/initrd', arguments: '' };
  await directory.store(makePlan({ ...tinyRequest(home), name: directory.name, image }, '0'.repeat(32)));
  const [fetched, newer] = [join(home, 'fetched'), join(home, 'newer')];
  await writeFile(fetched, 'before');
  await writeFile(newer, 'newer');
  await keepBootFiles(image, directory, async () => {
    t.deepEqual(await syncKernel(directory, { kernel: newer, initrd: newer }), {
      kernel: true,
      initrd: true,
    });
    return fetched;
  });
  for (const name of ['kernel', 'initrd'])
    t.is(await readFile(join(directory.boot, name), 'utf8'), 'newer', name);
});

import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { readPe } from '@nodecore/efi';
import { formatModuleList } from '@nodecore/image';
import { temporaryDirectory } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import test from 'ava';

import { ask, contents, runningFactory, submit, writeRelease } from './running-factory.ts';

const run = promisify(execFile);
const v = 'v1.14.0';
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('an image is the same whole, by HEAD, and in ranges', async (t) => {
  const running = await runningFactory(t);
  const path = `/image/${await submit(running, '{}')}/${v}/initramfs-amd64.xz`;
  const whole = await ask(running, path);
  const { etag } = whole.headers;
  t.is(whole.status, 200);
  t.true(whole.body.includes(contents['base.sqsh']!));
  const head = await ask(running, path, { method: 'HEAD' });
  t.is(head.body.length, 0);
  for (const name of ['content-length', 'etag', 'content-type', 'accept-ranges', 'content-disposition'])
    t.is(head.headers[name], whole.headers[name], name);
  t.is(head.headers['content-length'], `${whole.body.length}`);
  const { length } = whole.body;
  for (const [range, start, end] of [
    ['0-99', 0, 100],
    ['1000-', 1000, length],
    ['-7', length - 7, length],
    [`100-${length * 2}`, 100, length],
  ] as const) {
    const part = await ask(running, path, { headers: { range: `bytes=${range}` } });
    t.is(part.status, 206);
    t.is(part.headers['content-range'], `bytes ${start}-${end - 1}/${length}`);
    t.true(part.body.equals(whole.body.subarray(start, end)), range);
  }
  t.like(await ask(running, path, { headers: { 'if-none-match': String(etag) } }), { status: 304 });
  t.like(await ask(running, path, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } }), {
    status: 200,
  });
  t.like(await ask(running, path, { headers: { range: 'bytes=0-9', 'if-range': String(etag) } }), {
    status: 206,
  });
});

test('checksums are those of the image, for everybody', async (t) => {
  const running = await runningFactory(t);
  const path = `/image/${await submit(running, '{}')}/${v}/metal-amd64.iso`;
  const { body } = await ask(running, path);
  t.is((await ask(running, `${path}.sha256`)).body.toString(), `${sha256(body)}  metal-amd64.iso\n`);
  const sha512 = createHash('sha512').update(body).digest('hex');
  t.is((await ask(running, `${path}.sha512`)).body.toString(), `${sha512}  metal-amd64.iso\n`);
});

test('what the release knows the digest of is sent with it, also in parts (RFC 9530)', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  for (const path of [`/image/${id}/${v}/kernel-amd64`, `/osctl/${v}/osctl-linux-amd64`]) {
    const { headers, body } = await ask(running, path);
    const digest = `sha-256=:${Buffer.from(sha256(body), 'hex').toString('base64')}:`;
    t.is(headers['repr-digest'], digest);
    const part = await ask(running, path, { headers: { range: 'bytes=1-9' } });
    t.is(part.headers['repr-digest'], digest);
  }
  t.false('repr-digest' in (await ask(running, `/image/${id}/${v}/cmdline-metal-amd64`)).headers);
});

test('the layer of a schematic is in the initramfs, as PID 1 and the agent look for it', async (t) => {
  const running = await runningFactory(t);
  const text =
    'customization:\n    embeddedMachineConfiguration: |-\n        apiVersion: v1alpha1\n        kind: HostnameConfig\n        hostname: a\n    meta:\n        - key: 10\n          value: foo\n';
  const id = await submit(running, text);
  const directory = await temporaryDirectory(t);
  const { body } = await ask(running, `/image/${id}/${v}/initramfs-amd64.xz`);
  // The first archive of this release is no archive; cpio reads beyond the end of one.
  const second = body.subarray(10_004);
  const third = second.indexOf('070701', second.indexOf('TRAILER!!!'));
  for (const archive of [second.subarray(0, third), second.subarray(third)]) {
    await writeFile(join(directory, 'archive'), archive);
    await run('sh', ['-c', 'cpio -id --quiet <archive'], { cwd: directory });
  }
  const read = (path: string): Promise<string> => readFile(join(directory, path), 'utf8');
  t.is(await read('layers.list'), '/layers/schematic/\n/rootfs.sqsh\n');
  t.is(sha256(await readFile(join(directory, 'rootfs.sqsh'))), sha256(contents['base.sqsh']!));
  const layer = 'layers/schematic';
  t.is(await read(`${layer}/usr/local/share/schematic/${id}`), '');
  t.is(
    await read(`${layer}/system/embedded-config.yaml`),
    'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a',
  );
  t.is(await read(`${layer}/system/meta.json`), '{"10":"foo"}\n');
  const extensions = await read(`${layer}/system/extensions.yaml`);
  for (const part of ['name: schematic', `version: ${id}`, 'source: http://factory.example.com\n'])
    t.true(extensions.includes(part), part);
  const keys = await run('ls', [join(directory, layer, 'usr/share/nodeos/installer-keys')]);
  t.regex(keys.stdout, /^[0-9a-f]{16}\.pub\n$/);
});

test('extensions lie between the layer of the schematic and the root, in its order, and the image names them', async (t) => {
  const layers = { 'os/one': Buffer.from('layer one'), 'os/two': Buffer.from('layer two') };
  const releases = join(await temporaryDirectory(t), 'releases');
  await writeRelease(releases, 'v1.14.1', layers, {}, { architectures: ['amd64', 'arm64'] });
  const running = await runningFactory(t, { releases });
  const make = async (names: readonly string[], architecture = 'amd64') => {
    const list = JSON.stringify({ customization: { systemExtensions: { officialExtensions: names } } });
    return await ask(running, `/image/${await submit(running, list)}/v1.14.1/initramfs-${architecture}.xz`);
  };
  const text = (await make(['os/two', 'os/one'])).body.toString('latin1');
  t.true(
    text.includes(
      '/layers/schematic/\n/layers/extensions/os/two.sqsh\n/layers/extensions/os/one.sqsh\n/rootfs.sqsh\n',
    ),
  );
  for (const part of [
    'layer one',
    'layer two',
    '- image: /layers/extensions/os/two.sqsh\n    metadata:\n      name: os/two',
  ])
    t.true(text.includes(part), part);
  const unknown = await make(['os/tow']);
  t.is(unknown.status, 400);
  t.regex(unknown.body.toString(), /ERR_FACTORY_EXTENSION.*os\/tow: this release has none of this name/su);
  const elsewhere = await make(['os/one'], 'arm64');
  t.is(elsewhere.status, 400);
  t.regex(elsewhere.body.toString(), /os\/one: this release has it for amd64, and not for arm64/u);
  const listed = JSON.parse((await ask(running, '/version/v1.14.1/extensions/official')).body.toString());
  t.like(listed[0], {
    name: 'os/one',
    ref: 'os/one:v2',
    digest: `sha256:${sha256(layers['os/one'])}`,
    author: 'us',
    description: 'an extension',
  });
});

test('an extension that was renamed is found by its former name, and lies in an image once', async (t) => {
  const releases = join(await temporaryDirectory(t), 'releases');
  const layers = { 'os/new': Buffer.from('the layer') };
  await writeRelease(releases, 'v1.14.1', layers, {}, { aliases: { 'os/new': ['os/old'] } });
  const running = await runningFactory(t, { releases });
  const make = async (names: readonly string[]): Promise<string> => {
    const list = JSON.stringify({ customization: { systemExtensions: { officialExtensions: names } } });
    const path = `/image/${await submit(running, list)}/v1.14.1/initramfs-amd64.xz`;
    return (await ask(running, path)).body.toString('latin1');
  };
  for (const names of [['os/old'], ['os/old', 'os/new'], ['os/new', 'os/new']]) {
    const text = await make(names);
    t.true(text.includes('/layers/schematic/\n/layers/extensions/os/new.sqsh\n/rootfs.sqsh\n'), names.join());
    t.is(text.split('the layer').length, 2, 'its files are there once');
    t.notRegex(text, /aliases/, 'nothing that a node does not know');
  }
  const page = `/?target=metal&version=v1.14.1&arch=amd64&extensions=os/old`;
  const wizard = (await ask(running, page)).body.toString();
  t.regex(wizard, /os\/new/, 'a link of before chooses it');
  t.notRegex(wizard, /os\/old/);
});

test('a disk image has values for META on the disk, and not in the layer', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, 'customization: {meta: [{key: 10, value: a-value-for-meta}]}');
  const path = `/image/${id}/${v}/metal-amd64.raw`;
  const part = async (range: string): Promise<Buffer> =>
    (await ask(running, path, { headers: { range: `bytes=${range}` } })).body;
  const front = await part(`0-${32 << 20}`);
  t.is(front.toString('latin1', 512, 520), 'EFI PART');
  t.true(front.includes('layers/schematic'));
  t.false(front.includes('system/meta.json'));
  t.true((await part(`-${3 << 20}`)).includes('a-value-for-meta'));
});

test('a medium is one that sgdisk and mtools read', async (t) => {
  const running = await runningFactory(t);
  const { body } = await ask(running, `/image/${await submit(running, '{}')}/${v}/metal-amd64.iso`);
  const image = join(await temporaryDirectory(t), 'image');
  await writeFile(image, body);
  t.regex((await run('sgdisk', ['--verify', image])).stdout, /No problems found/);
  const { stdout } = await run('mdir', ['-b', '-/', '-i', `${image}@@1M`, '::']);
  t.true(stdout.includes('::/EFI/Linux/nodeos-1.14.0-1.efi'), stdout);
});

test('a medium has a line in its menu that wipes the system disk; images that are installed or started otherwise have none, and only the medium halts beside a system', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, 'customization: {bootloader: dual-boot, extraKernelArgs: [quiet]}');
  const directory = await temporaryDirectory(t);
  const [medium, uki] = [join(directory, 'medium'), join(directory, 'uki')];
  await writeFile(medium, (await ask(running, `/image/${id}/${v}/metal-amd64.iso`)).body);
  await run('mcopy', ['-i', `${medium}@@1M`, '::/EFI/Linux/nodeos-1.14.0-1.efi', uki]);
  const [line = '', reset = '', ...more] = await linesOf(await readFile(uki));
  const other = (await ask(running, `/image/${id}/${v}/metal-amd64-uki.efi`)).body;
  const [plain = '', ...others] = await linesOf(other);
  t.deepEqual([...more, ...others], []);
  t.is(reset, `${plain} os.experimental.wipe=system`);
  t.is(line, plain.replace('os.platform=metal ', 'os.platform=metal os.halt_if_installed=1 '));
  const without = await submit(running, 'customization: {extraKernelArgs: [-os.halt_if_installed, quiet]}');
  const iso = (await ask(running, `/image/${without}/${v}/metal-amd64.iso`)).body;
  t.true(iso.includes(`${plain}\0`));
  t.false(iso.includes('os.halt_if_installed=1'));
  const archive = join(directory, 'installer.tar');
  await writeFile(archive, (await ask(running, `/image/${id}/${v}/installer-amd64.tar`)).body);
  t.false((await readFile(archive)).includes('os.experimental.wipe'));
});

test('ten who ask at once for what nobody has asked for get the same, and it is made once', async (t) => {
  const running = await runningFactory(t);
  const path = `/image/${await submit(running, '{}')}/${v}/metal-amd64-uki.efi`;
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(running, path)));
  t.is(new Set(answers.map(({ status, body }) => `${status} ${sha256(body)}`)).size, 1);
});

test('curl goes on where it was cut off', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const url = `http://127.0.0.1:${running.factory.address.port}/image/${id}/${v}/metal-amd64.iso`;
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'image');
  await run('curl', ['--silent', '--output', file, url]);
  const whole = await readFile(file);
  for (const size of [1, 100_000, whole.length - 1]) {
    await truncate(file, size);
    await run('curl', ['--silent', '--fail', '--continue-at', '-', '--output', file, url]);
    t.is(sha256(await readFile(file)), sha256(whole), `${size}`);
  }
});

test('an input that changes while it is sent ends the connection, and is never sent', async (t) => {
  const running = await runningFactory(t);
  const path = `/image/${await submit(running, '{}')}/${v}/initramfs-amd64.xz`;
  await ask(running, path);
  await appendFile(join(running.options.releases, v, 'amd64/base.sqsh'), 'more');
  await t.throwsAsync(ask(running, path), { code: 'ECONNRESET' });
  const checksum = await ask(running, `${path}.sha256`);
  t.is(checksum.status, 503);
  t.true(checksum.body.toString().startsWith('ERR_VIEW_CHANGED: '));
});

test('a client that takes nothing is let go of', async (t) => {
  const patient = await runningFactory(t);
  const id = await submit(patient, '{}');
  const running = await runningFactory(t, { stallMs: 50, storage: patient.options.storage });
  t.timeout(30_000, 'the connection stays');
  const { port } = running.factory.address;
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET /image/${id}/${v}/metal-amd64.raw HTTP/1.1\r\nhost: x\r\n\r\n`);
  // Nobody reads, so only a write meets the end of the connection.
  const closed = new Promise<boolean>((resolve) => socket.once('close', resolve));
  const knock = setInterval(() => socket.write('GET / HTTP/1.1\r\n\r\n'), 20);
  t.teardown(() => clearInterval(knock));
  t.true(await closed);
});

test('who leaves does not end what is made for others', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  const path = `/image/${id}/${v}/metal-amd64.iso`;
  const { port } = running.factory.address;
  const leaving = spawn('curl', ['--silent', '--output', '/dev/null', `http://127.0.0.1:${port}${path}`]);
  t.teardown(() => leaving.kill('SIGKILL'));
  const other = ask(running, path);
  leaving.kill('SIGKILL');
  t.is((await other).status, 200);
});

test('an image has lists of the modules of its base and of its extensions, and none of another kernel', async (t) => {
  const releases = join(await temporaryDirectory(t), 'releases');
  const kernel = '6.1.0-50-amd64';
  const list = (file: string, of = kernel): string => {
    const nothing = { needs: [], aliases: [], symbols: [], softDependencies: [], devices: [] };
    return formatModuleList({ kernel: of, modules: [{ file, rank: null, ...nothing }] });
  };
  const names = ['os/with', 'os/without', 'os/old'];
  const layers = Object.fromEntries(names.map((name) => [name, Buffer.from('hsqs')]));
  await writeRelease(releases, 'v1.14.1', layers, {
    'amd64/modules.json': list('base.ko'),
    'amd64/extensions/os/with.modules.json': list('extra/with.ko'),
    'amd64/extensions/os/old.modules.json': list('old.ko', '5.10.0-1-amd64'),
  });
  const running = await runningFactory(t, { releases });
  const make = async (...chosen: readonly string[]) => {
    const text = JSON.stringify({ customization: { systemExtensions: { officialExtensions: chosen } } });
    return await ask(running, `/image/${await submit(running, text)}/v1.14.1/initramfs-amd64.xz`);
  };
  const one = (await make('os/without', 'os/with')).body.toString('latin1');
  t.true(one.includes(`layers/schematic/usr/lib/modules/${kernel}/modules.dep.bin\0`));
  t.true(one.includes('base.ko:\nextra/with.ko:\n'));
  t.false((await make('os/without')).body.includes('modules.dep'), 'those of the base are right');
  const old = await make('os/old');
  t.is(old.status, 400);
  t.regex(old.body.toString(), /modules of 5\.10\.0-1-amd64; the kernel is 6\.1\.0-50-amd64/u);
});

/** All command lines of a boot image, in the order of the file. */
async function linesOf(image: Buffer): Promise<readonly string[]> {
  const view = View.of(image);
  const { sections } = await readPe(view);
  const lines = sections.filter(({ name }) => name === '.cmdline');
  return await Promise.all(
    lines.map(async ({ offset, virtualSize }) =>
      (await view.slice(offset, offset + virtualSize).bytes()).toString(),
    ),
  );
}

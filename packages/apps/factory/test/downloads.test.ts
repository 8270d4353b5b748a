import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { ask, type Running, runningFactory, submit } from './running-factory.ts';

const run = promisify(execFile);
const v = 'v1.14.0';

/** curl, since a disk does not fit into one buffer. */
async function fetched(t: ExecutionContext, running: Running, path: string): Promise<string> {
  const file = join(await temporaryDirectory(t), 'image');
  await run('curl', ['--silent', '--fail', '--output', file, urlOf(running, path)]);
  return file;
}

function urlOf({ factory }: Running, path: string): string {
  return `http://127.0.0.1:${factory.address.port}${path}`;
}

async function sha256(path: string): Promise<string> {
  const { stdout } = await run('sha256sum', [path]);
  return stdout.split(' ')[0] ?? '';
}

async function digestOf(running: Running, path: string): Promise<string> {
  return (await ask(running, `${path}.sha256`)).body.toString().split(' ')[0] ?? '';
}

/** One factory and one image of 515 MiB for all forms: hashing it is what takes the time. */
testWith(
  program('zstd'),
  program('qemu-img'),
  program('tar'),
)('every form of a disk has the same disk in it, say the programs that read it', async (t) => {
  const running = await runningFactory(t);
  const disk = `/image/${await submit(running, '{}')}/${v}/metal-amd64`;
  const raw = join(await temporaryDirectory(t), 'raw');
  await run('zstd', ['-d', '--quiet', '-o', raw, await fetched(t, running, `${disk}.raw.zst`)]);
  t.is(await sha256(raw), await digestOf(running, `${disk}.raw`));
  /** That it has the same bytes, where either has any, and no others behind them. */
  const compare = async (format: string, path: string): Promise<void> => {
    await run('qemu-img', ['compare', '-f', format, '-F', 'raw', path, raw]);
    const { stdout } = await run('qemu-img', ['info', '-f', format, '--output', 'json', path]);
    t.is(JSON.parse(stdout)['virtual-size'], (await stat(raw)).size);
  };
  const qcow2 = await fetched(t, running, `${disk}.qcow2`);
  await run('qemu-img', ['check', qcow2]);
  await t.notThrowsAsync(compare('qcow2', qcow2));
  const directory = await temporaryDirectory(t);
  const ova = await fetched(t, running, `${disk}.ova`);
  const { stdout } = await run('tar', ['--extract', '--verbose', '--file', ova], { cwd: directory });
  t.deepEqual(stdout.trim().split('\n'), ['disk.ovf', 'disk.mf', 'disk.vmdk']);
  await t.notThrowsAsync(compare('vmdk', join(directory, 'disk.vmdk')));
  const digests = await readFile(join(directory, 'disk.mf'), 'utf8');
  for (const name of ['disk.ovf', 'disk.vmdk'])
    t.true(digests.includes(`SHA256(${name})= ${await sha256(join(directory, name))}\n`), name);
  const description = await readFile(join(directory, 'disk.ovf'), 'utf8');
  t.true(description.includes(`ovf:size="${(await stat(join(directory, 'disk.vmdk'))).size}"`));
  t.true(description.includes(`ovf:capacity="${(await stat(raw)).size}"`));
  const archive = await fetched(t, running, `${disk}.raw.tar.gz`);
  const list = await run('tar', ['--list', '--verbose', '--gzip', '--file', archive]);
  t.regex(list.stdout, /^-rw-r--r-- 0\/0 +540016640 .* disk\.raw\n$/);
});

test('what is compressed has a length, ranges and checksums, as an ETag of its own', async (t) => {
  const running = await runningFactory(t);
  const disk = `/image/${await submit(running, '{}')}/${v}/metal-amd64.raw`;
  const path = `${disk}.zst`;
  const head = await ask(running, path, { method: 'HEAD' });
  const { status, headers, body } = await ask(running, path);
  t.is(status, 200);
  t.is(headers['content-type'], 'application/zstd');
  t.is(head.headers['content-length'], `${body.length}`);
  t.is(head.headers['etag'], headers['etag']);
  t.not(headers['etag'], (await ask(running, disk, { method: 'HEAD' })).headers['etag']);
  t.is(await digestOf(running, path), createHash('sha256').update(body).digest('hex'));
  const range = { range: `bytes=${body.length - 1000}-`, 'if-range': String(headers['etag']) };
  const part = await ask(running, path, { headers: range });
  t.is(part.status, 206);
  t.true(part.body.equals(body.subarray(-1000)));
});

test('a disk is as large as its platform wants it, in clusters of its size', async (t) => {
  const running = await runningFactory(t);
  const base = `/image/${await submit(running, '{}')}/${v}`;
  const part = async (name: string, range: string): Promise<Buffer> =>
    (await ask(running, `${base}/${name}`, { headers: { range: `bytes=${range}` } })).body;
  const header = await part('exoscale-amd64.qcow2', '0-103');
  t.is(header.readUInt32BE(20), 13);
  t.is(header.readBigUInt64BE(24), 10_240n << 20n);
  const footer = await part('azure-amd64.vhd', '-512');
  t.is(footer.toString('latin1', 0, 8), 'conectix');
  t.is(footer.readBigUInt64BE(48), 8192n << 20n);
  const archive = await ask(running, `${base}/gcp-amd64.raw.tar.gz`, { method: 'HEAD' });
  t.true(Number(archive.headers['content-length']) < 32 << 20);
});

test('frames of what images share are made once and kept, and others are made of the schematic alone', async (t) => {
  const running = await runningFactory(t);
  const objects = join(running.options.storage, 'objects');
  const path = async (text: string): Promise<string> =>
    `/image/${await submit(running, text)}/${v}/metal-amd64.raw.zst`;
  const cold = await path('{}');
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(running, cold)));
  t.is(new Set(answers.map(({ body }) => createHash('sha256').update(body).digest('hex'))).size, 1);
  const names = await readdir(objects);
  t.is(names.length, 1, 'the base layer');
  const made = await stat(join(objects, names[0]!));
  t.is((await ask(running, await path('customization: {extraKernelArgs: [a=b]}'))).status, 200);
  t.deepEqual(await readdir(objects), names);
  t.is((await stat(join(objects, names[0]!))).ino, made.ino);
});

test('curl goes on where it was cut off, in what is compressed, too, and after the frames were made again', async (t) => {
  const running = await runningFactory(t);
  const path = `/image/${await submit(running, '{}')}/${v}/metal-amd64.raw.gz`;
  const file = await fetched(t, running, path);
  const whole = await readFile(file);
  const objects = join(running.options.storage, 'objects');
  for (let round = 0; round < 5; round += 1) {
    await truncate(file, Math.floor(Math.random() * whole.length));
    if (round === 3) for (const name of await readdir(objects)) await rm(join(objects, name));
    const args = ['--silent', '--fail', '--continue-at', '-', '--output', file, urlOf(running, path)];
    await run('curl', args);
    t.true((await readFile(file)).equals(whole), `round ${round}`);
  }
});

test('frames go when there is no room for them, and come again', async (t) => {
  const running = await runningFactory(t, { cacheSizeBytes: 1000 });
  const objects = join(running.options.storage, 'objects');
  const path = `/image/${await submit(running, '{}')}/${v}/metal-amd64.raw.zst`;
  const first = await ask(running, path);
  const second = await ask(running, path);
  t.true(first.body.equals(second.body));
  const names = await readdir(objects);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(objects, name))).size));
  t.true(sizes.reduce((sum, size) => sum + size, 0) <= 1000, sizes.join());
});

test('what can not be kept is 503, and what needs no room goes on', async (t) => {
  const running = await runningFactory(t);
  const base = `/image/${await submit(running, '{}')}/${v}/metal-amd64.raw`;
  const objects = join(running.options.storage, 'objects');
  await rm(objects, { recursive: true });
  const { status, body } = await ask(running, `${base}.zst`);
  t.is(status, 503);
  t.regex(body.toString(), /^ERR_FACTORY_STORE: /);
  t.is((await ask(running, base, { headers: { range: 'bytes=0-9' } })).status, 206);
  await mkdir(objects);
  t.is((await ask(running, `${base}.zst`, { method: 'HEAD' })).status, 200);
});

test('who has a disk for VMware is told so, and who wants another that there is none: it is not made again for that', async (t) => {
  const running = await runningFactory(t);
  const path = `/image/${await submit(running, '{}')}/${v}/metal-amd64.ova`;
  const { headers } = await ask(running, path, { method: 'HEAD' });
  const objects = join(running.options.storage, 'objects');
  await rm(objects, { recursive: true });
  await mkdir(objects);
  const again = await ask(running, path, { headers: { 'if-none-match': String(headers['etag']) } });
  t.is(again.status, 304);
  t.is(again.headers['content-disposition'], headers['content-disposition']);
  t.is((await ask(running, path, { headers: { 'if-match': '"other"' } })).status, 412);
  t.deepEqual(await readdir(objects), []);
});

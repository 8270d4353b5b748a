import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { parse } from '@nodecore/config';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { manifest, serve } from '../../../workload/oci/test/running-registry.ts';
import { osctl } from './command-line.ts';

const run = promisify(execFile);

/** A registry with `a/b:v1`, and who it was asked by. */
async function registry(t: ExecutionContext, password?: string) {
  const seen: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url = '', headers } = incoming;
    seen.push({ url, authorization: headers.authorization });
    const wanted = `Basic ${Buffer.from(`reader:${password}`).toString('base64')}`;
    if (password === undefined || headers.authorization === wanted) void serve(incoming, outgoing);
    else outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Serves a cache until the test has done its work. */
async function serving(args: readonly string[], work: (url: string) => Promise<void>): Promise<string> {
  const end = new AbortController();
  const url = Promise.withResolvers<string>();
  const running = osctl(['image', 'cache-serve', ...args], {
    signal: end.signal,
    onError: (error) => {
      const [, found] = /^serving .* at (\S+?),?(?: |$)/mu.exec(error) ?? [];
      if (found !== undefined && error.endsWith('\n')) url.resolve(found);
    },
  });
  try {
    await work(
      await Promise.race([url.promise, running.then(({ error }) => Promise.reject(new Error(error)))]),
    );
  } finally {
    end.abort();
  }
  return (await running).error;
}

test('the images of a cluster are listed, a line each, of the versions that are asked for', async (t) => {
  const usual = await osctl(['image', 'default']);
  t.is(usual.code, 0, usual.error);
  const lines = usual.out.trim().split('\n');
  t.is(lines.length, 10);
  t.true(lines.includes('registry.k8s.io/kube-apiserver:v1.35.0'));
  t.is((await osctl(['image', 'orch-bundle'])).out, usual.out);
  const other = await osctl(['image', 'orch-bundle', 'v1.34.2', '--coredns-version', 'v1.12.1']);
  t.true(other.out.includes('registry.k8s.io/kubelet:v1.34.2\n'));
  t.true(other.out.includes('registry.k8s.io/coredns/coredns:v1.12.1\n'));
  for (const command of ['default', 'orch-bundle']) {
    const json = await osctl(['image', command, '-o', 'json']);
    const images = JSON.parse(json.out) as { image: string }[];
    t.deepEqual(
      images.map(({ image }) => image),
      lines,
      command,
    );
  }
  const wrong = await osctl(['image', 'orch-bundle', '1.35.0']);
  t.deepEqual([wrong.code, wrong.out], [2, '']);
  t.regex(wrong.error, /begins with v, as v1\.35\.0: "1\.35\.0" does not/u);
  t.is((await osctl(['image', 'default', '--pause-version', 'a/b'])).code, 2);
});

test('a cache is made of images on standard input, goes on where it was, and is begun anew with --force', async (t) => {
  const { host, seen } = await registry(t);
  const cache = join(await temporaryDirectory(t), 'cache');
  const args = ['image', 'cache-create', '--image-cache-path', cache, '--images'];
  const made = await osctl([...args, '-', '-o', 'json'], {
    input: `# ours\n${host}/a/b:v1\n\n${host}/a/b:v1\n`,
  });
  t.is(made.code, 0, made.error);
  const [image, ...others] = JSON.parse(made.out) as {
    image: string;
    sizeBytes: number;
    fetchedBytes: number;
  }[];
  t.is(others.length, 0, 'each once');
  t.is(image?.image, `${host}/a/b:v1`);
  t.is(image?.fetchedBytes, image?.sizeBytes);
  seen.length = 0;
  const again = await osctl([...args, `${host}/a/b:v1,${host}/a/b:v2`]);
  t.is(again.code, 0, again.error);
  t.regex(again.error, /a\/b:v2: 0 B of /u);
  t.false(seen.some(({ url }) => url.includes('/blobs/')));
  t.is((await osctl(['image', 'cache-verify', cache])).code, 0);
  const [blob = ''] = await readdir(join(cache, 'blob'));
  await writeFile(join(cache, 'blob', blob), 'other bytes');
  const damaged = await osctl(['image', 'cache-verify', cache]);
  t.is(damaged.code, 1);
  t.true(damaged.out.includes(`blob/${blob}`) && damaged.out.includes('it has other bytes'), damaged.out);
  t.regex(damaged.error, /cache: 1 file is not as they must be/u);
  const told = await osctl(['image', 'cache-verify', cache, '-o', 'json']);
  t.is(told.code, 1);
  t.true(told.out.includes(`blob/${blob}`), told.out);
  const anew = await osctl([...args, `${host}/a/b:v1`, '--force']);
  t.is(anew.code, 0, anew.error);
  t.is((await osctl(['image', 'cache-verify', cache])).code, 0);
  await t.throwsAsync(stat(join(cache, 'manifests', host.replace(/:(\d+)$/u, '_$1_'), 'a/b/reference/v2')));
});

test('a directory that is no cache is not touched, with --force neither', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'thesis'), 'x');
  await mkdir(join(directory, 'blob'));
  for (const more of [[], ['--force']]) {
    const { code, error } = await osctl([
      'image',
      'cache-create',
      '--images',
      '127.0.0.1:1/a',
      '--image-cache-path',
      directory,
      ...more,
    ]);
    t.is(code, 2);
    t.regex(error, /is no image cache: it holds "thesis"/u);
  }
  t.deepEqual((await readdir(directory)).toSorted(), ['blob', 'thesis']);
  const served = await osctl(['image', 'cache-serve', '--image-cache-path', directory]);
  t.is(served.code, 2);
  t.regex(served.error, /is no image cache: it has no manifests/u);
});

test('names, platforms and registries that are none are refused with the word', async (t) => {
  const cache = join(await temporaryDirectory(t), 'cache');
  const create = (...args: readonly string[]) =>
    osctl(['image', 'cache-create', '--image-cache-path', cache, '--images', ...args]);
  const { host } = await registry(t);
  for (const [args, pattern] of [
    [['A B'], /"docker\.io\/library\/A B": the name of the repository/u],
    [[`${host}/a/b:v1`, '--platform', 'linux'], /--platform linux is none/u],
    [[`${host}/a/b:none`], /127\.0\.0\.1:\d+\/a\/b:none: .*404/u],
    [['-'], /--images names no image/u],
  ] as const) {
    const { code, error } = await osctl(
      ['image', 'cache-create', '--image-cache-path', cache, '--images', ...args],
      { input: '\n' },
    );
    t.not(code, 0);
    t.regex(error, pattern);
  }
  t.is((await create(`${host}/a/b:v1`, '--platform', 'all')).code, 0);
});

test('credentials are those of docker login, and are in nothing that is printed', async (t) => {
  const { host } = await registry(t, 'hunter2');
  const directory = await temporaryDirectory(t);
  const auth = Buffer.from('reader:hunter2').toString('base64');
  const env = { DOCKER_CONFIG: directory };
  const args = [
    'image',
    'cache-create',
    '--images',
    `${host}/a/b:v1`,
    '--image-cache-path',
    join(directory, 'cache'),
  ];
  const without = await osctl(args, { env });
  t.is(without.code, 4, without.error);
  await writeFile(join(directory, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
  const { code, out, error } = await osctl(args, { env });
  t.is(code, 0, error);
  t.false(`${out}${error}${without.error}`.includes('hunter2'));
  await writeFile(join(directory, 'config.json'), `{"auths": "${auth}`);
  const broken = await osctl(args, { env });
  t.is(broken.code, 2);
  t.regex(broken.error, /config\.json: it is no JSON/u);
  t.false(broken.error.includes(auth));
});

testWith(program('skopeo'))(
  'a cache is served with TLS to those who trust its certificate, and nodes get documents that say so',
  async (t) => {
    const { host } = await registry(t);
    const directory = await temporaryDirectory(t);
    const file = (name: string): string => join(directory, name);
    const cache = file('cache');
    const create = ['image', 'cache-create', '--images', `${host}/a/b:v1`, '--image-cache-path', cache];
    t.is((await osctl(create)).code, 0);
    const generate = [
      'image',
      'cache-cert-gen',
      '--tls-ca-file',
      file('ca.crt'),
      '--tls-cert-file',
      file('tls.crt'),
    ];
    const names = ['--tls-key-file', file('tls.key'), '--patch-file', file('trust.yaml')];
    t.regex((await osctl([...generate, ...names])).error, /say how nodes reach the cache/u);
    t.regex((await osctl([...generate, ...names, '--advertised-address', 'x'])).error, /x is no IP address/u);
    const made = await osctl([...generate, ...names, '--advertised-address', '127.0.0.1', '-o', 'json']);
    t.is(made.code, 0, made.error);
    t.deepEqual(JSON.parse(made.out), [
      { file: file('ca.crt'), secret: false },
      { file: file('tls.crt'), secret: false },
      { file: file('tls.key'), secret: true },
      { file: file('trust.yaml'), secret: false },
    ]);
    t.is((await stat(file('tls.key'))).mode & 0o777, 0o600);
    t.regex((await osctl([...generate, ...names, '--advertised-name', 'a'])).error, /exists; give --force/u);
    using trust = parse(await readFile(file('trust.yaml'), 'utf8'));
    t.deepEqual(
      trust.all('TrustedRootsConfig').map(({ name }) => name),
      ['image-cache-ca'],
    );
    const tls = ['--tls-cert-file', file('tls.crt'), '--tls-key-file', file('tls.key')];
    const alone = await osctl(['image', 'cache-serve', '--image-cache-path', cache, ...tls.slice(0, 2)]);
    t.deepEqual([alone.code, /go together/u.test(alone.error)], [2, true]);
    const swapped = ['--tls-cert-file', file('tls.key'), '--tls-key-file', file('tls.crt')];
    const wrong = await osctl(['image', 'cache-serve', '--image-cache-path', cache, ...swapped]);
    t.regex(wrong.error, /they are no PEM, or not of each other/u);
    const ca = await readFile(file('ca.crt'));
    const args = [
      '--image-cache-path',
      cache,
      '--mirror',
      host,
      ...tls,
      '--patch-file',
      file('mirrors.yaml'),
    ];
    await serving([...args, '--address', '127.0.0.1:0'], async (url) => {
      t.regex(url, /^https:/u);
      const body = await new Promise<Buffer>((resolve, reject) => {
        request(`${url}/v2/a/b/manifests/v1?ns=${host}`, { ca }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => resolve(Buffer.concat(chunks)));
        })
          .on('error', reject)
          .end();
      });
      t.deepEqual(body, manifest);
      await t.throwsAsync(fetch(`${url}/v2/`), undefined, 'nobody else trusts it');
      const to = file('pulled');
      await mkdir(file('certs'));
      await writeFile(file('certs/ca.crt'), ca);
      const from = `docker://${new URL(url).host}/a/b:v1`;
      await run('skopeo', ['copy', '--insecure-policy', '--src-cert-dir', file('certs'), from, `dir:${to}`]);
      t.deepEqual(await readFile(join(to, 'manifest.json')), manifest);
    });
    await t.throwsAsync(
      stat(file('mirrors.yaml')),
      { code: 'ENOENT' },
      'a free port is another one tomorrow',
    );
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const busy = await osctl(['image', 'cache-serve', ...args, '--address', `127.0.0.1:${port}`]);
    t.regex(busy.error, /--address 127\.0\.0\.1:\d+: EADDRINUSE/u);
    await new Promise((resolve) => taken.close(resolve));
    await serving([...args, '--address', `127.0.0.1:${port}`], async () => {});
    using mirrors = parse(await readFile(file('mirrors.yaml'), 'utf8'));
    t.deepEqual(
      mirrors
        .all('RegistryMirrorConfig')
        .map(({ name, endpoints }) => [name, endpoints?.map(({ url }) => url.href)]),
      [[host, [`https://127.0.0.1:${port}/`]]],
    );
  },
);

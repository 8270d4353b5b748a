import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { mirrorRelease, verifyRelease } from '../../src/mirror/mirror.ts';
import { parsePlace } from '../../src/mirror/place.ts';
import { dockerRegistry } from '../docker-registry.ts';
import { bearer, guardedFactory, tokenOf } from '../known-callers.ts';
import { ask, releaseKeys, runningFactory, writeRelease } from '../running-factory.ts';

const run = promisify(execFile);
const v = 'v1.14.0';
const options = { keys: [releaseKeys.publicKey] };
const place = parsePlace;
const bin = new URL('../../bin/nodecore-factory.js', import.meta.url).pathname;

testWith(program('docker-registry'), program('skopeo'))(
  'a release goes by skopeo from a layout to docker-registry and back, and by ours, with one digest everywhere',
  async (t) => {
    const host = await dockerRegistry(t);
    const directory = await temporaryDirectory(t);
    const release = await writeRelease(join(directory, 'from'), v);
    const [ours, theirs] = [join(directory, 'ours'), join(directory, 'theirs')];
    const out = await mirrorRelease(place(release), place(`oci:${ours}`), options);
    const copy = (from: string, to: string) => run('skopeo', ['copy', '--insecure-policy', ...tls, from, to]);
    const tls = ['--src-tls-verify=false', '--dest-tls-verify=false'];
    const { digest } = out;
    await copy(`oci:${ours}:${v}`, `docker://${host}/by/skopeo:${v}`);
    const fromSkopeo = await mirrorRelease(
      place(`docker://${host}/by/skopeo:${v}`),
      place(join(directory, 'to')),
      options,
    );
    t.is(fromSkopeo.digest, digest);

    const pushed = await mirrorRelease(place(release), place(`docker://${host}/by/us`), options);
    t.is(pushed.copiedBytes, out.copiedBytes);
    const { stdout } = await run('skopeo', [
      'inspect',
      '--raw',
      '--tls-verify=false',
      `docker://${host}/by/us:${v}`,
    ]);
    t.is(stdout, await readFile(join(ours, 'blobs/sha256', digest.slice(7)), 'utf8'));
    await copy(`docker://${host}/by/us:${v}`, `oci:${theirs}:${v}`);
    t.is((await verifyRelease(place(`oci:${theirs}`), options)).digest, digest);

    const again = await mirrorRelease(place(`oci:${theirs}`), place(`docker://${host}/by/us:${v}`), options);
    t.is(again.copiedBytes, 0n);
    await mirrorRelease(place(`docker://${host}/by/us:${v}`), place(`docker://${host}/once/more`), options);
    t.is((await verifyRelease(place(`docker://${host}/once/more:${v}`), options)).digest, digest);
    const other = await writeRelease(join(directory, 'other'), v, { 'os/btrfs': Buffer.from('another') });
    await t.throwsAsync(mirrorRelease(place(other), place(`docker://${host}/by/us`), options), {
      code: 'ERR_FACTORY_RELEASE_OTHER',
    });
    await t.throwsAsync(verifyRelease(place(`docker://${host}/by/nobody:${v}`), options), {
      code: 'ERR_OCI_NOT_FOUND',
    });
  },
);

test('a factory gives its releases to another one, and to registries', async (t) => {
  const { factory } = await runningFactory(t);
  const host = `127.0.0.1:${factory.address.port}`;
  const directory = await temporaryDirectory(t);
  const from = place(`docker://${host}/os/release:${v}`);
  const { digest } = await mirrorRelease(from, place(directory), options);
  t.true((await stat(join(directory, v, 'amd64/kernel'))).isFile());
  const tags = await ask({ factory }, '/v2/os/release/tags/list');
  t.deepEqual(JSON.parse(tags.body.toString()), {
    name: 'os/release',
    tags: ['v1.14.0', 'v1.14.0-alpha.0'],
  });
  const manifest = await ask({ factory }, `/v2/os/release/manifests/${digest}`);
  t.is(manifest.headers['docker-content-digest'], digest);
  for (const path of ['/v2/os/release/../manifests/v1.14.0', '/v2/os/release/x/manifests/v1.14.0'])
    t.not((await ask({ factory }, path)).status, 200, path);
  t.is((await ask({ factory }, '/v2/os/release/blobs/uploads/', { method: 'POST' })).status, 405);
});

test('a mirror that is killed leaves no release, and the next one goes on', async (t) => {
  const { factory, directory } = await runningFactory(t);
  const from = `docker://127.0.0.1:${factory.address.port}/os/release:${v}`;
  const key = join(directory, 'release.pub');
  const to = join(directory, 'to');
  for (const end of ['amd64/base.sqsh', 'amd64/initramfs.cpio', 'amd64/stub.efi']) {
    const child = spawn(process.execPath, [bin, 'mirror', from, to, '--release-key', key], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    for await (const line of createInterface(child.stderr))
      if (line.startsWith(`${end}: `)) child.kill('SIGKILL');
    t.deepEqual(await exited, [null, 'SIGKILL']);
    await t.throwsAsync(stat(join(to, v)), { code: 'ENOENT' });
  }
  const { copiedBytes, sizeBytes } = await mirrorRelease(place(from), place(to), options);
  t.true(copiedBytes < sizeBytes);
  await verifyRelease(place(join(to, v)), options);
});

test('who mirrors from a factory that knows callers needs the scope of sources', async (t) => {
  const running = await guardedFactory(t);
  const host = `127.0.0.1:${running.factory.address.port}`;
  const path = `/v2/os/release/manifests/${v}`;
  const read = await tokenOf(running, 'ann', ['image:read']);
  t.is((await ask(running, path)).status, 401);
  t.is((await ask(running, path, { headers: bearer(read) })).status, 403);
  const password = await tokenOf(running, 'ann', ['source:pull']);
  const from = place(`docker://${host}/os/release:${v}`);
  await t.throwsAsync(verifyRelease(from, options), { code: 'ERR_OCI_DENIED' });
  const credentialsOf = () => ({ username: 'ann', password });
  t.is((await verifyRelease(from, { ...options, credentialsOf })).release.version, v);
});

test('the program mirrors, shows and verifies, with the password of the file that docker has', async (t) => {
  const running = await guardedFactory(t);
  const host = `127.0.0.1:${running.factory.address.port}`;
  const directory = await temporaryDirectory(t);
  const key = join(directory, 'release.pub');
  await writeFile(key, releaseKeys.publicKey.export({ type: 'spki', format: 'pem' }));
  const token = await tokenOf(running, 'ann', ['source:pull']);
  const auth = Buffer.from(`ann:${token}`).toString('base64');
  await writeFile(join(directory, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
  const call = (...args: readonly string[]) =>
    run(process.execPath, [bin, ...args], { env: { ...process.env, DOCKER_CONFIG: directory } });
  const layout = `oci:${join(directory, 'layout')}`;
  const mirrored = await call('mirror', `docker://${host}/os/release:${v}`, layout, '--release-key', key);
  t.regex(mirrored.stdout, /^v1\.14\.0 is at oci:\S+: \S+ MB of \S+ MB copied, sha256:[0-9a-f]{64}\n$/);
  t.regex(mirrored.stderr, /^amd64\/base\.sqsh: 8\.39 MB\n/);
  const shown = await call('release', 'show', layout, '--release-key', key);
  t.regex(shown.stdout, /^v1\.14\.0 \(development\) of 2026-\S+ for amd64; /);
  t.regex(shown.stdout, /^amd64\/kernel +\S+ k?B +[0-9a-f]{64}$/m);
  const verified = await call('release', 'verify', layout, '--release-key', key, '-o', 'json');
  const { files } = JSON.parse(
    (await call('release', 'show', layout, '--release-key', key, '-o', 'json')).stdout,
  );
  t.like(JSON.parse(verified.stdout), { version: v, files: Object.keys(files).length });
  for (const { stdout, stderr } of [mirrored, shown, verified])
    for (const secret of [token, auth]) t.false(`${stdout}${stderr}`.includes(secret));
  const failed = (await t.throwsAsync(call('release', 'verify', layout))) as unknown as { stderr: string };
  t.regex(failed.stderr, /--release-key: name a public key/);
});

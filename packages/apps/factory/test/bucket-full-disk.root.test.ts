import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root, testWith } from '@nodecore/testkit';

import { optionsOf } from './bucket-of.ts';
import { ask, factoryOptions, runningFactory, submit, writeRelease } from './running-factory.ts';
import { s3Server } from './s3-server.ts';

const run = promisify(execFile);

testWith(root)(
  'an object of a bucket that the disk has no room for is 507, leaves no half and no connection, and comes when there is room',
  async (t) => {
    t.timeout(25_000, 'the connection stays');
    const { directory, ...options } = await factoryOptions(t);
    await writeRelease(options.releases, 'v1.14.1', { 'os/large': randomBytes(6 << 20) });
    const installerSigningKey = join(directory, 'key');
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', installerSigningKey], {
      stdio: 'ignore',
    });
    const server = await s3Server(t);
    const bucket = await optionsOf(t, server);
    const shared = { ...options, bucket, installerSigningKey };
    const text = 'customization: {systemExtensions: {officialExtensions: [os/large]}}';
    const first = await runningFactory(t, shared);
    const path = `/image/${await submit(first, text)}/v1.14.1/metal-amd64.raw.zst`;
    const { status, body: expected } = await ask(first, path);
    t.is(status, 200);

    const storage = join(directory, 'small');
    await mkdir(storage);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', storage]);
    t.teardown(() => run('umount', ['--lazy', storage]));
    const second = await runningFactory(t, { ...shared, storage });
    const puts = server.requests.filter((each) => each.startsWith('PUT')).length;
    await submit(second, text);
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await ask(second, path, { method });
      t.is(answer.status, 507);
      if (method === 'GET') t.regex(answer.body.toString(), /^ERR_FACTORY_STORE_FULL: /);
    }
    const left = await readdir(join(storage, 'objects'));
    t.true(
      left.every((name) => /^[0-9a-f]{64}$/.test(name)),
      left.join(' '),
    );
    await server.idle();

    await run('mount', ['-o', 'remount,size=32m', storage]);
    t.true((await ask(second, path)).body.equals(expected));
    t.is(server.requests.filter((each) => each.startsWith('PUT')).length, puts);
  },
);

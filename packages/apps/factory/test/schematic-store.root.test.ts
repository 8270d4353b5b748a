import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { ask, runningFactory, submit, writeRelease } from './running-factory.ts';

const run = promisify(execFile);

testWith(root)('a full disk is 507, keeps nothing in halves, and images go on', async (t) => {
  const storage = join(await temporaryDirectory(t), 'storage');
  await mkdir(storage);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', storage]);
  t.teardown(() => run('umount', ['--lazy', storage]));
  const running = await runningFactory(t, { storage });
  const id = await submit(running, '{}');
  let status = 201;
  let last = '';
  const document = 'apiVersion: v1alpha1\\nkind: HostnameConfig\\nhostname: a';
  for (let index = 0; index < 100 && status === 201; index += 1) {
    last = `customization: {embeddedMachineConfiguration: "# ${index} ${'x'.repeat(30_000)}\\n${document}"}`;
    const answer = await ask(running, '/schematics', { method: 'POST', body: last });
    status = answer.status;
    if (status !== 201) t.regex(answer.body.toString(), /^ERR_FACTORY_STORE_FULL: /);
  }
  t.is(status, 507);
  t.is((await ask(running, '/schematics', { method: 'POST', body: last })).status, 507);
  t.is((await ask(running, '/schematics', { method: 'POST', body: '{}' })).status, 201);
  t.is((await ask(running, `/schematics/${id}`)).status, 200);
  t.is((await ask(running, `/image/${id}/v1.14.0/metal-amd64-uki.efi`)).status, 200);
});

testWith(root)(
  'frames that the disk has no room for are 507, leave no half, and what needs no room goes on',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const [storage, releases] = [join(directory, 'storage'), join(directory, 'releases')];
    await mkdir(storage);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'none', storage]);
    t.teardown(() => run('umount', ['--lazy', storage]));
    await writeRelease(releases, 'v1.14.1', { 'os/large': randomBytes(2 << 20) });
    const running = await runningFactory(t, { storage, releases });
    const text = 'customization: {systemExtensions: {officialExtensions: [os/large]}}';
    const disk = `/image/${await submit(running, text)}/v1.14.1/metal-amd64.raw`;
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, body } = await ask(running, `${disk}.zst`, { method });
      t.is(status, 507);
      if (method === 'GET') t.regex(body.toString(), /^ERR_FACTORY_STORE_FULL: /);
    }
    const left = await readdir(join(storage, 'objects'));
    t.true(
      left.length <= 1 && left.every((name) => !name.endsWith('.part')),
      'the frames of the base layer, whole',
    );
    t.is((await ask(running, disk, { headers: { range: 'bytes=0-99' } })).status, 206);
    const small = `/image/${await submit(running, '{}')}/v1.14.1/metal-amd64.raw.zst`;
    t.is((await ask(running, small)).status, 200);
  },
);

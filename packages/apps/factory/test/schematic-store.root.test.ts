import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { ask, runningFactory, submit } from './running-factory.ts';

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
  for (let index = 0; index < 100 && status === 201; index += 1) {
    last = `customization: {embeddedMachineConfiguration: "${index} ${'x'.repeat(30_000)}"}`;
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

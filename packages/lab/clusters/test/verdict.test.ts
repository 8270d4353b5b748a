import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { ClusterDirectory, makePlan, readRequest } from '../src/index.ts';
import { verdictOf, type VerdictParts } from '../src/keeper/verdict.ts';
import { usualFlags } from './requests.ts';

const hasKvm = existsSync('/dev/kvm');

test('what runs machines is asked for, or tried with the kernel of their image, once as long as this computer is on', async (t) => {
  const home = await temporaryDirectory(t);
  const directory = new ClusterDirectory(home, 'example');
  await directory.make();
  const said: string[] = [];
  const fetched: string[] = [];
  const kernel = join(home, 'kernel');
  await writeFile(kernel, 'none'); // which does not come up anywhere
  const parts: VerdictParts = {
    plan: makePlan(readRequest(usualFlags), '0'.repeat(32)),
    directory,
    cache: join(home, 'cache'),
    fetch: async (url) => {
      fetched.push(url);
      return kernel;
    },
    say: (line) => said.push(line),
    signal: new AbortController().signal,
  };
  for (const accelerator of ['kvm', 'tcg'] as const) {
    const plan = makePlan(readRequest({ ...usualFlags, accelerator }), '0'.repeat(32));
    t.is(await verdictOf({ ...parts, plan }), accelerator);
  }
  t.deepEqual([said, fetched], [[], []]);
  t.is(await verdictOf(parts), 'tcg');
  t.regex(said.join(), /^machines are emulated: /);
  if (!hasKvm) return;
  t.deepEqual(fetched, [`http://127.0.0.1:8081/image/${'a'.repeat(64)}/v1.14.0-alpha.0/kernel-amd64`]);
  const [file = ''] = await readdir(join(home, 'cache'));
  await writeFile(join(home, 'cache', file), 'kvm'); // as if it had come up
  t.is(await verdictOf(parts), 'kvm', 'it is not tried again');
});

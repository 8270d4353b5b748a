import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KernelSettings, Originals } from '@nodecore/host';
import { root, testWith } from '@nodecore/testkit';

const forward = '/proc/sys/net/ipv4/ip_forward';

testWith(root)(
  'the kernel has the value, refuses another with its reason, and gets the first one back',
  async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'sysctl-'));
    t.teardown(() => rm(directory, { recursive: true }));
    const originals = new Originals(join(directory, 'originals.json'));
    const settings = new KernelSettings({ directory: '/proc/sys', originals });
    const before = (await readFile(forward, 'utf8')).trim();
    const wanted = before === '1' ? '0' : '1';
    const [made, refused] = await settings.apply(
      new Map([
        ['net.ipv4.ip_forward', wanted],
        ['net.ipv4.ip_default_ttl', 'many'],
      ]),
    );
    t.like(made, { current: wanted, original: before, error: undefined });
    t.is(refused?.error?.code, 'ERR_HOST_VALUE');
    t.is((await readFile(forward, 'utf8')).trim(), wanted);
    t.deepEqual([...(await originals.all()).keys()], ['net/ipv4/ip_forward']);
    await settings.apply(new Map());
    t.is((await readFile(forward, 'utf8')).trim(), before);
  },
);

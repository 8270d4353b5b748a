import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { killExactly, parseIdentity } from '@nodecore/sys';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { tinyMachine } from '../../../lab/machine/test/guests.ts';
import { osctl, type Outcome } from './command-line.ts';

const all = testWith(root, program('qemu-system-x86_64'), program('dnsmasq'));
const words =
  '--presets=disk-image --with-uefi=false --accelerator=tcg --disks=virtio:4MiB --workers=0 --memory-controlplanes=512MiB';

/** A machine that says R and never has an API. */
async function create(
  t: ExecutionContext,
  name: string,
  more: readonly string[],
  onLine: (said: string, directory: string) => void = () => {},
): Promise<Outcome> {
  const home = await temporaryDirectory(t);
  await tinyMachine(home, 'deaf');
  const place = ['--name', name, '--state', join(home, 'clusters')];
  t.teardown(() => osctl(['cluster', 'destroy', '--force', ...place]));
  const network = `--cidr=10.${1 + (process.pid % 250)}.${name.length}.0/24`;
  const image = ['--disk-image-path', join(home, 'boot.disk'), network];
  const config = ['--osconfig-destination', join(home, 'config')];
  const args = ['cluster', 'create', 'vm', ...words.split(' '), ...image, ...config, ...place, ...more];
  const onError = (said: string): void => onLine(said, join(home, 'clusters', name));
  return await osctl(args, { env: { HOME: home }, onError });
}

all(
  'a machine that dies ends the wait for it within seconds, with the last lines of its console',
  async (t) => {
    let killedAt = 0;
    const kill = async (directory: string): Promise<void> => {
      const text = await readFile(join(directory, 'nodes/1/machine.programs'), 'utf8');
      const identity = parseIdentity(text.split('\n').find((line) => line.includes('qemu')) ?? '');
      if (identity !== undefined) killExactly(identity);
      killedAt = performance.now();
    };
    const { code, error } = await create(t, 'dying', [], (said, directory) => {
      if (killedAt > 0 || !said.includes('waits for its API')) return;
      killedAt = 1;
      void kill(directory);
    });
    t.is(code, 1);
    t.true(performance.now() - killedAt < 5000);
    t.regex(error, /dying-controlplane-1 is on, has no address by DHCP yet, waits for its API: 127\./);
    t.regex(error, /dying-controlplane-1 crashed: lost: .*R/s);
  },
);

all('a wait has its limit, and says that the cluster runs on', async (t) => {
  const { code, error } = await create(t, 'patient', ['--wait-timeout', '1s']);
  t.is(code, 7);
  t.regex(error, /cluster patient is not ready after 1 seconds; it runs on, and the same command goes on/);
});

import { join } from 'node:path';

import { startFactory } from '@nodecore/factory';
import { tickRateKhz } from '@nodecore/machine';
import { buildRelease } from '@nodecore/release';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import type { ExecutionContext } from 'ava';

import { cacheDirectory, rigCache } from '../src/paths.ts';
import { withoutCosts } from '../src/rig-boot.ts';
import { first } from '../src/system/places.ts';
import { Programs } from '../src/system/programs.ts';

/** Each has a network of its own, which no other cluster of this computer has. */
const presets = [
  { preset: 'iso', isInstalled: false, cidr: '10.171.0.0/24', door: '127.171.0.2:50000' },
  { preset: 'pxe', isInstalled: true, cidr: '10.172.0.0/24', door: '127.172.0.2:50000' },
] as const;

testWith(
  root,
  program('qemu-system-x86_64'),
  program('dnsmasq'),
)(
  'a machine starts from a CD and shows its schematic in maintenance; another starts from the network, installs itself on its disk unattended, and starts from that',
  async (t) => {
    t.timeout(560_000);
    const signal = AbortSignal.timeout(540_000);
    const home = await temporaryDirectory(t);
    const { url, id } = await served(t, home);
    const programs = new Programs(home, signal);
    await Promise.all(
      presets.map(async ({ preset, isInstalled, cidr, door }) => {
        t.teardown(async () => {
          const destroy = ['cluster', 'destroy', '--name', preset] as const;
          const { code, stderr } = await new Programs(home).try('osctl', ...destroy);
          if (code !== 0 && code !== 3) throw new Error(stderr); // 3: it was taken away when it failed
        });
        const size = '--cpus-controlplanes 1 --memory-controlplanes 768MiB --disks virtio:6GiB'.split(' ');
        const image = ['--image-factory-url', url, '--schematic-id', id, '--os-version', first];
        const all = isInstalled ? preset : `${preset},maintenance`;
        const name = ['--name', preset, '--cidr', cidr, '--presets', all];
        const words = [...name, '--workers', '0', ...size, ...image];
        await programs.follow((text) => t.log(text.trimEnd()), 'osctl', 'cluster', 'create', 'vm', ...words);
        const ask = async (...type: readonly string[]): Promise<string> =>
          (await programs.try('osctl', '--context', preset, '-n', door, 'get', ...type, '-o', 'json')).stdout;
        if (isInstalled) {
          // The boot menu on its disk has what runs: a CD and the network have none.
          t.regex(await ask('bootedentry'), new RegExp(`"version": ?"${first.replaceAll('.', '\\.')}"`));
          t.regex(await ask('unattendedinstallstatus'), /"phase": ?"installed"/);
          t.true((await ask('extensions')).includes(id), 'the installer image is of the same schematic');
          return;
        }
        for (;;) {
          const shown = await programs.try('osctl', '-n', door, 'get', 'extensions', '--insecure');
          if (shown.stdout.includes(id)) break;
          await systemClock.sleep(1000, signal);
        }
        await programs.run('osctl', 'cluster', 'destroy', '--name', preset); // the other has both processors then
      }),
    );
  },
);

/** A factory with the release of this checkout, and a schematic whose nodes say on their console what they do. */
async function served(
  t: ExecutionContext,
  directory: string,
): Promise<{ readonly url: string; readonly id: string }> {
  const built = await buildRelease({ version: first });
  const factory = await startFactory({
    releases: join(built.directory, '..'),
    releaseKeys: [join(cacheDirectory, 'release-keys/release.pub')],
    listen: { host: '127.0.0.1', port: 0 },
    storage: join(directory, 'factory'),
    externalUrl: 'http://factory.example', // none that a machine could reach
  });
  t.teardown(() => factory.close());
  const url = `http://127.0.0.1:${factory.address.port}`;
  const rate = await tickRateKhz(rigCache);
  const words = [
    ...withoutCosts,
    'console=ttyS0',
    'loglevel=6',
    'mitigations=off',
    'no_timer_check',
    'tsc=reliable',
  ];
  const all = rate === undefined ? words : [...words, `tsc_early_khz=${rate}`];
  const body = JSON.stringify({ customization: { extraKernelArgs: all } });
  const response = await fetch(`${url}/schematics`, { method: 'POST', body });
  return { url, id: ((await response.json()) as { readonly id: string }).id };
}

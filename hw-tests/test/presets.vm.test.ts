import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import type { ExecutionContext } from 'ava';

import { first } from '../src/system/places.ts';
import { Programs } from '../src/system/programs.ts';
import { extension } from './served-release.ts';
import { servedSchematic } from './served-schematic.ts';

/** A cluster of one machine. Each has a network of its own, which no other cluster of this computer has. */
type Cluster = { readonly preset: string; readonly network: number; readonly words?: readonly string[] };

testWith(
  root,
  program('qemu-system-x86_64'),
  program('dnsmasq'),
)(
  'a machine starts by UEFI from a CD, another by a BIOS from its disk, and both show in maintenance their schematic and its extension; a third starts from the network, installs itself on its disk unattended, starts from that, its volumes opened by the key server of the gateway, and is the same',
  async (t) => {
    t.timeout(1_200_000);
    const signal = AbortSignal.timeout(1_150_000);
    const home = await temporaryDirectory(t);
    const { url, id } = await servedSchematic(t, home);
    const programs = new Programs(home, signal);

    /** @returns how the machine's API is reached. */
    const create = async ({ preset, network, words = [] }: Cluster): Promise<string> => {
      t.teardown(async () => {
        const destroy = ['cluster', 'destroy', '--name', preset] as const;
        const { code, stderr } = await new Programs(home).try('osctl', ...destroy);
        if (code !== 0 && code !== 3) throw new Error(stderr); // 3: it was taken away, here or when it failed
      });
      const size =
        '--accelerator tcg --cpus-controlplanes 1 --memory-controlplanes 768MiB --disks virtio:6GiB'.split(
          ' ',
        );
      const image = ['--image-factory-url', url, '--schematic-id', id, '--os-version', first];
      const name = ['--name', preset, '--cidr', `10.${network}.0.0/24`, '--workers', '0'];
      const all = ['cluster', 'create', 'vm', ...name, ...size, ...image, ...words];
      await programs.follow((text) => t.log(text.trimEnd()), 'osctl', ...all);
      return `127.${network}.0.2:50000`;
    };

    const showsInMaintenance = async ({ words = [], ...cluster }: Cluster): Promise<void> => {
      const presets = ['--presets', `${cluster.preset},maintenance`];
      const door = await create({ ...cluster, words: [...presets, ...words] });
      let shown = '';
      while (!shown.includes(id)) {
        await systemClock.sleep(1000, signal);
        shown = (await programs.try('osctl', '-n', door, 'get', 'extensions', '--insecure')).stdout;
      }
      t.true(shown.includes(` ${extension} `), shown);
      await programs.run('osctl', 'cluster', 'destroy', '--name', cluster.preset); // the next has its processor then
    };

    const installsItself = async (cluster: Cluster): Promise<void> => {
      // What is installed is sealed by the key server of the gateway, and opened by it at its next start.
      const sealed = '--encrypt-state --encrypt-ephemeral --disk-encryption-key-types kms'.split(' ');
      const door = await create({ ...cluster, words: ['--presets', cluster.preset, ...sealed] });
      const ask = async (...type: readonly string[]): Promise<string> => {
        const words = ['--context', cluster.preset, '-n', door, 'get', ...type, '-o', 'json'];
        return (await programs.try('osctl', ...words)).stdout;
      };
      // The boot menu on its disk has what runs: a CD and the network have none.
      t.regex(await ask('bootedentry'), new RegExp(`"version": ?"${first.replaceAll('.', '\\.')}"`));
      t.regex(await ask('unattendedinstallstatus'), /"phase": ?"installed"/);
      const shown = await ask('extensions');
      t.true(shown.includes(id), 'the installer image is of the same schematic');
      t.true(shown.includes(`"${extension}"`), shown);
      await opensByKeyServer(t, join(home, '.os/clusters', cluster.preset));
    };

    await Promise.all([
      installsItself({ preset: 'pxe', network: 172 }),
      showsInMaintenance({ preset: 'iso', network: 171 }).then(() =>
        showsInMaintenance({ preset: 'disk-image', network: 173, words: ['--with-uefi=false'] }),
      ),
    ]);
  },
);

/** Both volumes were unsealed by the cluster's own key server, whose key nobody else reads. */
async function opensByKeyServer(t: ExecutionContext, cluster: string): Promise<void> {
  const { nodes } = JSON.parse(await readFile(join(cluster, 'plan.json'), 'utf8')) as {
    readonly nodes: readonly { readonly uuid: string }[];
  };
  const lines = (await readFile(join(cluster, 'lan/kms-audit.log'), 'utf8')).trim().split('\n');
  const calls = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  t.log(lines.at(-1));
  for (const volume of ['STATE', 'EPHEMERAL'])
    t.true(
      calls.some(
        (call) =>
          call['operation'] === 'unseal' &&
          call['outcome'] === 'ok' &&
          String(call['volume']).toLowerCase().includes(volume.toLowerCase()) &&
          call['node'] === nodes[0]?.uuid,
      ),
      volume,
    );
  t.is((await stat(join(cluster, 'secrets/kms-ring'))).mode & 0o777, 0o600);
}

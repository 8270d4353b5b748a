import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { connect, decodeSpec, Osconfig } from '@nodecore/api';
import { partitions } from '@nodecore/block';
import { consoleFile, consoleSays, consoleTail, Machine } from '@nodecore/machine';
import { metaTag, readMeta } from '@nodecore/meta';
import * as pki from '@nodecore/pki';
import { output, program, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import { systemClock } from '@nodecore/waiting';

import { directBoot } from '../src/node-image.ts';
import { waitForVolumes } from '../src/node/volumes.ts';
import { menuOf } from '../src/power-cut/boot-states.ts';
import { memoryOf, memoryWords } from '../src/system/memory.ts';
import { cutInstallations } from './install-states.ts';
import { installFromCd } from './install-story.ts';
import { osctlHere } from './osctl.ts';
import { cutResets, resetRecorded } from './reset-story.ts';
import { restartsPastFirmware } from './kexec-check.ts';
import { stopwatch } from './stopwatch.ts';

const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const entry = 'nodeos-1.14.1-1.efi';
/** What chronyd says when it starts. */
const chronydStart = / chronyd version \S+ starting /;

/** The sizes of what an image is made of, MiB. */
function partWords(parts: Readonly<Record<string, unknown>>): string {
  const sizes = Object.entries(parts).flatMap(([name, part]) =>
    part instanceof View ? [`${name} ${(part.size / 2 ** 20).toFixed(1)} MiB`] : [],
  );
  return sizes.join(', ');
}

/** A place for what is written to a disk from now on. */
async function beginReset(
  parent: string,
  disk: string,
): Promise<{ readonly directory: string; readonly base: string; readonly record: string }> {
  const directory = join(parent, 'reset');
  const [base, record] = [join(directory, 'base.raw'), join(directory, 'record')];
  await mkdir(directory);
  await output(['cp', '--sparse=always', disk, base]);
  await writeFile(record, '');
  return { directory, base, record };
}

testWith(
  program('qemu-system-x86_64'),
  program('mtype'),
  program('mksquashfs'),
)(
  'a machine that was started from a CD is told over its API to install itself, starts from its disk by itself, is what it was told to be, and shows the logs of one boot in the next; a power cut would have left no half of it, and none of its reset',
  async (t) => {
    t.timeout(1_200_000);
    const installed = await installFromCd(t);
    const { directory, disk, uki, ca, endpoint } = installed;
    t.teardown(async () => {
      if (!t.passed) t.log(await consoleTail(directory));
    });
    t.regex(installed.told, /The node installs itself first/u);
    t.is(installed.reason, 'guest-reset');
    await using machine = await Machine.open(installed.spec, { directory });
    const lap = stopwatch(t);
    await machine.powerOn();
    await consoleSays(directory, 'nodecore: configuration is active', AbortSignal.timeout(500_000));
    lap('from power on, by the firmware, until its configuration is active');
    const said = await readFile(join(directory, consoleFile), 'latin1');
    t.regex(said, /starting Boot[0-9A-F]{4} "nodeos" from HD\(1,GPT,.*\\EFI\\systemd\\systemd-bootx64\.efi/u);
    const { crt, key: clientKey } = await pki.issueClient(ca, { roles: ['os:admin'] });
    const client = connect({ endpoint, ca: ca.crt, crt, key: clientKey });
    t.teardown(() => client.close());
    const status = async (): Promise<unknown> => {
      const { resource } = await client.get({
        type: 'UnattendedInstallStatuses.runtime.nodecore.dev',
        namespace: 'runtime',
        id: 'install',
      });
      return decodeSpec(resource?.spec ?? new Uint8Array());
    };
    let phase: unknown;
    while (phase === undefined && machine.state === 'running') phase = await status().catch(() => undefined); // no address yet
    t.deepEqual(phase, { phase: 'installed' });
    const osconfig = join(directory, 'osconfig');
    const config = Osconfig.empty(osconfig);
    config.set('installed', { ca: ca.crt, crt, key: clientKey, endpoints: [endpoint] });
    config.use('installed');
    await writeFile(osconfig, config.encode());
    const osctl = osctlHere(osconfig);
    const chronydLog = async (): Promise<string> => {
      await systemClock.sleep(500); // each question costs the node a connection
      return (await osctl('-n', endpoint, 'logs', 'chronyd', '--raw')).stdout;
    };
    let logged = '';
    while (!chronydStart.test(logged) && machine.state === 'running') logged = await chronydLog();
    // Logs outlive the boot as soon as EPHEMERAL is made; one that was only begun is made anew.
    await waitForVolumes(client, ['STATE', 'EPHEMERAL'], () => {}, AbortSignal.timeout(300_000));
    const printed = async (...words: readonly string[]): Promise<string> => (await osctl(...words)).stdout;
    t.log(`memory of the idle node: ${memoryWords(await memoryOf(printed, endpoint, directory))}`);
    t.log(`image: ${partWords({ ...installed.image, 'boot image': uki })}`);
    await restartsPastFirmware(t, { machine, directory, endpoint, osctl });
    lap('a reboot past the firmware, until it answers');
    await machine.powerOff({ graceMs: 60_000 });

    const table = await partitions.read(disk);
    t.deepEqual(
      table?.partitions.map(({ label }) => label),
      ['EFI', 'META', 'STATE', 'EPHEMERAL'],
    );
    const sha256 = (await uki.digest('sha256')).toString('hex');
    t.deepEqual(await menuOf(disk), new Map([[entry, sha256]]));
    await using stored = await open(disk);
    const bytes = Buffer.alloc(1 << 20);
    await stored.read(bytes, 0, bytes.length, Number(table?.partitions[1]?.offset));
    const { values } = readMeta(bytes);
    t.is(Buffer.from(values.get(12) ?? []).toString(), 'of the medium');
    t.like(JSON.parse(Buffer.from(values.get(metaTag.bootRecord) ?? []).toString()), { sequence: 1 });

    // The disk once more; what the firmware makes of it was shown above.
    await machine.close();
    const { variableStore: _, ...spec } = installed.spec;
    const boot = await directBoot(directory, installed.image);
    const reset = await beginReset(directory, disk);
    const disks = spec.disks.map((each, number) => (number === 0 ? { ...each, record: reset.record } : each));
    await using again = await Machine.open({ ...spec, disks, firmware: 'bios', boot }, { directory });
    lap('all that was asked of it, and its end');
    await again.powerOn();
    await consoleSays(directory, 'nodecore: configuration is active', AbortSignal.timeout(500_000));
    lap('the same without firmware');
    const isBoth = (text: string): boolean =>
      text.startsWith(logged) && chronydStart.test(text.slice(logged.length));
    let ofBoth = '';
    while (!isBoth(ofBoth) && again.state === 'running') ofBoth = await chronydLog();
    t.true(isBoth(ofBoth), `${logged}\n--- after the next boot:\n${ofBoth}`);
    await waitForVolumes(client, ['EPHEMERAL'], () => {}, AbortSignal.timeout(300_000));
    const asked = await resetRecorded(t, { machine: again, client, disk, record: reset.record });

    t.log(`NODECORE_SEED=${seed}`);
    for await (const { state, isPromised, kept } of cutResets({ ...reset, ...asked }, { most: 5, seed })) {
      t.log(`${state}: ${isPromised ? 'goes on' : `${kept.length} there`}`);
      t.true(isPromised || kept.length !== 1, `${state}: it is half wiped`);
    }
    for await (const { state, found, menu } of cutInstallations(installed, { most: 5, seed })) {
      t.not(found, 'occupied', `${state}: the next installation would need somebody's consent`);
      if (found === 'system') t.deepEqual(menu, new Map([[entry, sha256]]), state);
    }
  },
);

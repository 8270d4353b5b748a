import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { diskImage } from '@nodecore/image';
import { consoleSays, Machine } from '@nodecore/machine';
import { agentCommand } from '@nodecore/release';
import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';

import { nodeSecrets } from '../src/node/credentials.ts';
import { directBoot, nodeImage } from '../src/node-image.ts';
import { freePort } from './agent-node.ts';
import { osctlHere, type OsctlResult } from './osctl.ts';
import { hostAddress, nameServerName, rigServers, timeServerName } from './rig-servers.ts';

const head = (kind: string): string => `---\napiVersion: v1alpha1\nkind: ${kind}\n`;

const resolver = (serverName: string): string =>
  `${head('ResolverConfig')}nameservers: [{address: ${hostAddress}, protocol: DoT, tlsServerName: ${serverName}}]\nhostDNS: {enabled: true}\n`;

const trusted = (authority: string): string =>
  `${head('TrustedRootsConfig')}name: rig\ncertificates: |\n${authority.replaceAll(/^/gmu, '  ').trimEnd()}\n`;

/** What is seen from inside when it is there, and when it is gone. */
const documents = [
  `${head('VolumeConfig')}name: EPHEMERAL\nprovisioning: {minSize: 512MiB, maxSize: 1GiB}\n`,
  `${head('SysctlConfig')}params: {vm.swappiness: 11, kernel.absent: 1}\n`,
  `${head('ZswapConfig')}maxPoolPercent: 13\n`,
  `${head('KernelModuleConfig')}name: zram\nparameters: [num_devices=2]\n`,
  `${head('EtcFileConfig')}name: motd.d/managed\nmode: 0o600\ncontents: managed by a document\n`,
  `${head('StaticHostConfig')}name: 10.9.8.7\nhostnames: [registry.example]\n`,
  `${head('HostnameConfig')}hostname: documented.example.org\n`,
  resolver(nameServerName),
  `${head('WatchdogTimerConfig')}device: /dev/watchdog9\n`,
  `${head('TimeSyncConfig')}ntp: {servers: [${timeServerName}], useNTS: true}\n`,
  `${head('FilesystemScrubConfig')}interval: 10s\n`,
  `${head('UdevRulesConfig')}rules:\n  - 'KERNEL=="vda", SUBSYSTEM=="block", MODE="0640", SYMLINK+="managed/%k"'\n`,
];

/** So far behind is a machine that was paused: less than chronyd steps for, and more than a jump is told by. */
const [pausedMs, jumpMs] = [300, 100];

/**
 * The agent itself, which hangs once a document has written one of these files: it is stopped, or its loop does not turn any more. It
 * says when the clock jumps: only then is it further from the monotonic one, which goes faster and slower with it (clock_gettime(2)).
 */
const [stoppedFile, busyFile] = ['motd.d/stopped', 'motd.d/busy'];
const stoppable = `
import { existsSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
let aheadMs;
const compare = () => {
  const before = performance.now();
  const nowAheadMs = Date.now() - before;
  if (performance.now() - before > 5) return; // it had to wait in between
  if (Math.abs(nowAheadMs - aheadMs) > ${jumpMs}) console.log('the clock jumps by ' + Math.round(nowAheadMs - aheadMs) + ' ms');
  aheadMs = nowAheadMs;
};
if (isMainThread) setInterval(compare, 100);
const hangs = {
  '${stoppedFile}': () => process.kill(process.pid, 'SIGSTOP'),
  '${busyFile}': () => { for (;;); },
};
const look = () => {
  for (const [file, hang] of Object.entries(hangs)) {
    const mark = '/run/' + file.replace('/', '-');
    if (!existsSync('/etc/' + file) || existsSync(mark)) continue;
    writeFileSync(mark, ''); // the agent that takes its place does not
    setTimeout(hang, 2000);
  }
};
if (isMainThread) setInterval(look, 1000);
`;

const pollMs = 500;

/** The machine's clock is wrong by so much when it is switched on: less than certificates forgive, more than is corrected in silence. */
const wrongMs = 30 * 60_000;

/** A CD that says a part of the configuration, as a platform does. */
async function configurationMedium(directory: string, text: string): Promise<string> {
  const [content, file] = [join(directory, 'medium'), join(directory, 'medium.iso')];
  await mkdir(content);
  await writeFile(join(content, 'config.yaml'), text);
  await output(['xorriso', '-as', 'mkisofs', '-quiet', '-J', '-R', '-V', 'metal-iso', '-o', file, content]);
  return file;
}

testWith(
  root,
  program('chronyd'),
  program('unbound'),
  program('xorriso'),
  program('qemu-system-x86_64'),
)(
  'documents are made true on a node OS, read back from the kernel, and taken back when they go; an agent that hangs is started again beside its services before the watchdog bites, which a shorter one does',
  async (t) => {
    t.timeout(1_500_000);
    const directory = await temporaryDirectory(t);
    const port = await freePort();
    const image = await nodeImage(
      {
        'usr/local/share/schematic/documents': '',
        'usr/lib/nodeos/stoppable.mjs': stoppable,
        'usr/lib/nodeos/agent.arguments': agentCommand('--import', '/usr/lib/nodeos/stoppable.mjs'),
      },
      { extraArguments: ['os.config=metal-iso'] },
    );
    const medium = await configurationMedium(
      directory,
      `${head('SysctlConfig')}params: {kernel.panic: 77}\n`,
    );
    const file = join(directory, 'node.raw');
    const sizeBytes = 4 * 1024 ** 3;
    const esp = { systemdBoot: image.stub, entries: [] };
    await diskImage({ recipe: 'documents', esp, sizeBytes }).writeTo(file);
    await using machine = await Machine.open(
      {
        name: 'documents',
        uuid: randomUUID(),
        firmware: 'bios',
        tpm: 'none',
        memoryMib: 1024,
        cpus: 1,
        clock: new Date(Date.now() + wrongMs),
        durability: 'none',
        watchdog: 'reset',
        disks: [
          { driver: 'virtio', sizeBytes, serial: 'SYSTEM', file },
          { driver: 'virtio', sizeBytes: (await stat(medium)).size, serial: 'MEDIUM', file: medium },
        ],
        boot: await directBoot(directory, image),
        nics: [{ backend: { kind: 'user', restricted: false, forwards: [{ host: port, guest: 50_000 }] } }],
      },
      { directory },
    );
    const { authority } = await rigServers(t, directory);
    const secrets = await nodeSecrets('virtual-node', directory, port);
    const osctl = osctlHere(secrets.osconfig);
    const node = ['-n', `127.0.0.1:${port}`];
    await machine.powerOn();
    await consoleSays(directory, 'nodecore: maintenance', AbortSignal.timeout(400_000));

    const lateMs = 300_000; // of a test that would wait for what does not come
    const machineDocument = await readFile(secrets.controlplane, 'utf8');
    const apply = async (texts: readonly string[], ...words: readonly string[]): Promise<OsctlResult> => {
      const path = join(directory, 'node.yaml');
      await writeFile(path, [machineDocument.trimEnd(), ...texts].join('\n'), { mode: 0o600 });
      return await osctl(...node, 'apply-config', ...words, '-f', path);
    };
    /** Asks until the answer is as it shall be, for five minutes. */
    const until = async (words: readonly string[], expected: RegExp): Promise<string> => {
      const late = Date.now() + lateMs;
      for (;;) {
        const { stdout, stderr } = await osctl(...node, ...words);
        if (expected.test(stdout + stderr)) return stdout;
        if (machine.state !== 'running' || Date.now() > late)
          throw new Error(`${words.join(' ')} is not ${expected}: ${stdout}${stderr}`);
        await systemClock.sleep(pollMs); // each question costs the node a connection
      }
    };
    const wanted = [...documents, trusted(authority)];
    let applied = await apply(wanted, '--insecure');
    while (
      applied.code !== 0 &&
      machine.state === 'running' &&
      /ECONN|reach|UNAVAILABLE/i.test(applied.stderr)
    ) {
      await systemClock.sleep(pollMs); // no address yet
      applied = await apply(wanted, '--insecure');
    }
    t.is(applied.code, 0, applied.stderr);

    // What the agent read back from the kernel and from the files, not what it wrote.
    await until(['get', 'sysctls'], /proc\.sys\.vm\.swappiness +\d+ +11 +60 +false/);
    await until(['get', 'sysctls'], /proc\.sys\.kernel\.panic +\d+ +77 /); // the medium's part
    const parameters = await until(['get', 'sysctls'], /max_pool_percent +\d+ +13 +20 +false/);
    t.regex(parameters, /proc\.sys\.kernel\.absent.*this kernel has no such setting/);
    await until(['get', 'modules'], /zram +\d+ +module +live/);
    await until(['get', 'loadedkernelmodules'], /loop +\d+ [\s\S]*zram +\d+ [\s\S]*is deprecated/);
    await until(['get', 'udevrules', '-o', 'json'], /"devices": ?\[\s*"vda"\s*\](?![\s\S]*"error")/);
    await until(['get', 'hostname'], /documented +example\.org/);
    await until(['get', 'etcfiles'], /motd\.d\/managed +\d+ +0o600 +21/);
    await until(['get', 'etcfiles'], /hosts +\d+ +0o644/);
    await until(['get', 'resolvers'], /10\.0\.2\.2.*example\.org.*true/);
    await until(['get', 'watchdogtimerstatuses'], /\/dev\/watchdog9.*ENOENT/);
    await until(['get', 'scrubs'], /EPHEMERAL .*\/var +10 .*impossible +xfs_scrub is not on this node/);
    // Set by a real server that proves who it is, in one jump, and kept since; the machine's own word for when that was is ours again.
    const time = await until(['get', 'timestatus', 'node', '-o', 'json'], /"synced": ?true/);
    t.regex(time, /"source": ?"10\.0\.2\.2"/);
    t.regex(time, /"epoch": ?1\b/);
    const [, offset = 'none'] = /"offsetSeconds": ?(-?[\d.e+-]+)/.exec(time) ?? [];
    t.true(Math.abs(Number(offset)) < 0.5, time);
    // Nobody but the server of names knows that one's name, and it is asked over TLS alone; an answer that
    // emulation made late is counted beside it.
    await until(['get', 'dnsupstreams'], /#000 .* true +DoT 10\.0\.2\.2 \(dns\.rig\.test\) +[1-9]\d* +\d+\b/);
    const asked = await osctl(...node, 'time', '--check', timeServerName);
    t.regex(asked.stdout, /time\.rig\.test \(10\.0\.2\.2\)/, asked.stderr);
    const [, updated = ''] = /"updated": ?"([^"]+)"/.exec(time) ?? [];
    const differenceMs = Math.abs(Date.parse(updated) - Date.now());
    t.true(differenceMs < 5 * 60_000, `${updated} is wrong by ${differenceMs} ms`);

    const gone = await apply(documents.slice(0, 1));
    t.is(gone.code, 0, gone.stderr);
    const empty = /^(?!.*(?:swappiness|managed|vda|EPHEMERAL|watchdog9|10\.0\.2\.2))/s;
    for (const type of [
      'sysctls',
      'etcfiles',
      'udevrules',
      'scrubs',
      'watchdogtimerstatuses',
      'dnsupstreams',
    ])
      await until(['get', type], empty);
    await until(['get', 'hostname'], /node-[0-9a-f]{8}/);
    await until(['get', 'resolvers'], /10\.0\.2\.3 .*false/); // that of DHCP
    await until(['get', 'timestatus', 'node', '-o', 'json'], /^(?![\s\S]*"(?:source|name)": ?"10\.0\.2\.2")/);
    // Asked for again, each parameter says what it was before: the value that came back.
    const other = [
      `${head('SysctlConfig')}params: {vm.swappiness: 12}\n`,
      resolver('dns.else.test'),
      `${head('TimeSyncConfig')}ntp: {servers: [${hostAddress}]}\n`,
    ];
    await machine.pause();
    await systemClock.sleep(pausedMs);
    await machine.resume();
    const behindMs = async (): Promise<number> => {
      const words = ['time', '--check', hostAddress, '-o', 'jsonpath={.offsetMicros}'];
      return Number(await until(words, /^-?\d+\s*$/)) / 1000;
    };
    const firstMs = await behindMs();
    t.true(firstMs > pausedMs * 0.75 && firstMs < 1000, `${firstMs} ms behind`);
    const kept = [...documents.slice(0, 1), ...other, trusted(authority)];
    await apply(kept);
    await until(['get', 'sysctls'], /proc\.sys\.vm\.swappiness +\d+ +12 +60 +false/);
    // A certificate for another name: nothing is asked, and not in clear either.
    await until(['get', 'resolvers'], /10\.0\.2\.2.*true/);
    const unknown = await osctl(...node, 'time', '--check', timeServerName);
    t.regex(unknown.stdout + unknown.stderr, /time\.rig\.test.*has no address/);
    await until(
      ['get', 'dnsupstreams'],
      /dns\.else\.test\) .*its certificate is not trusted: ERR_TLS_CERT_ALTNAME_INVALID/,
    );

    // Made up for by a clock that goes faster: the only jump was that of the first documents.
    const late = Date.now() + lateMs;
    let lastMs = await behindMs();
    while (Math.abs(lastMs) > jumpMs / 2 && Date.now() < late) {
      await systemClock.sleep(pollMs);
      lastMs = await behindMs();
    }
    t.true(Math.abs(lastMs) <= jumpMs / 2, `${firstMs} ms became ${lastMs} ms`);
    const jumps = Array.from(
      (await readFile(join(directory, 'console.log'), 'latin1')).matchAll(/the clock jumps by (-?\d+) ms/g),
      ([, ms]) => Number(ms),
    );
    t.is(jumps.length, 1, jumps.join());
    t.true(Math.abs((jumps[0] ?? 0) + wrongMs) < 5 * 60_000, jumps.join());

    const hangs = async (seconds: number, name: string): Promise<void> => {
      const watchdog = `${head('WatchdogTimerConfig')}device: /dev/watchdog0\ntimeout: ${seconds}s\n`;
      const watched = [...kept, watchdog];
      t.is((await apply(watched)).code, 0);
      await until(['get', 'watchdogtimerstatuses'], new RegExp(`/dev/watchdog0 +${seconds}\\b`));
      await apply([...watched, `${head('EtcFileConfig')}name: ${name}\ncontents: now\n`]);
    };
    const pids = async (): Promise<readonly string[]> =>
      (await until(['get', 'servicepids', '-o', 'json'], /"pid"/)).match(/"pid": ?\d+/g) ?? [];
    const before = await pids();
    await hangs(30, stoppedFile);
    await consoleSays(directory, 'the agent is started again in', AbortSignal.timeout(300_000));
    const why =
      /agent +failed: the agent was ended because it was silent for 20 s, and PID 1 has started it again/;
    await until(['events', '--tail', '-1', '--follow=false'], why);
    await until(['get', 'watchdogtimerstatuses'], /\/dev\/watchdog0 +30\b/);
    const goesOn = await until(['service'], / process \d+ goes on/);
    t.deepEqual(await pids(), before, goesOn);
    t.is(goesOn.match(/ process \d+ goes on/g)?.length, before.length, goesOn);

    await hangs(10, busyFile);
    await machine.stopped();
    const console = await readFile(join(directory, 'console.log'), 'latin1');
    t.is(machine.reason, 'guest-reset', console.slice(-2000));
    t.regex(console, /\/dev\/watchdog0 bites when the start hangs for 300 s[\s\S]*nodecore: maintenance/);
    t.regex(console, /the agent is silent: \/dev\/watchdog0 is not fed/);
    t.regex(console, /the agent has been silent for 20 s: it is ended with a report/);
    t.is(
      console.split('the agent is started again').length,
      2,
      'nobody else than the hardware has ended the machine',
    );
    t.notRegex(console, /Kernel panic/);
  },
);

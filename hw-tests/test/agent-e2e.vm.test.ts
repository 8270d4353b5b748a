import { connect } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import { RigMachine } from '../src/index.ts';
import {
  freePort,
  install,
  NodeAgent,
  nodeDocuments,
  nodeSpec,
  nodeVolumes,
  volumesReady,
} from './agent-node.ts';
import { checkCaptures } from './capture-check.ts';
import { checkReset } from './reset-check.ts';
import { checkCgroups } from './cgroup-check.ts';
import { checkCommands } from './command-check.ts';
import { checkWatches } from './watch-check.ts';

const uuid = 'd2b1c3a4-5e6f-4708-9a1b-2c3d4e5f6071';

async function text(machine: RigMachine, ...argv: readonly [string, ...string[]]): Promise<string> {
  const { code, stdout, stderr } = await machine.run(argv);
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${code}: ${stderr.toString()}`);
  return stdout.toString();
}

/** What cryptsetup, which knows nothing of us, reads from the device. */
async function checkHeader(t: ExecutionContext, machine: RigMachine, device: string): Promise<void> {
  const dump = await text(machine, 'cryptsetup', 'luksDump', device);
  t.regex(dump, /^Version:\s+2$/m);
  t.regex(dump, /^\s+cipher: aes-xts-plain64$/m);
  t.regex(dump, /^\s+sector: 4096 \[bytes\]$/m);
  t.regex(dump, /^\s+Key:\s+512 bits$/m);
  const flags = /^Flags:(.*)$/m.exec(dump)?.[1]?.trim().split(/\s+/).sort();
  t.deepEqual(flags, ['allow-discards', 'no-read-workqueue', 'no-write-workqueue']);
  t.deepEqual(
    [...dump.matchAll(/^ {2}(\d+): luks2$/gm)].map(([, slot]) => slot),
    ['0', '3'],
  );
  const opened = await machine.run(['cryptsetup', 'open', '--test-passphrase', '--key-slot', '3', device], {
    input: Buffer.from('a passphrase of the test'),
  });
  t.is(opened.code, 0, opened.stderr.toString());
}

test('a blank machine gets its configuration, has its volumes, and has them again after a reboot', async (t) => {
  t.timeout(1_400_000);
  const port = await freePort();
  const ca = await pki.createCA('nodecore');
  const documents = Buffer.from(nodeDocuments(ca));
  await using machine = await RigMachine.boot(nodeSpec({ name: 'agent-e2e', uuid, port }));
  await install(machine);
  const first = await NodeAgent.start(machine, port);
  t.teardown(() => {
    if (!t.passed) t.log(first.lines.slice(-40).join('\n'));
  });

  using stranger = first.anybody();
  t.true((await stranger.version()).maintenance);
  const started = performance.now();
  const reply = await stranger.applyConfiguration({ data: documents }, { timeoutMs: 180_000 });
  t.true(reply.durable);
  using admin = await first.as('os:admin', ca);
  const before = await volumesReady(admin, nodeVolumes);
  t.log(`configuration to ready: ${((performance.now() - started) / 1000).toFixed(1)} s`);

  using reader = await first.as('os:reader', ca);
  await t.throwsAsync(reader.applyConfiguration({ data: documents }), { code: 'ERR_API_DENIED' });
  using nobody = connect({ endpoint: `127.0.0.1:${port}`, insecure: true });
  await t.throwsAsync(nobody.version(), { code: 'ERR_API_UNAUTHENTICATED' });

  const { mounts } = await reader.mounts();
  const mounted = new Map(mounts.map((mount) => [mount.target, mount]));
  t.is(mounted.get('/var/mnt/fast')?.type, 'xfs');
  t.is(mounted.get('/var/mnt/fast')?.source, '/dev/mapper/luks2-u-fast');
  t.is(mounted.get('/var/mnt/plain')?.type, 'ext4');
  t.is(mounted.get('/system/state')?.source, '/dev/mapper/luks2-STATE');
  await checkCgroups(t, machine, reader);
  const captured = performance.now();
  await checkCaptures(t, machine, port, ca);
  t.log(`captures: ${((performance.now() - captured) / 1000).toFixed(1)} s`);
  const asked = performance.now();
  await checkCommands(t, machine, port, ca);
  t.log(`commands: ${((performance.now() - asked) / 1000).toFixed(1)} s`);
  const watched = performance.now();
  await checkWatches(t, admin, port, ca);
  t.log(`watches: ${((performance.now() - watched) / 1000).toFixed(1)} s`);
  await checkHeader(t, machine, before.get('u-fast')?.location ?? '');
  for (const name of ['fast', 'plain'])
    await text(machine, 'sh', '-c', `echo ${name} > /var/mnt/${name}/file`);

  t.is(await first.stop(), 0, first.lines.slice(-20).join('\n'));
  t.notRegex(await text(machine, 'cat', '/proc/mounts'), /\/var\/mnt|\/system\/state/);
  t.is((await text(machine, 'dmsetup', 'ls')).trim(), 'No devices found');
  await machine.powerOff();

  await machine.boot();
  const second = await NodeAgent.start(machine, port);
  t.teardown(() => {
    if (!t.passed) t.log(second.lines.slice(-40).join('\n'));
  });
  using again = await second.as('os:reader', ca);
  const after = await volumesReady(again, nodeVolumes);
  for (const id of nodeVolumes) t.is(after.get(id)?.partitionUUID, before.get(id)?.partitionUUID, id);
  for (const name of ['fast', 'plain']) {
    t.is(await text(machine, 'cat', `/var/mnt/${name}/file`), `${name}\n`);
  }
  t.false((await again.version()).maintenance);
  await checkReset(t, { machine, agent: second, ca, documents });
  t.false([...first.lines, ...second.lines].some((line) => line.includes('a passphrase of the test')));
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { RemoteClusters, type RemoteRequest } from '@nodecore/clusters/remote';
import { Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import type { Command } from 'commander';

import { bareFlags, hostFlags, imageFlags, isOwn, textFlags } from '../src/remote/flag-kinds.ts';
import { commandsFromAfar } from '../src/remote/perform.ts';
import { osctl } from './command-line.ts';
import { launchServer } from './remote-server.ts';
import { everyCommand, wholeProgram } from './whole-program.ts';

test('commands about clusters are run where the endpoint says, with its words and exit codes', async (t) => {
  const { flags, token, said } = await launchServer(t);
  const listed = await osctl(['cluster', 'list', '-o', 'json', ...flags]);
  t.deepEqual(listed, { code: 0, out: '[]\n', error: '' });
  const missing = await osctl(['cluster', 'show', '--name', 'nothing', ...flags]);
  t.is(missing.code, 3);
  t.regex(missing.error, /^osctl: no cluster nothing in .*state\/clusters: there is none\n$/);
  const wrong = await osctl([
    'cluster',
    'create',
    'vm',
    '--workers',
    'many',
    '--disks',
    'floppy:1',
    ...flags,
  ]);
  t.is(wrong.code, 2);
  t.regex(wrong.error, /--workers many.*"floppy" is none of/);
  t.is(said().split(token).length, 2, 'the token is shown once');
});

test('what is missing or wrong about the other computer is said before anything is sent to it', async (t) => {
  const { endpoint, fingerprint, flags, directory } = await launchServer(t);
  const to = `--remote-endpoint=${endpoint}`;
  const env = { OSCTL_REMOTE_TOKEN: 'another-token-of-some-length' };
  for (const [more, code, words] of [
    [[to], 2, /give --remote-fingerprint/],
    [['--remote-fingerprint=x'], 2, /give --remote-endpoint, too/],
    [[to, `--remote-fingerprint=${fingerprint}`], 4, /token is missing, or another one/],
    [[...flags.slice(0, 1), `--remote-fingerprint=${'0'.repeat(64)}`, ...flags.slice(2)], 4, /fingerprint/],
    [['--remote-endpoint=127.0.0.1:1', ...flags.slice(1)], 5, /127\.0\.0\.1:1/],
    [['--remote-endpoint=127.0.0.1', ...flags.slice(1)], 2, /host:port/],
  ] as const) {
    const outcome = await osctl(['cluster', 'create', 'dev', ...more], { env });
    t.is(outcome.code, code, outcome.error);
    t.regex(outcome.error, words);
  }
  t.deepEqual(await readdir(join(directory, 'artifacts')), []);
  const absent = await osctl(['cluster', 'create', 'dev', '--iso-path', '/no/such.iso', ...flags]);
  t.is(absent.code, 2);
  t.regex(absent.error, /--iso-path: ENOENT.*\/no\/such\.iso/);
});

test('a caller names no file of the other computer, and no command but those of clusters', async (t) => {
  const { endpoint, token, fingerprint, directory } = await launchServer(t);
  const trust = { fingerprint };
  using remote = new RemoteClusters({ endpoint, token: Secret.take(Buffer.from(token)), trust });
  const codeOf = async (request: Partial<RemoteRequest>): Promise<number | string | undefined> => {
    const whole = { words: ['create', 'vm'], arguments: [], flags: [], ...request };
    try {
      for await (const { end } of remote.run(whole)) if (end !== undefined) return end.exitCode;
      return undefined;
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  };
  const refused = 'ERR_CLUSTER_REQUEST';
  for (const [name, value] of [
    ['state', '/tmp'],
    ['osconfig', '/root/.os/config'],
    ['image-cache-path', '/etc'],
    ['extra-uefi-search-paths', '/etc'],
    ['remote-endpoint', 'elsewhere:1'],
    ['config-patch', '@/etc/shadow'],
    ['image-factory-auth', '@/etc/shadow'],
    ['iso-path', '/etc/shadow'],
    ['image', 'oci:/etc'],
    ['mount', 'type=bind,source=/etc,target=/x'],
    ['disk-image-path', 'artifact:../../../etc/shadow'],
    ['iso-path', 'file:///etc/shadow'],
    ['name', '../x'],
    ['name=x --state', '/tmp'],
  ] as const)
    t.is(await codeOf(withFlag(name, value)), refused, name);
  t.is(await codeOf(withFlag('disk-image-path', `artifact:${'0'.repeat(64)}`)), 'ERR_CLUSTER_NOT_FOUND');
  t.is(await codeOf(withFlag('cidr', '', true)), refused, 'it would take the next flag for its value');
  for (const words of [['doors'], ['create', 'all'], ['list', '--state=/tmp'], [], ['..']])
    t.is(await codeOf({ words }), refused, words.join(' '));
  // What stands behind the flags is never one of them.
  t.is(await codeOf({ words: ['logs'], arguments: ['--state=/tmp'] }), 3);
  t.deepEqual((await readdir(directory)).toSorted(), ['artifacts', 'credentials']);
});

test('the server refuses what it can’t listen at or take for a certificate, in words about its flags', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [more, words] of [
    [['--listen', 'nowhere'], /--listen nowhere: host:port/],
    [['--listen', '192.0.2.1:1'], /--listen 192\.0\.2\.1:1: /],
    [['--tls-cert-file', '/etc/hostname'], /go together/],
    [['--max-cache', 'much'], /--max-cache much: a size/],
  ] as const) {
    const { code, error } = await osctl(['remote-provision-launch', '--state-dir', directory, ...more]);
    t.is(code, 2, error);
    t.regex(error, words);
  }
});

function withFlag(name: string, value: string, bare = false): Pick<RemoteRequest, 'flags'> {
  return { flags: [{ name, value, bare }] };
}

test('every flag that names a file, or stands alone, says what it is from afar', async (t) => {
  const cluster = (await wholeProgram()).commands.find((command) => command.name() === 'cluster');
  const served = everyCommand(cluster!).filter((command) => commandsFromAfar.has(pathBelowCluster(command)));
  t.is(served.length, commandsFromAfar.size);
  for (const command of served)
    for (const option of command.options) {
      const name = option.long!.slice(2);
      const where = `${pathBelowCluster(command)} ${option.flags}`;
      if (/<(?:file|directory|path|dir)\b/.test(option.flags))
        t.true(imageFlags.has(name) || hostFlags.has(name) || isOwn(name), where);
      if (/@<file>/.test(option.description)) t.true(textFlags.has(name), where);
      if (option.isBoolean()) t.true(bareFlags.has(name) || isOwn(name), where);
    }
});

function pathBelowCluster(command: Command): string {
  const words: string[] = [];
  for (let next: Command | null = command; next !== null && next.name() !== 'cluster'; next = next.parent)
    words.unshift(next.name());
  return words.join(' ');
}

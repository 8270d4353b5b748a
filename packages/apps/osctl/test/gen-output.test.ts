import { execFile } from 'node:child_process';
import {
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import test, { type ExecutionContext } from 'ava';

import { parse } from '@nodecore/config';
import { osctl } from './command-line.ts';

const run = promisify(execFile);

async function directoryFor(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'osctl-gen-output-'));
  t.teardown(() => rm(directory, { recursive: true }));
  return directory;
}

// Keys of 4096 bits take their time: all configurations are of one cluster.
const common = await mkdtemp(join(tmpdir(), 'osctl-gen-secrets-'));
const secrets = join(common, 'secrets.yaml');
await osctl(['gen', 'secrets', '-o', secrets]);
test.after.always(() => rm(common, { recursive: true }));

const config = (...more: readonly string[]) =>
  osctl(['gen', 'config', 'home', 'https://10.0.0.1:6443', '--with-secrets', secrets, ...more]);

test('when one of the files has no room none is written, and what was there stays', async (t) => {
  const directory = await directoryFor(t);
  await writeFile(join(directory, 'controlplane.yaml'), 'former');
  await mkdir(join(directory, 'worker.yaml.part')); // its part can not be made
  const { code, error } = await config('-o', directory, '--force');
  t.is(code, 1);
  t.true(error.startsWith(`osctl: ${join(directory, 'worker.yaml')}: `), error);
  t.false(error.includes('created'));
  t.is(await readFile(join(directory, 'controlplane.yaml'), 'utf8'), 'former');
  t.deepEqual((await readdir(directory)).toSorted(), ['controlplane.yaml', 'worker.yaml.part']);
});

test('a device that is full ends gen with its name', async (t) => {
  const { code, error } = await config('-t', 'worker', '-o', '/dev/full');
  t.is(code, 1);
  t.regex(error, /^osctl: \/dev\/full: ENOSPC/u);
});

test('a device or a pipe is written to as it is, and is what it was, also with --force', async (t) => {
  t.is((await config('-t', 'worker', '-o', '/dev/null', '--force')).code, 0);
  t.true((await stat('/dev/null')).isCharacterDevice());
  const pipe = join(await directoryFor(t), 'pipe');
  await run('mkfifo', [pipe]);
  const [text, { code, error }] = await Promise.all([
    readFile(pipe, 'utf8'),
    config('-t', 'worker', '-o', pipe, '--force'),
  ]);
  t.is(code, 0, error);
  t.is(error, '', 'nothing was created');
  using configuration = parse(text);
  t.is(configuration.machine?.type, 'worker');
  t.true((await stat(pipe)).isFIFO());
});

test('what a descriptor of the process holds is appended to', async (t) => {
  const file = join(await directoryFor(t), 'log');
  await writeFile(file, 'before\n');
  const handle = await open(file, 'a');
  t.teardown(() => handle.close());
  t.is((await config('-t', 'worker', '-o', `/proc/self/fd/${handle.fd}`)).code, 0);
  t.regex(await readFile(file, 'utf8'), /^before\n# Holds the keys/u);
});

test('a link stays a link: the file that it names is replaced; one that leads nowhere is refused', async (t) => {
  const directory = await directoryFor(t);
  const [file, link] = [join(directory, 'file.yaml'), join(directory, 'link.yaml')];
  await writeFile(file, 'former', { mode: 0o644 });
  await symlink('file.yaml', link);
  const refused = await config('-t', 'worker', '-o', link);
  t.is(refused.code, 2);
  t.regex(refused.error, /link\.yaml exists; give --force/u);
  t.is((await config('-t', 'worker', '-o', link, '--force')).code, 0);
  t.true((await lstat(link)).isSymbolicLink());
  t.regex(await readFile(file, 'utf8'), /type: worker/u);
  t.is((await stat(file)).mode & 0o777, 0o600);
  await rm(file);
  const nowhere = await config('-t', 'worker', '-o', link, '--force');
  t.is(nowhere.code, 1);
  t.is(nowhere.error, `osctl: ${link}: it is a link that leads nowhere; what was written before is whole\n`);
  t.deepEqual(await readdir(directory), ['link.yaml']);
});

test('machineconfig migrate writes through a link, too, and leaves no part', async (t) => {
  const directory = await directoryFor(t);
  const [file, link] = [join(directory, 'file.yaml'), join(directory, 'link.yaml')];
  const made = await config('-t', 'worker', '-o', '-', '--os-version', 'v1.11');
  await writeFile(file, made.out);
  await symlink(file, link);
  t.is((await osctl(['machineconfig', 'migrate', file, '-o', link])).code, 0);
  t.true((await lstat(link)).isSymbolicLink());
  t.true((await readFile(file, 'utf8')).includes('kind: OrchKubeletConfig'));
  t.deepEqual((await readdir(directory)).toSorted(), ['file.yaml', 'link.yaml']);
});

test('machines without the orchestrator and the kvstore have no document and no key of them', async (t) => {
  for (const type of ['controlplane', 'worker']) {
    const { code, out, error } = await config('-t', type, '-o', '-', '--skip-orch-kvstore');
    t.is(code, 0, error);
    t.notRegex(out, /Orch|kvstore|forwardKubeDNSToHost/u);
    using configuration = parse(out);
    t.is(configuration.machine?.type, type as 'worker');
    t.is(configuration.machine?.cluster.kvstore, undefined);
    t.is(configuration.machine?.cluster.token, undefined);
  }
  for (const [more, says] of [
    [['--os-version', 'v1.13'], /needs nodes of v1\.14/u],
    [['--with-init-node'], /leaves out/u],
    [['--allow-scheduling'], /--allow-scheduling would be ignored/u],
    [['--orch-version', 'v1.34.0'], /--orch-version would be ignored/u],
    [['--dns-domain', 'a.example'], /--dns-domain would be ignored/u],
  ] as const) {
    const { code, error } = await config('-t', 'worker', '-o', '-', '--skip-orch-kvstore', ...more);
    t.is(code, 2);
    t.regex(error, says);
  }
});

test('--output-dir is a directory, also with one type, and not beside --output', async (t) => {
  const directory = join(await directoryFor(t), 'home');
  t.is((await config('-t', 'worker', '--output-dir', directory)).code, 0);
  t.deepEqual(await readdir(directory), ['worker.yaml']);
  t.is((await config('--output-dir', directory, '-o', directory)).code, 2);
  t.notRegex((await osctl(['gen', 'config', '--help'])).out, /output-dir|skip-orch/u);
});

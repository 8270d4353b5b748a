import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { temporaryDirectory } from '@nodecore/testkit';
import { osctl } from './command-line.ts';

const wireguard = `# the link
apiVersion: v1alpha1
kind: WireguardConfig
name: wg0
privateKey: AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
listenPort: 51820
`;
const route = 'apiVersion: v1alpha1\nkind: BlackholeRouteConfig\nname: 10.9.0.0/16\n';
const sysctl = 'apiVersion: v1alpha1\nkind: SysctlConfig\nparams: {net.ipv4.ip_forward: "1"}\n';
const whole = `${wireguard}---\n${route}---\n${sysctl}`;

test('explain says what a kind and a field are for, and which kinds there are', async (t) => {
  const kind = await osctl(['machineconfig', 'explain', 'SysctlConfig']);
  t.is(kind.code, 0);
  t.regex(kind.out, /^SysctlConfig: .*\n.*\n\nparams /u);
  const field = await osctl(['mc', 'explain', 'UserVolumeConfig.provisioning.maxSize']);
  t.regex(field.out, /^provisioning\.maxSize +bytes \(50GiB\) or a share/u);
  t.is(field.out.split('\n').length, 2);
  const all = await osctl(['machineconfig', 'explain']);
  t.regex(all.out, /^KIND +ABOUT\nBGPInstanceConfig /u);
  t.regex(all.out, /^machine +what makes a machine a member of a cluster$/mu);
});

async function explained(...args: readonly string[]): Promise<readonly object[]> {
  return JSON.parse((await osctl(['mc', 'explain', '-o', 'json', ...args])).out) as object[];
}

test('programs get what explain says of kinds and fields', async (t) => {
  t.true((await explained()).some((each) => 'kind' in each && each.kind === 'SysctlConfig'));
  const path = 'UserVolumeConfig.provisioning.maxSize';
  t.like(await explained(path), [
    { kind: 'UserVolumeConfig', path: 'provisioning.maxSize', need: 'optional' },
  ]);
});

test('explain of what does not exist names what may be meant', async (t) => {
  for (const [path, hint] of [
    ['SysctlConfg', 'there is no kind "SysctlConfg"; did you mean SysctlConfig?'],
    ['SysctlConfig.parms', 'SysctlConfig has no field "parms"; did you mean SysctlConfig.params?'],
    ['toString', 'there is no kind "toString"; osctl machineconfig explain shows all of them'],
    ['machine.moon', 'machine has no field "moon"; osctl machineconfig explain machine shows those it has'],
  ]) {
    const { code, error } = await osctl(['machineconfig', 'explain', path ?? '']);
    t.is(code, 2);
    t.is(error, `osctl: ${hint}\n`);
  }
});

test('split writes a file for each document, which one behind the other are the configuration', async (t) => {
  const directory = join(await temporaryDirectory(t), 'parts');
  const args = ['machineconfig', 'split', '-', '-o', directory, '--json'];
  const { code, out } = await osctl(args, { input: whole });
  t.is(code, 0);
  t.like(JSON.parse(out), [{ file: join(directory, '1-WireguardConfig-wg0.yaml'), secret: true }]);
  const names = (await readdir(directory)).toSorted();
  t.deepEqual(names, [
    '1-WireguardConfig-wg0.yaml',
    '2-BlackholeRouteConfig-10.9.0.0_16.yaml',
    '3-SysctlConfig.yaml',
  ]);
  let joined = '';
  for (const name of names) {
    joined += await readFile(join(directory, name), 'utf8');
    t.is((await stat(join(directory, name))).mode & 0o777, 0o600, name);
  }
  t.is(joined, `---\n${whole}`);
  await writeFile(join(directory, names[2] ?? ''), 'mine');
  const refused = await osctl(['machineconfig', 'split', '-', '-o', directory], { input: whole });
  t.is(refused.code, 2);
  t.regex(refused.error, /exists; give --force to replace it/u);
  t.is(await readFile(join(directory, names[2] ?? ''), 'utf8'), 'mine');
  t.is((await osctl(['machineconfig', 'split', '-', '-o', directory, '-f'], { input: whole })).code, 0);
});

test('no name of a document leads out of the directory', async (t) => {
  const parent = await temporaryDirectory(t);
  const input = 'kind: ../../x\nname: ../../y\n---\nkind: EtcFileConfig\nname: ../../../z\n';
  t.is((await osctl(['machineconfig', 'split', '-', '-o', join(parent, 'a')], { input })).code, 0);
  t.deepEqual(await readdir(parent), ['a']);
  t.deepEqual((await readdir(join(parent, 'a'))).toSorted(), [
    '1-.._.._x-.._.._y.yaml',
    '2-EtcFileConfig-.._.._.._z.yaml',
  ]);
});

test('diff says what is different, hides secrets, and ends with 8 where it is asked to', async (t) => {
  const directory = await temporaryDirectory(t);
  const [before, after, patch] = ['before', 'after', 'patch'].map((name) =>
    join(directory, `${name}.yaml`),
  ) as [string, string, string];
  await writeFile(before, whole);
  await writeFile(
    after,
    `${sysctl.replace('"1"', '"0"')}---\n${wireguard.replace('AAEC', 'BBEC').replace('# the link', '# mine')}`,
  );
  const { code, out } = await osctl(['machineconfig', 'diff', before, after]);
  t.is(code, 0);
  t.deepEqual(out.split('\n'), [
    '~ WireguardConfig/wg0 privateKey: "******" -> "****** (changed)"',
    '- BlackholeRouteConfig/10.9.0.0/16',
    '~ SysctlConfig params."net.ipv4.ip_forward": "1" -> "0"',
    '',
  ]);
  const asked = await osctl(['machineconfig', 'diff', before, after, '--exit-code', '-o', 'json']);
  t.is(asked.code, 8);
  t.is((JSON.parse(asked.out) as unknown[]).length, 3);
  t.is((await osctl(['machineconfig', 'diff', before, before, '--exit-code'])).code, 0);
  const shown = await osctl(['machineconfig', 'diff', before, after, '-o', 'patch', '--patch-file', patch]);
  t.regex(shown.out, /privateKey: "\*{6} \(changed\)"/u);
  t.is((await stat(patch)).mode & 0o777, 0o600);
  const made = join(directory, 'made.yaml');
  t.is((await osctl(['machineconfig', 'patch', before, '-p', `@${patch}`, '-o', made])).code, 0);
  t.is((await osctl(['machineconfig', 'diff', made, after, '--exit-code'])).out, '');
});

test('diff of a configuration that is not valid names the place, and no secret', async (t) => {
  const directory = await temporaryDirectory(t);
  const [good, bad] = [join(directory, 'good.yaml'), join(directory, 'bad.yaml')];
  await writeFile(good, whole);
  await writeFile(bad, whole.replace('listenPort', 'listenPrt'));
  const { code, out, error } = await osctl(['machineconfig', 'diff', good, bad]);
  t.is(code, 1);
  t.is(out, '');
  t.regex(error, /bad\.yaml:6:1: .*unknown field/u);
  t.false(error.includes('AAECAwQF'));
});

test('migrate writes what the root said as documents, and says what it moved and what stays', async (t) => {
  const directory = await temporaryDirectory(t);
  const [file, lean, made] = ['a.yaml', 'secrets.yaml', 'b.yaml'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  t.is((await osctl(['gen', 'secrets', '-o', lean])).code, 0);
  const line = [
    'gen',
    'config',
    'home',
    'https://api.example:6443',
    '-t',
    'controlplane',
    '--os-version',
    'v1.11',
  ];
  t.is((await osctl([...line, '--with-secrets', lean, '-o', file])).code, 0);
  const { code, error, out } = await osctl(['machineconfig', 'migrate', file, '-o', made]);
  t.is(code, 0, error);
  t.is(out, '');
  t.true(error.includes('moved cluster.id to DiscoveryIdentityConfig.clusterID\n'), error);
  t.true(error.includes('moved cluster.controlPlane.endpoint to OrchClusterConfig.endpoint\n'), error);
  t.is((await stat(made)).mode & 0o777, 0o600);
  t.is((await osctl(['validate', '-m', 'metal', made])).code, 0);
  const shown = await osctl(['machineconfig', 'migrate', file]);
  t.regex(shown.out, /clusterSecret: "\*{6}"/u);
  const again = await osctl(['machineconfig', 'migrate', made, '-o', file, '--json']);
  t.deepEqual(JSON.parse(again.out), { moved: [], left: [] });
  t.is(await readFile(file, 'utf8'), await readFile(made, 'utf8'));
  const lacking = await osctl([
    'machineconfig',
    'patch',
    made,
    '-p',
    'kind: OrchClusterConfig\n$patch: delete',
    '-o',
    file,
  ]);
  t.is(lacking.code, 0, lacking.error);
  const half = await osctl([
    'machineconfig',
    'patch',
    file,
    '-p',
    'version: v1alpha1\ncluster: {clusterName: x}',
    '-o',
    file,
  ]);
  t.is(half.code, 0, half.error);
  const left = await osctl(['machineconfig', 'migrate', file, '-o', file]);
  t.is(left.error, 'left cluster.clusterName: OrchClusterConfig endpoint required and missing\n');
  t.is((await osctl(['machineconfig', 'migrate', file, '--json'])).code, 2);
});

test('patch removes what is not there without a word, where it is told to', async (t) => {
  const line = ['machineconfig', 'patch', '-', '-p', 'kind: ZswapConfig\n$patch: delete'];
  const refused = await osctl(line, { input: sysctl });
  t.is(refused.code, 1);
  t.regex(refused.error, /\(patch\.document_missing\)/u);
  const ignored = await osctl([...line, '--ignore-missing'], { input: sysctl });
  t.is(ignored.code, 0, ignored.error);
  t.is(ignored.out, sysctl);
});

test('a directory that can not be made ends split, wherever it is', async (t) => {
  const parent = await temporaryDirectory(t);
  await writeFile(join(parent, 'file'), '');
  for (const directory of ['/proc/nothing', join(parent, 'file', 'below'), join(parent, 'file')]) {
    const { code, error } = await osctl(['machineconfig', 'split', '-', '-o', directory], { input: sysctl });
    t.is(code, 1, directory);
    t.true(error.startsWith(`osctl: ${directory}: E`), error);
  }
  const deep = join(parent, 'a', 'b', 'c');
  t.is((await osctl(['machineconfig', 'split', '-', '-o', deep], { input: sysctl })).code, 0);
  t.is((await stat(join(parent, 'a'))).mode & 0o777, 0o700);
});

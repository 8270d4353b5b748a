import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { command, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import { twoGuests } from '../../lan/test/guests.ts';
import { configurationToken, injectionOf, markConfigured } from '../src/injection.ts';
import { ClusterDirectory, makePlan } from '../src/index.ts';
import { serveConfigurations } from '../src/keeper/configuration-server.ts';
import { tinyRequest } from './requests.ts';

const id = '000102030405060708090a0b0c0d0e0f';

testWith(
  root,
  program('dnsmasq'),
  program('busybox'),
)('a machine gets its own configuration at its own address, until it has it', async (t) => {
  const { lan, directory: home, guests } = await twoGuests(t);
  const request = { ...tinyRequest(home), cidr: '10.5.0.0/24' };
  const plan = makePlan(request, id);
  const directory = new ClusterDirectory(join(home, 'clusters'), request.name);
  await directory.make();
  for (const { name } of plan.nodes) await writeFile(join(directory.secrets, `${name}.yaml`), `of ${name}`);
  serveConfigurations(await lan.listen(8071), directory, plan.nodes);
  const get = async (from: number, path: string): Promise<string> => {
    const url = `http://10.5.0.1:8071/${path}`;
    const { stdout, stderr } = await command(guests[from]!.inside(['busybox', 'wget', '-q', '-O', '-', url]));
    return stdout + stderr;
  };
  const [one, two] = await Promise.all(plan.nodes.map((node) => configurationToken(directory, node)));
  t.not(one, two);
  const [first, second] = plan.nodes;
  t.is(await get(0, `${one}/config.yaml`), `of ${first?.name}`);
  t.is(await get(1, `${two}/config.yaml`), `of ${second?.name}`);
  for (const [from, path] of [
    [1, `${one}/config.yaml`],
    [0, `${two}/config.yaml`],
    [0, `${'0'.repeat(32)}/config.yaml`],
    [0, 'config.yaml'],
    [0, `${one}/../${one}/config.yaml?`],
    [0, ''],
  ] as const)
    t.regex(await get(from, path), /404/, path);
  await markConfigured(directory, first!);
  t.regex(await get(0, `${one}/config.yaml`), /404/);
  t.is(await get(1, `${two}/config.yaml`), `of ${second?.name}`);
  await lan.remove();
});

testWith(program('xorriso'), program('blkid'))(
  'a medium has the configuration under the name that is looked for, for its owner alone, and goes',
  async (t) => {
    const home = await temporaryDirectory(t);
    for (const [injection, files] of [
      ['metal-iso', ['config.yaml']],
      ['cidata', ['meta-data', 'network-config', 'user-data']],
    ] as const) {
      const request = {
        ...tinyRequest(home),
        image: { kernel: '/k', initrd: '/i', arguments: 'os.platform=metal quiet' },
        injection,
      };
      const plan = makePlan(request, id);
      const [node] = plan.nodes;
      const directory = new ClusterDirectory(join(home, injection), request.name);
      await directory.make();
      await mkdir(directory.node(node!));
      await writeFile(join(directory.secrets, `${node?.name}.yaml`), 'a: configuration\n');
      const injected = await injectionOf(plan, node!, directory);
      const words = {
        'metal-iso': 'os.platform=metal quiet os.config=metal-iso',
        cidata: 'quiet os.platform=nocloud',
      };
      t.like(injected?.boot, { kind: 'kernel', arguments: words[injection] });
      const path = join(directory.node(node!), injected?.disks[0]?.file ?? '');
      t.is((await stat(path)).mode & 0o777, 0o600);
      t.is((await output(['blkid', '-p', '-o', 'value', '-s', 'LABEL', path])).trim(), injection);
      const out = join(home, `${injection}-content`);
      await output(['xorriso', '-osirrox', 'on', '-indev', path, '-extract', '/', out]);
      t.deepEqual((await readdir(out)).toSorted(), [...files]);
      const last = files.at(-1) ?? '';
      t.is(await readFile(join(out, last), 'utf8'), 'a: configuration\n');
      t.deepEqual(await readdir(directory.node(node!)), ['configuration.iso'], 'nothing else is left of it');
      await markConfigured(directory, node!);
      t.is(await injectionOf(plan, node!, directory), undefined);
      t.deepEqual(await readdir(directory.node(node!)), []);
    }
  },
);

test('firmware is told of a configuration by a file, and no argument of QEMU has the way to it', async (t) => {
  const home = await temporaryDirectory(t);
  const request = { ...tinyRequest(home), injection: 'http' as const };
  const plan = makePlan(request, id);
  const [node] = plan.nodes;
  const directory = new ClusterDirectory(join(home, 'a,b'), request.name);
  await directory.make();
  await mkdir(directory.node(node!));
  const injected = await injectionOf(plan, node!, directory);
  const file = join(directory.node(node!), 'stub-arguments');
  t.deepEqual(injected, { disks: [], arguments: ['-smbios', `type=11,path=${file.replaceAll(',', ',,')}`] });
  const token = await configurationToken(directory, node!);
  t.is(
    await readFile(file, 'utf8'),
    `io.systemd.stub.kernel-cmdline-extra=os.config=http://${plan.lan?.gateway}:8071/${token}/config.yaml`,
  );
  t.is((await stat(file)).mode & 0o777, 0o600);
  const more = { ...plan, request: { ...request, moreArguments: ['quiet', 'os.debug=1'] } };
  await injectionOf(more, node!, directory);
  t.regex(
    await readFile(file, 'utf8'),
    /^io\.systemd\.stub\.kernel-cmdline-extra=quiet os\.debug=1 os\.config=/,
  );
  await markConfigured(directory, node!);
  t.deepEqual(
    await injectionOf(more, node!, directory),
    injected,
    'its kernel has them at the next start, too',
  );
  t.is(await readFile(file, 'utf8'), 'io.systemd.stub.kernel-cmdline-extra=quiet os.debug=1');
  t.is(await injectionOf(more, node!, directory, true), undefined, 'but for what was installed');
  t.is(
    await configurationToken(new ClusterDirectory(join(home, 'a,b'), request.name), node!),
    token,
    'of the next keeper, too',
  );
});

test('with nothing for the firmware to tell a machine has its medium alone, and its disk needs no command line', async (t) => {
  const home = await temporaryDirectory(t);
  const image = { kernel: '/k', initrd: '/i', arguments: 'quiet' };
  const request = { ...tinyRequest(home), injection: 'http' as const, noStubArguments: true as const };
  const plan = makePlan(request, id);
  const [node] = plan.nodes;
  const directory = new ClusterDirectory(join(home, 'a'), request.name);
  await directory.make();
  await mkdir(directory.node(node!));
  t.deepEqual(await injectionOf(plan, node!, directory), { disks: [], arguments: [] });
  t.deepEqual(await readdir(directory.node(node!)), []);
  const kernel = { ...plan, request: { ...request, image } };
  t.is((await injectionOf(kernel, node!, directory))?.boot?.kind, 'kernel', 'QEMU itself tells it');
  t.false('boot' in ((await injectionOf(kernel, node!, directory, true)) ?? {}));
});

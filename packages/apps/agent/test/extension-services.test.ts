import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from '@nodecore/config';
import { type Json, Store } from '@nodecore/state';
import { type ServiceStatus, Supervisor } from '@nodecore/supervisor';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { ExtensionServices, type ExtensionSettings } from '../src/extension-services/extension-services.ts';
import { extensionsIn } from '../src/extension-services/feature.ts';
import { parseManifest } from '../src/extension-services/manifest.ts';
import { imagePaths } from '../src/image/paths.ts';
import { maintenanceStatuses } from '../src/maintenance/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { services } from '../src/services/feature.ts';

test('a manifest says what runs, and what of it only a container runtime could do', (t) => {
  const manifest = parseManifest(`
name: nut-client
container:
  entrypoint: /usr/local/sbin/upsmon
  args: [-D, 3]
  environment: [A=b=c]
  mounts:
    - { source: /sys, destination: /sys, type: bind, options: [rbind, ro] }
    - { source: none, destination: /tmp, type: tmpfs, options: [noexec] }
  security: { writeableRootfs: true, maskedPaths: [/proc/x] }
depends: [{ service: ext-other }, { path: /run/x }, { network: [addresses] }, { time: true }, { configuration: true }]
restart: untilSuccess
`);
  t.like(manifest, {
    name: 'nut-client',
    argv: ['/usr/local/sbin/upsmon', '-D', '3'],
    environment: { A: 'b=c' },
    restart: 'untilSuccess',
    beyond: [
      'a mount of type tmpfs at /tmp',
      'the mount option noexec at /tmp',
      'a root that it may write to',
      'container.security.maskedPaths',
    ],
  });
  t.deepEqual(manifest.binds[0], { source: '/sys', target: '/sys', readOnly: true });
  t.deepEqual(
    manifest.depends.map(({ kind }) => kind),
    ['service', 'path', 'network', 'time', 'configuration'],
  );
});

test('a manifest that makes no sense is refused with its place', (t) => {
  const entry = 'container: { entrypoint: /x }';
  for (const [text, message] of [
    ['', /the manifest has no fields/u],
    ['name: ../x', /name is no name/u],
    ['name: a', /container has no fields/u],
    ['name: a\ncontainer: {}', /container.entrypoint is no text/u],
    ['name: a\ncontainer: { entrypoint: /x, args: x }', /container.args is no list/u],
    ['name: a\ncontainer: { entrypoint: /x, environment: [x] }', /no NAME=value/u],
    [
      'name: a\ncontainer: { entrypoint: /x, mounts: [{ source: /a, destination: /a/../b }] }',
      /mounts\[0\].destination/u,
    ],
    [
      'name: a\ncontainer: { entrypoint: /x, mounts: [{ source: "/a:b", destination: /a }] }',
      /mounts\[0\].source/u,
    ],
    [`name: a\n${entry}\nrestart: sometimes`, /restart is none of/u],
    [`name: a\n${entry}\ndepends: [{ moon: full }]`, /depends\[0\]/u],
    ['a: &a [x]\nb: *a', /alias/iu],
  ] as const)
    t.throws(() => parseManifest(text), { message }, text);
});

async function scene(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const manifests = join(directory, 'manifests');
  await mkdir(manifests);
  const supervisor = await Supervisor.open({ directory: join(directory, 'services'), tethered: true });
  t.teardown(async () => {
    await supervisor.stop();
    await supervisor[Symbol.asyncDispose]();
  });
  const brought = new ExtensionServices({
    directory: manifests,
    roots: join(directory, 'roots'),
    confinement: [],
    runDirectory: join(directory, 'run'),
    isTimeReady: () => false,
    hasAddress: () => true,
  });
  const write = (name: string, text: string): Promise<void> =>
    writeFile(join(manifests, `${name}.yaml`), text);
  const apply = (...settings: readonly ExtensionSettings[]): Promise<void> =>
    brought.apply(supervisor, new Map(settings.map((each) => [each.name, each])));
  const until = async (id: string, wanted: (status: ServiceStatus) => boolean): Promise<ServiceStatus> => {
    for (let next = supervisor.changed.next(); ; next = supervisor.changed.next()) {
      const found = supervisor.list.find((each) => each.id === id);
      if (found !== undefined && wanted(found)) return found;
      await next;
    }
  };
  return { supervisor, manifests, write, apply, until };
}

test('a service of an extension runs with its variables, and goes with its manifest', async (t) => {
  const { supervisor, manifests, write, apply, until } = await scene(t);
  const container =
    '{ entrypoint: /bin/sh, args: [-c, "echo $A $B; exec sleep 1000"], environment: [A=1, B=2] }';
  await write('a', `name: a\ncontainer: ${container}`);
  await apply({ name: 'a', configFiles: [], environment: ['B=3'] });
  const { pid } = await until('ext-a', ({ state }) => state === 'Running');
  await apply({ name: 'a', configFiles: [], environment: ['B=3'] });
  t.is(supervisor.get('ext-a').status.pid, pid, 'nothing has changed');
  for await (const { data } of supervisor
    .get('ext-a')
    .log.read({ follow: supervisor.get('ext-a').printed })) {
    t.is(Buffer.from(data).toString(), '1 3\n');
    break;
  }
  await rm(join(manifests, 'a.yaml'));
  await apply();
  t.deepEqual(supervisor.list, []);
});

test('one that can not be run says why, and keeps no other from running', async (t) => {
  const { supervisor, write, apply, until } = await scene(t);
  await write('bad', '{');
  await write(
    'beyond',
    'name: beyond\ncontainer: { entrypoint: /x, security: { rootfsPropagation: shared } }',
  );
  await write('good', 'name: good\ncontainer: { entrypoint: sleep, args: [1000] }');
  await write(
    'late',
    'name: late\ncontainer: { entrypoint: sleep, args: [1000] }\ndepends: [{ time: true }]',
  );
  await write('target', 'name: target\ncontainer: { entrypoint: sleep }');
  await apply({
    name: 'target',
    configFiles: [{ content: 'x', mountPath: '/nonexistent/file' }],
    environment: [],
  });
  await until('ext-good', ({ state }) => state === 'Running');
  await until('ext-late', ({ state }) => state === 'Waiting');
  const said = new Map(
    supervisor.list.map(({ id, state, events }) => [id, `${state}: ${events.at(-1)?.message}`]),
  );
  t.regex(said.get('ext-bad')!, /^Failed: bad\.yaml: /u);
  t.is(
    said.get('ext-beyond'),
    'Skipped: there is no container runtime on this node, for mounts that others see',
  );
  t.is(said.get('ext-late'), 'Waiting: for a clock that is right');
  t.regex(said.get('ext-target')!, /^Failed: target\.yaml: there is no \/nonexistent\/file in it/u);
});

function manifestOf(name: string, depends: string): string {
  return `name: ${name}\ncontainer: { entrypoint: /bin/sleep, args: ["1000"] }\ndepends: [${depends}]\n`;
}

test('in maintenance those begin that need no configuration, and with one the others', async (t) => {
  const directory = await temporaryDirectory(t);
  const supervisor = await Supervisor.open({ directory: join(directory, 'services'), tethered: true });
  t.teardown(async () => {
    await supervisor.stop();
    await supervisor[Symbol.asyncDispose]();
  });
  const manifests = join(directory, 'manifests');
  await mkdir(manifests);
  await writeFile(join(manifests, 'a.yaml'), manifestOf('a', ''));
  await writeFile(join(manifests, 'b.yaml'), manifestOf('b', '{ configuration: true }'));
  const store = new Store();
  const context = {
    options: { image: imagePaths },
    store,
    log: pino({ level: 'silent' }),
    runDirectory: join(directory, 'run'),
  };
  const places = { directory: manifests, roots: join(directory, 'roots'), confinement: [] };
  const life = extensionsIn(places).make((needed) =>
    needed === services ? { open: async () => supervisor } : context,
  );
  const stopping = new AbortController();
  const running = life.run?.(stopping.signal);
  const states = (): string => supervisor.list.map(({ id, state }) => `${id} ${state}`).join();
  t.is(states(), '', 'nobody knows yet whether there is a configuration');
  const reach = async (wanted: string): Promise<void> => {
    for (let next = supervisor.changed.next(); states() !== wanted; next = supervisor.changed.next())
      await next;
  };
  const waits: readonly [string, Json][] = [['maintenance', { reason: '' }]];
  store.replace(kindOf(maintenanceStatuses), new Map(waits), 'test');
  await reach('ext-a Running,ext-b Waiting');
  const { pid } = supervisor.get('ext-a').status;
  using configuration = parse(
    'apiVersion: v1alpha1\nkind: ExtensionServiceConfig\nname: b\nenvironment: [A=b]\n',
  );
  life.configure?.({ configuration, previous: [] });
  await reach('ext-a Running,ext-b Running');
  t.is(supervisor.get('ext-a').status.pid, pid, 'what runs goes on');
  stopping.abort();
  await running;
});

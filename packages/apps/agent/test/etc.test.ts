import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from '@nodecore/config';
import { Originals, OwnedFiles } from '@nodecore/host';
import { type Resource, Store } from '@nodecore/state';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { configured } from '../src/applied/applied-controller.ts';
import { environments, environmentSpecs } from '../src/environment/definitions.ts';
import { environmentController } from '../src/environment/environment.ts';
import { etcFileSpecs, etcFileStatuses } from '../src/etc/definitions.ts';
import { etcFileController, wantedFiles } from '../src/etc/files.ts';
import { hostnameSpecs, hostnameStatuses, staticHosts } from '../src/names/definitions.ts';
import { hostnameController } from '../src/names/hostname.ts';
import { hostsController } from '../src/names/hosts.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { runControllers, until } from './controllers.ts';

const log = pino({ level: 'silent' });
const document = (name: string, contents: string): string =>
  `apiVersion: v1alpha1\nkind: EtcFileConfig\nname: ${name}\nmode: 0o600\ncontents: ${contents}\n`;

async function etc(t: ExecutionContext): Promise<{ directory: string; files: OwnedFiles }> {
  const top = await mkdtemp(join(tmpdir(), 'agent-etc-'));
  t.teardown(() => rm(top, { recursive: true }));
  const directory = join(top, 'etc');
  await mkdir(directory);
  await writeFile(join(directory, 'motd'), 'before');
  return { directory, files: new OwnedFiles(directory, new Originals(join(top, 'originals.json'))) };
}

const specOf = (resources: readonly Resource[], id: string): unknown =>
  resources.find(({ metadata }) => metadata.id === id)?.spec;

test('files of documents are written, told without what they hold, and given back', async (t) => {
  const { directory, files } = await etc(t);
  const store = new Store();
  let prepared = 0;
  const prepare = (): Promise<void> => Promise.resolve(void prepared++);
  runControllers(t, store, etcFileController({ files, prepare }));
  const apply = (text: string): void => {
    using configuration = parse(text);
    store.replace(kindOf(etcFileSpecs), new Map([[configured, wantedFiles(configuration)]]), 'test');
  };
  await mkdir(join(directory, 'taken'));
  apply([document('motd', 'marker-a'), document('a/b', 'marker-b'), document('taken', 'x')].join('---\n'));
  const statuses = await until(store, kindOf(etcFileStatuses), ({ length }) => length === 3);
  t.deepEqual(specOf(statuses, 'motd'), { mode: '0o600', size: 8 });
  t.like(specOf(statuses, 'taken'), { error: 'taken: something that is no file stands there' });
  t.notRegex(JSON.stringify(statuses), /marker/);
  t.is(await readFile(join(directory, 'a/b'), 'utf8'), 'marker-b');
  apply('apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent: 20\n');
  await until(store, kindOf(etcFileStatuses), ({ length }) => length === 0);
  t.is(await readFile(join(directory, 'motd'), 'utf8'), 'before');
  t.deepEqual((await readdir(directory)).toSorted(), ['motd', 'taken']);
  t.is(prepared, 1);
});

test('on a host whose /etc is its own, a document has a reason and no effect', async (t) => {
  const store = new Store();
  runControllers(
    t,
    store,
    etcFileController({ files: undefined, prepare: () => Promise.reject(new Error('no')) }),
  );
  using configuration = parse(document('motd', 'x'));
  store.replace(kindOf(etcFileSpecs), new Map([[configured, wantedFiles(configuration)]]), 'test');
  const [status] = await until(store, kindOf(etcFileStatuses), ({ length }) => length === 1);
  t.regex(JSON.stringify(status?.spec), /keeps its own \/etc/);
});

test('the strongest name counts, and the next one when it goes; hosts has it, with the names of others', async (t) => {
  const { directory, files } = await etc(t);
  const store = new Store();
  let name = 'localhost';
  const set = (next: string): Promise<void> => Promise.resolve(void (name = next));
  runControllers(
    t,
    store,
    hostnameController({ log, current: () => name, set }),
    hostsController(),
    etcFileController({ files, prepare: () => Promise.resolve() }),
  );
  store.replace(kindOf(etcFileSpecs), new Map([[configured, { files: {} }]]), 'test');
  const say = (layer: string, hostname: string): unknown =>
    store.modify({ ...kindOf(hostnameSpecs), id: layer }, () => ({ layer, hostname }), { owner: 'test' });
  const called = async (hostname: string, domainname = ''): Promise<void> => {
    await until(store, kindOf(hostnameStatuses), ([status]) => {
      const spec = status?.spec as { hostname?: string; domainname?: string } | undefined;
      return spec?.hostname === hostname && spec.domainname === domainname;
    });
  };
  say('default', 'node-1');
  await called('node-1');
  say('configuration', 'a.example.org');
  say('operator', 'dhcp');
  await called('a', 'example.org');
  t.is(name, 'a');
  const hosts = new Map([
    ['10.0.0.1', { names: ['db', 'db.local'] }],
    ['10.0.0.2', { names: ['x\n10.0.0.3 bank'] }],
  ]);
  store.replace(kindOf(staticHosts), hosts, 'test');
  const text =
    '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n127.0.1.1 a.example.org a\n10.0.0.1 db db.local\n';
  await until(
    store,
    kindOf(etcFileStatuses),
    ([status]) => (status?.spec as { size?: number } | undefined)?.size === text.length,
  );
  t.is(await readFile(join(directory, 'hosts'), 'utf8'), text);
  store.destroy({ ...kindOf(hostnameSpecs), id: 'configuration' }, 'test');
  await called('dhcp');
});

test('a host that keeps its own name says so', async (t) => {
  const store = new Store();
  runControllers(t, store, hostnameController({ log, current: () => 'theirs', set: undefined }));
  const spec = { layer: 'configuration', hostname: 'ours' };
  store.replace(kindOf(hostnameSpecs), new Map([['configuration', spec]]), 'test');
  const [status] = await until(store, kindOf(hostnameStatuses), ({ length }) => length === 1);
  t.deepEqual(status?.spec, { hostname: 'theirs', domainname: '', error: 'this host keeps its own name' });
});

test('variables are set, and get the value from before, or go', async (t) => {
  const store = new Store();
  const environment: NodeJS.ProcessEnv = { there: 'before' };
  runControllers(t, store, environmentController(environment));
  const want = (variables: Record<string, string>): void =>
    store.replace(kindOf(environmentSpecs), new Map([[configured, { variables }]]), 'test');
  want({ there: 'ours', https_proxy: 'http://u:p@proxy' });
  await until(store, kindOf(environments), ({ length }) => length === 2);
  t.deepEqual(environment, { there: 'ours', https_proxy: 'http://u:p@proxy' });
  want({ there: 'again' });
  await until(store, kindOf(environments), ({ length }) => length === 1);
  t.deepEqual(environment, { there: 'again' });
  want({});
  await until(store, kindOf(environments), ({ length }) => length === 0);
  t.deepEqual(environment, { there: 'before' });
  t.true(environments.sensitive && environmentSpecs.sensitive && etcFileSpecs.sensitive);
});

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from '@nodecore/config';
import { HostError, KernelModules, KernelSettings, Originals, type PciDrivers } from '@nodecore/host';
import { type Resource, Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test, { type ExecutionContext } from 'ava';

import { configured } from '../src/applied/applied-controller.ts';
import {
  kernelModuleSpecs,
  kernelModuleStatuses,
  kernelParamSpecs,
  kernelParamStatuses,
  pciDriverRebindConfigs,
  pciDriverRebindStatuses,
} from '../src/kernel/definitions.ts';
import { moduleController, wantedModules } from '../src/kernel/modules.ts';
import { parameterController, wantedParameters } from '../src/kernel/parameters.ts';
import { pciController, wantedDrivers } from '../src/kernel/pci.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { runControllers, until } from './controllers.ts';

const document = (kind: string, body: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n${body}`;

async function machine(
  t: ExecutionContext,
): Promise<{ directory: string; settings: (of: string) => KernelSettings }> {
  const directory = await mkdtemp(join(tmpdir(), 'kernel-'));
  t.teardown(() => rm(directory, { recursive: true }));
  for (const [path, text] of [
    ['proc/vm/swappiness', '60\n'],
    ['sys/module/zswap/parameters/enabled', 'N\n'],
    ['sys/module/zswap/parameters/max_pool_percent', '20\n'],
  ] as const) {
    await mkdir(join(directory, path, '..'), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const settings = (of: string): KernelSettings =>
    new KernelSettings({
      directory: join(directory, of),
      originals: new Originals(join(directory, `${of}.json`)),
    });
  return { directory, settings };
}

const has = (count: number) => (all: readonly Resource[]) => all.length === count;

test('parameters of documents are written, told, and given back when the documents go', async (t) => {
  const { directory, settings } = await machine(t);
  const store = new Store();
  const [sysctl, sysfs] = [settings('proc'), settings('sys')];
  runControllers(t, store, parameterController({ sysctl, sysfs }));
  const apply = (text: string): void => {
    using configuration = parse(text);
    const specs = new Map([[configured, wantedParameters(configuration)]]);
    store.replace(kindOf(kernelParamSpecs), specs, 'test');
  };
  const swappiness = async (): Promise<string> =>
    await readFile(join(directory, 'proc/vm/swappiness'), 'utf8');
  const texts = [
    document('SysctlConfig', 'params: {vm.swappiness: 10, net.absent: 1}\n'),
    document('ZswapConfig', 'maxPoolPercent: 25\n'),
  ];
  apply(texts.join('---\n'));
  const statuses = await until(store, kindOf(kernelParamStatuses), has(4));
  const spec = (id: string): unknown => statuses.find(({ metadata }) => metadata.id === id)?.spec;
  t.like(spec('proc.sys.vm.swappiness'), { wanted: '10', current: '10', default: '60', unsupported: false });
  t.like(spec('proc.sys.net.absent'), {
    unsupported: true,
    error: 'net.absent: this kernel has no such setting',
  });
  t.like(spec('sys.module.zswap.parameters.max_pool_percent'), { current: '25', default: '20' });
  t.like(spec('sys.module.zswap.parameters.enabled'), { current: 'Y', default: 'N' });

  apply(document('SysctlConfig', 'params: {vm.swappiness: 30}\n'));
  await until(store, kindOf(kernelParamStatuses), has(1));
  t.is(await swappiness(), '30\n');
  t.is(await readFile(join(directory, 'sys/module/zswap/parameters/enabled'), 'utf8'), 'N\n');
  apply(document('ZswapConfig', 'maxPoolPercent: 20\n'));
  await until(store, kindOf(kernelParamStatuses), has(2));
  t.is(await swappiness(), '60\n');
});

test('an agent that begins anew gives nothing back before it has its configuration', async (t) => {
  const { directory, settings } = await machine(t);
  await settings('proc').apply(new Map([['vm.swappiness', '10']]));
  const store = new Store();
  runControllers(t, store, parameterController({ sysctl: settings('proc'), sysfs: settings('sys') }));
  t.is(await readFile(join(directory, 'proc/vm/swappiness'), 'utf8'), '10\n');
  store.replace(
    kindOf(kernelParamSpecs),
    new Map([[configured, { sysctl: { 'vm.swappiness': '10' }, sysfs: {} }]]),
    'test',
  );
  const [status] = await until(store, kindOf(kernelParamStatuses), ({ length }) => length === 1);
  t.like(status?.spec, { current: '10', default: '60' });
});

test('drivers of devices are asked for by address, and one that is not taken has its reason', async (t) => {
  const store = new Store();
  const asked: (readonly (readonly [string, string])[])[] = [];
  const apply: PciDrivers['apply'] = (wanted) => {
    asked.push([...wanted]);
    const error = new HostError('ERR_HOST_VALUE', 'a', 'no');
    return Promise.resolve([...wanted.keys()].map((address) => ({ address, driver: undefined, error })));
  };
  runControllers(t, store, pciController({ apply }));
  using configuration = parse(
    document('PCIDriverRebindConfig', 'name: 0000:04:00.0\ntargetDriver: vfio-pci\n'),
  );
  store.replace(
    kindOf(pciDriverRebindConfigs),
    new Map([[configured, wantedDrivers(configuration)]]),
    'test',
  );
  const [status] = await until(store, kindOf(pciDriverRebindStatuses), has(1));
  t.deepEqual(status?.spec, { driver: '', targetDriver: 'vfio-pci', error: 'a: no' });
  store.replace(kindOf(pciDriverRebindConfigs), new Map([[configured, { drivers: {} }]]), 'test');
  await until(store, kindOf(pciDriverRebindStatuses), has(0));
  t.deepEqual(asked.at(-1), []);
});

test('a module that is wanted is loaded with its parameters; one that can not be says why', async (t) => {
  const { directory } = await machine(t);
  const loaded = join(directory, 'modules');
  await writeFile(loaded, 'xfs 10 1 - Live 0x0\n');
  await writeFile(join(directory, 'modules.builtin'), 'kernel/a/tpm-tis.ko\n');
  const asked: (readonly string[])[] = [];
  const modprobe = async (words: readonly string[]): Promise<void> => {
    asked.push(words);
    if (words.includes('absent'))
      throw Object.assign(new Error('1'), {
        stderr: 'modprobe: FATAL: Module absent not found in directory /x',
      });
    await writeFile(loaded, 'xfs 10 1 - Live 0x0\nnbd 20 0 - Live 0x0\n');
  };
  const store = new Store();
  const modules = new KernelModules({ loaded, directory, modprobe });
  runControllers(t, store, moduleController({ modules, clock: new FakeClock() }));
  using configuration = parse(
    [
      document('KernelModuleConfig', 'name: nbd\nparameters: [nbds_max=32]\n'),
      document('KernelModuleConfig', 'name: absent\n'),
    ].join('---\n'),
  );
  store.replace(kindOf(kernelModuleSpecs), new Map([[configured, wantedModules(configuration)]]), 'test');
  const statuses = await until(store, kindOf(kernelModuleStatuses), ({ length }) => length === 4);
  t.deepEqual(Object.fromEntries(statuses.map(({ metadata, spec }) => [metadata.id, spec])), {
    absent: { type: 'module', state: 'missing', error: 'absent: this kernel has no such module' },
    nbd: { type: 'module', state: 'live', size: 20, referenceCount: 0, dependencies: [] },
    tpm_tis: { type: 'builtin', state: 'live' },
    xfs: { type: 'module', state: 'live', size: 10, referenceCount: 1, dependencies: [] },
  });
  t.deepEqual(asked[0], ['--', 'nbd', 'nbds_max=32']);
});

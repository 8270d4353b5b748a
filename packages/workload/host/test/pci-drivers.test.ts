import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { Originals, PciDrivers } from '@nodecore/host';

const address = '0000:04:00.0';

/** Stands for /sys: it takes what is written, and binds nothing. */
async function sysfs(
  t: ExecutionContext,
  driver: string,
): Promise<{ sys: string; drivers: () => PciDrivers }> {
  const top = await mkdtemp(join(tmpdir(), 'pci-'));
  t.teardown(() => rm(top, { recursive: true }));
  const sys = join(top, 'sys');
  for (const name of ['e1000e', 'vfio-pci']) {
    await mkdir(join(sys, 'bus/pci/drivers', name), { recursive: true });
    await writeFile(join(sys, 'bus/pci/drivers', name, 'unbind'), '');
  }
  await mkdir(join(sys, 'devices', address), { recursive: true });
  await mkdir(join(sys, 'bus/pci/devices'));
  await symlink(`../../../devices/${address}`, join(sys, 'bus/pci/devices', address));
  await symlink(`../../bus/pci/drivers/${driver}`, join(sys, 'devices', address, 'driver'));
  await writeFile(join(sys, 'devices', address, 'driver_override'), '');
  await writeFile(join(sys, 'bus/pci/drivers_probe'), '');
  return { sys, drivers: () => new PciDrivers(new Originals(join(top, 'record.json')), sys) };
}

test('a device is taken from its driver and offered to the other; without one it says so, and is given back', async (t) => {
  const { sys, drivers } = await sysfs(t, 'e1000e');
  const [status] = await drivers().apply(new Map([[address, 'vfio-pci']]));
  const read = (path: string): Promise<string> => readFile(join(sys, path), 'utf8');
  t.is(await read(`devices/${address}/driver_override`), 'vfio-pci');
  t.is(await read('bus/pci/drivers/e1000e/unbind'), address);
  t.is(await read('bus/pci/drivers_probe'), address);
  t.like(status, { address, driver: 'e1000e', error: { code: 'ERR_HOST_VALUE' } });
  t.deepEqual(await drivers().apply(new Map()), []); // another process
  t.regex(await read(`devices/${address}/driver_override`), /^\n/);
});

test('a device that has the driver is left alone', async (t) => {
  const { sys, drivers } = await sysfs(t, 'vfio-pci');
  t.deepEqual(await drivers().apply(new Map([[address, 'vfio-pci']])), [
    { address, driver: 'vfio-pci', error: undefined },
  ]);
  t.is(await readFile(join(sys, 'bus/pci/drivers_probe'), 'utf8'), '');
});

test('a device that is not there has its reason', async (t) => {
  const { drivers } = await sysfs(t, 'e1000e');
  const [status] = await drivers().apply(new Map([['0000:05:00.0', 'vfio-pci']]));
  t.is(status?.error?.code, 'ERR_HOST_NOT_FOUND');
});

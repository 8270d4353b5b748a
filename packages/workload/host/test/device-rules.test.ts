import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { allDevices, type Device } from '../src/device-rules/device.ts';
import { matchesGlob } from '../src/device-rules/glob.ts';
import { type DeviceMatch, type DeviceRule, isAbout, substituted } from '../src/device-rules/rule.ts';

test('a pattern is that of udev', (t) => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['sd*', 'sda1', true],
    ['sd?', 'sda1', false],
    ['sd?', 'sdb', true],
    ['vd*|sd[a-c]', 'sdc', true],
    ['sd[!a-c]', 'sdc', false],
    ['sd[!a-c]', 'sdd', true],
    ['tty[]x]', 'tty]', true],
    ['a.c', 'abc', false],
    ['', '', true],
    ['?*', '', false],
    ['*a*b', 'xaxxab', true],
    ['*a*b', 'xaxxa', false],
    ['ä?', 'äö', true],
    ['[', '[', true],
  ];
  for (const [pattern, text, expected] of cases)
    t.is(matchesGlob(pattern, text), expected, `${pattern} ${text}`);
});

test('no pattern takes longer than both lengths together', (t) => {
  t.false(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(60_000)));
});

const usb = 'devices/pci0000:00/0000:00:14.0/usb1/1-2';

/** A disk in a stick, and an interface that was renamed. */
async function machine(t: ExecutionContext): Promise<Readonly<Record<'disk' | 'interface', Device>>> {
  const sysfs = await temporaryDirectory(t);
  const put = async (
    path: string,
    files: Readonly<Record<string, string>>,
    subsystem: string,
  ): Promise<void> => {
    await mkdir(join(sysfs, path), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(sysfs, path, name)), { recursive: true });
      await writeFile(join(sysfs, path, name), text);
    }
    await symlink(`/sys/class/${subsystem}`, join(sysfs, path, 'subsystem'));
  };
  await put(usb, { idVendor: '1d6b\n', serial: '0 1/../x;\n' }, 'usb');
  await symlink('/sys/bus/usb/drivers/usb-storage', join(sysfs, usb, 'driver'));
  const uevent = 'MAJOR=8\nMINOR=16\nDEVNAME=sdb\nDEVTYPE=disk\n';
  await put(`${usb}/block/sdb`, { uevent, 'queue/rotational': '0\n' }, 'block');
  await put(
    'devices/virtual/net/lan0',
    { address: '52:54:00:00:00:01\n', uevent: 'INTERFACE=lan0\n' },
    'net',
  );
  for (const place of ['dev/block', 'dev/char', 'class/net'])
    await mkdir(join(sysfs, place), { recursive: true });
  await symlink(`../../${usb}/block/sdb`, join(sysfs, 'dev/block/8:16'));
  await symlink('../../devices/virtual/net/lan0', join(sysfs, 'class/net/lan0'));
  const [disk, lan] = await allDevices(sysfs, new Map([['lan0', 'eth0']]));
  return { disk: disk!, interface: lan! };
}

const match = (key: string, pattern: string, equal = true): DeviceMatch => {
  const [, name = key, attribute] = /^(\w+)\{(.*)\}$/u.exec(key) ?? [];
  return { key: name, pattern, equal, ...(attribute !== undefined && { attribute }) };
};
const rule = (...matches: readonly DeviceMatch[]): DeviceRule => ({ text: '', matches, actions: [] });

test('a rule is about a device that is all of what it says; of those above one alone', async (t) => {
  const { disk } = await machine(t);
  const cases: readonly (readonly [boolean, ...DeviceMatch[]])[] = [
    [true, match('KERNEL', 'sd*'), match('SUBSYSTEM', 'block'), match('ACTION', 'add|change')],
    [false, match('KERNEL', 'sd*'), match('SUBSYSTEM', 'net')],
    [true, match('ENV{DEVTYPE}', 'disk'), match('ATTR{queue/rotational}', '0')],
    [true, match('SUBSYSTEMS', 'usb'), match('ATTRS{idVendor}', '1d6b'), match('DRIVERS', 'usb-*')],
    [false, match('SUBSYSTEMS', 'block'), match('ATTRS{idVendor}', '1d6b')],
    [true, match('KERNELS', '1-2')],
    [true, match('DEVPATH', '/devices/pci*/block/sdb')],
    [false, match('ATTR{idVendor}', '1d6b')],
    [true, match('ATTR{absent}', '*', false)],
    [false, match('ATTR{../../idVendor}', '1d6b')],
    [false, match('SUBSYSTEM', 'block', false)],
  ];
  for (const [expected, ...matches] of cases)
    t.is(await isAbout(rule(...matches), disk), expected, JSON.stringify(matches));
});

test('an interface is known by the name that the kernel gave it, also when it has another', async (t) => {
  const { interface: lan } = await machine(t);
  t.true(await isAbout(rule(match('KERNEL', 'eth0'), match('SUBSYSTEM', 'net')), lan));
  t.is(await substituted('$name-%k', lan), 'lan0-eth0');
});

test('what a value takes from a device leads nowhere else', async (t) => {
  const { disk } = await machine(t);
  t.is(await substituted('disk/$kernel-%n-$major.%m', disk), 'disk/sdb--8.16');
  t.is(await substituted('x%%$$$attr{queue/rotational}', disk), 'x%$0');
  const [, stick] = disk.parents;
  t.is(await substituted('by/%s{serial}', stick!), 'by/0_1/../x_');
  await t.throwsAsync(substituted('a$b', disk), { code: 'ERR_HOST_VALUE' });
});

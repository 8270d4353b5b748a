import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  parseDiskCounters,
  parseInterfaceCounters,
  parseLoadAverage,
  parseMemoryValues,
  parseProcessors,
  parseSystemCounters,
  processorFrequencies,
  sumOfDisks,
  sumOfInterfaces,
} from '@nodecore/host';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

test('memory keeps the order, the names and the units of the kernel', (t) => {
  t.deepEqual(
    parseMemoryValues(
      'MemTotal:       16337812 kB\nActive(anon):    1 kB\nHugePages_Total:      18446744073709551615\n',
    ),
    [
      { name: 'MemTotal', value: 16_337_812n, unit: 'kB' },
      { name: 'Active(anon)', value: 1n, unit: 'kB' },
      { name: 'HugePages_Total', value: 2n ** 64n - 1n, unit: '' },
    ],
  );
});

test('every line of the memory of this machine is read', async (t) => {
  const text = await readFile('/proc/meminfo', 'utf8');
  t.is(parseMemoryValues(text).length, text.trimEnd().split('\n').length);
});

test('times of processors are seconds; one that is switched off is missing; an old kernel has fewer kinds', (t) => {
  const { processors, softInterruptsByKind, ...counts } = parseSystemCounters(
    [
      'cpu  150 2 300 400 5 6 7 8 9 10',
      'cpu0 100 1 200',
      'cpu2 50 1 100 400 5 6 7 8 9 10',
      'intr 99 1 2 3',
      'ctxt 18446744073709551615',
      'btime 1764000000',
      'processes 7',
      'procs_running 2',
      'procs_blocked 1',
      'softirq 12 1 2 3 6',
      '',
    ].join('\n'),
  );
  t.deepEqual(
    processors.map(({ name, user, idle, guestNice }) => [name, user, idle, guestNice]),
    [
      ['cpu', 1.5, 4, 0.1],
      ['cpu0', 1, 0, 0],
      ['cpu2', 0.5, 4, 0.1],
    ],
  );
  t.deepEqual(softInterruptsByKind, [
    { kind: 'HI', count: 1n },
    { kind: 'TIMER', count: 2n },
    { kind: 'NET_TX', count: 3n },
    { kind: 'NET_RX', count: 6n },
  ]);
  t.deepEqual(counts, {
    bootTimeSeconds: 1_764_000_000n,
    interrupts: 99n,
    softInterrupts: 12n,
    contextSwitches: 2n ** 64n - 1n,
    processesCreated: 7n,
    processesRunning: 2n,
    processesBlocked: 1n,
  });
});

test('kinds of soft interrupts stand in the order of this kernel', async (t) => {
  const named = (await readFile('/proc/softirqs', 'utf8'))
    .split('\n')
    .slice(1)
    .flatMap((line) => /^\s*(\w+):/u.exec(line)?.[1] ?? []);
  const { softInterruptsByKind } = parseSystemCounters(await readFile('/proc/stat', 'utf8'));
  t.deepEqual(
    softInterruptsByKind.map(({ kind }) => kind),
    named,
  );
});

test('load averages are three numbers, or none', (t) => {
  t.deepEqual(parseLoadAverage('0.42 1.00 11.44 1/200 77\n'), { load1: 0.42, load5: 1, load15: 11.44 });
  t.is(parseLoadAverage('0.42 x 1'), undefined);
  t.is(parseLoadAverage(''), undefined);
});

test('processors are those that have a number; what is said of the machine is none', (t) => {
  const text =
    'processor\t: 0\nmodel name\t: A: B\nflags\t\t: fpu vme\npower management:\n\nprocessor\t: 3\n\nHardware\t: Board\n';
  t.deepEqual(parseProcessors(text), [
    { number: 0, facts: { 'model name': 'A: B', flags: 'fpu vme', 'power management': '' } },
    { number: 3, facts: {} },
  ]);
});

test('a frequency that the driver does not say is absent, and so is a processor without one', async (t) => {
  const directory = await temporaryDirectory(t);
  const put = async (cpu: string, files: Readonly<Record<string, string>>): Promise<void> => {
    await mkdir(join(directory, cpu, 'cpufreq'), { recursive: true });
    for (const [name, text] of Object.entries(files))
      await writeFile(join(directory, cpu, 'cpufreq', name), `${text}\n`);
  };
  await put('cpu10', {
    scaling_governor: 'powersave',
    scaling_cur_freq: '<unknown>',
    cpuinfo_max_freq: '5000000',
  });
  await put('cpu2', {
    scaling_governor: 'performance',
    scaling_cur_freq: '800000',
    cpuinfo_min_freq: '400000',
  });
  await mkdir(join(directory, 'cpu0'));
  await mkdir(join(directory, 'cpuidle'));
  t.deepEqual(await processorFrequencies(directory), [
    { number: 2, governor: 'performance', currentHertz: 800_000_000n, minimumHertz: 400_000_000n },
    { number: 10, governor: 'powersave', maximumHertz: 5_000_000_000n },
  ]);
});

test('disks of an old kernel count no discards, and a sum counts what some count', (t) => {
  const disks = parseDiskCounters(
    '   8       0 sda 1 2 3 4 5 6 7 8 9 10 11\n 259 0 nvme0n1 10 20 30 40 50 60 70 80 90 100 110 1 2 3 4 5 6\n   8 1 sda1 1 1\n',
  );
  t.deepEqual(
    disks.map(({ name, reads, discards }) => [name, reads, discards]),
    [
      ['sda', 1n, undefined],
      ['nvme0n1', 10n, 1n],
    ],
  );
  t.like(sumOfDisks(disks), { name: '', reads: 11n, weightedMillis: 121n, discards: 1n, flushMillis: 6n });
  t.false('discards' in sumOfDisks(disks.slice(0, 1)));
  t.is(sumOfDisks([]).reads, 0n);
});

test('interfaces count 16 things; a name may have a colon', (t) => {
  const interfaces = parseInterfaceCounters(
    'Inter-|   Receive |  Transmit\n face |bytes packets errs drop fifo frame compressed multicast|bytes\n' +
      '    lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n' +
      'eth0:1: 18446744073709551614 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n',
  );
  t.deepEqual(
    interfaces.map(({ name, receivedBytes, receiveMulticast, sentBytes, sendCompressed }) => [
      name,
      receivedBytes,
      receiveMulticast,
      sentBytes,
      sendCompressed,
    ]),
    [
      ['lo', 1n, 8n, 9n, 16n],
      ['eth0:1', 2n ** 64n - 2n, 0n, 1n, 0n],
    ],
  );
  t.like(sumOfInterfaces(interfaces), { name: '', receivedBytes: 2n ** 64n - 1n, sentBytes: 10n });
});

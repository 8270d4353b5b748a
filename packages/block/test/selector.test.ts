import test, { type ExecutionContext } from 'ava';

import {
  type SelectableDisk,
  type SelectableVolume,
  SelectorError,
  compileDiskSelector,
  compileVolumeSelector,
} from '@nodecore/block/selector';

const disk: SelectableDisk = {
  devPath: '/dev/nvme0n1',
  size: 500_107_862_016n,
  ioSize: 512,
  sectorSize: 512,
  readonly: false,
  cdrom: false,
  rotational: false,
  model: 'WD_BLACK SN850X',
  serial: 'S1',
  modalias: '',
  wwid: 'naa.5000c500a1b2c3d4',
  uuid: '',
  firmwareVersion: '1.0',
  busPath: '/pci0000:00/0000:00:1f.2',
  subSystem: '/sys/class/block',
  transport: 'nvme',
  secondaryDisks: [],
  symlinks: ['/dev/disk/by-id/wwn-0x5000c500a1b2c3d4', '/dev/disk/by-id/nvme-WD'],
};

const volume: SelectableVolume = {
  type: 'partition',
  devPath: '/dev/nvme0n1p1',
  devicePath: '/devices/pci/nvme0n1p1',
  parent: 'nvme0n1',
  parentDevPath: '/dev/nvme0n1',
  offset: 1_048_576n,
  size: 1_048_576n,
  sectorSize: 512,
  ioSize: 512,
  name: '',
  uuid: '',
  label: '',
  blockSize: 0,
  filesystemBlockSize: 0,
  probedSize: 0n,
  partitionUuid: 'd8c5e9a0-0000-0000-0000-000000000000',
  partitionType: '0fc63daf-8483-4772-8e79-3d69d8477de4',
  partitionLabel: 'META',
  partitionIndex: 1,
};

const explain = (text: string) => compileDiskSelector(text).explain({ disk, systemDisk: false });
const ask = (text: string, systemDisk = false) => compileDiskSelector(text).matches({ disk, systemDisk });

function refused(t: ExecutionContext, text: string): SelectorError {
  const error = t.throws(() => compileDiskSelector(text), { instanceOf: SelectorError }, text);
  if (error === undefined) throw new Error(`${text} compiled`);
  return error;
}

const yes: readonly string[] = [
  // Every example of the reference that is true of the disk above.
  'disk.transport == "nvme" && !system_disk',
  'disk.size > 120u * GB && disk.size < 1u * TB',
  "'/dev/disk/by-id/wwn-0x5000c500a1b2c3d4' in disk.symlinks",
  'glob("WD_BLACK*", disk.model)',
  'disk.serial in ["S1", "S2"]',
  '!disk.rotational && disk.transport != "usb"',
  'disk.wwid.startsWith("naa.5000")',
  'disk.symlinks.exists(s, s.startsWith("/dev/disk/by-id/wwn-"))',
  // Signed and unsigned numbers meet wherever a person would expect it.
  'disk.size > 120',
  'disk.size > 120u',
  '120 < disk.size',
  'disk.size > 120 * GB',
  'disk.size > GB * 120',
  'disk.size == 500107862016',
  'disk.size == 500107862016u',
  'disk.size != 1',
  'disk.size in [1, 500107862016]',
  '5 in [5u]',
  'disk.size / 2 == 250053931008u',
  'disk.size - 1 < disk.size',
  'disk.size % 512 == 0',
  '-1 < 0u',
  'int(5u) == 5 && uint(5) == 5u && uint("5") == 5u && string(5u) == "5"',
  '7 / 2 == 3 && -7 / 2 == -3 && 7u / 2u == 3u && -7 % 2 == -1',
  '-9223372036854775808 < 0',
  '18446744073709551615u > 0u',
  '0x10u == 16u',
  'KiB == 1024u && MiB == 1024u * KiB && GiB == 1024u * MiB && TiB == 1024u * GiB',
  'PiB == 1024u * TiB && EiB == 1024u * PiB',
  'kB == 1000u && MB == 1000u * kB && GB == 1000u * MB && TB == 1000u * GB',
  'PB == 1000u * TB && EB == 1000u * PB',
  // An error on one side does not hide an answer that the other side decides.
  '!(false && 1/0 == 1)',
  '!((1/0 == 1) && false)',
  'true || 1/0 == 1',
  '(1/0 == 1) || true',
  // Standard functions and macros.
  'disk.symlinks.all(s, s.contains("/by-id/"))',
  'disk.symlinks.exists_one(s, s.endsWith("WD"))',
  'disk.symlinks.filter(s, s.contains("wwn")).size() == 1',
  'disk.symlinks.map(s, size(s)) == [38, 23]',
  'size("größe") == 5 && size("😀") == 1',
  'disk.pretty_size == "500 GB"',
  'has(disk.model) && !has(disk.uuid) && !has(disk.secondary_disks) && has(disk.size)',
  '[1].exists(x, has(disk.model) && x == 1)',
  '!has(disk.rotational)',
  '// a comment\ntrue',
  'disk.rotational ? false : true',
  'type(disk.size) == uint',
  // RE2, also where JavaScript's expressions differ.
  'disk.model.matches("^WD_[A-Z]+")',
  'disk.model.matches("(?i)^wd_")',
  'disk.model.matches("(?P<maker>WD)")',
  'disk.model.matches("^[[:upper:]]{2}\\\\pP")',
  'disk.model.matches("^" + "WD")',
];

for (const text of yes) {
  test(`a selector is true: ${text}`, (t) => {
    t.deepEqual(ask(text), { matched: true });
  });
}

const failing: readonly (readonly [string, RegExp])[] = [
  ['(1/0 == 1) || false', /division by zero \(line 1, column 2\)/],
  ['16u * EiB == 0u', /overflow/],
  ['16 * EiB == 0', /overflow/],
  ['0u - 1u == 0u', /overflow/],
  ['disk.size - 600 * GB > 0', /overflow/],
  ['9223372036854775807 + 1 > 0', /overflow/],
  ['uint(-1) == 0u', /convert/],
  ['int(18446744073709551615u) > 0', /overflow/],
  ['disk.size / 0 == 1', /division by zero/],
  ['[1, 2][5] == 1', /index/],
  ['disk.model.matches(disk.model + "(")', /RE2/],
];

for (const [text, message] of failing) {
  test(`a selector that can't be evaluated does not match and says why: ${text}`, (t) => {
    const { matched, error = '' } = ask(text);
    t.false(matched);
    t.regex(error, message);
  });
}

const bad: readonly (readonly [string, SelectorError['code'], number, number, RegExp])[] = [
  ['disk.size >', 'ERR_SELECTOR_SYNTAX', 1, 12, /ends where something is missing/],
  ['disk.size > 5 &&', 'ERR_SELECTOR_SYNTAX', 1, 17, /ends where something is missing/],
  ['disk.size @ 5', 'ERR_SELECTOR_SYNTAX', 1, 11, /@/],
  ['"open', 'ERR_SELECTOR_SYNTAX', 1, 1, /[Uu]nterminated/],
  ['', 'ERR_SELECTOR_SYNTAX', 1, 1, /empty/],
  ['disk.size > 9223372036854775808', 'ERR_SELECTOR_SYNTAX', 1, 13, /write 9223372036854775808u/],
  ['disk.size > 18446744073709551616u', 'ERR_SELECTOR_SYNTAX', 1, 13, /18446744073709551616/],
  ['!system_disk &&\n  disk.modle == "x"', 'ERR_SELECTOR_TYPE', 2, 8, /no field modle; did you mean model\?/],
  ['disk.colour == "red"', 'ERR_SELECTOR_TYPE', 1, 6, /its fields are size, io_size/],
  ['disks.size > 5', 'ERR_SELECTOR_TYPE', 1, 1, /unknown name disks; did you mean disk\?/],
  ['disk.size > 5 * gb', 'ERR_SELECTOR_TYPE', 1, 17, /did you mean GB\?/],
  ['volume.name == ""', 'ERR_SELECTOR_TYPE', 1, 1, /unknown name volume; there are disk, system_disk/],
  ['disk.model > 5', 'ERR_SELECTOR_TYPE', 1, 1, /string > int/],
  ['disk.size', 'ERR_SELECTOR_TYPE', 1, 1, /answers true or false; this has type uint/],
  ['dyn(true)', 'ERR_SELECTOR_TYPE', 1, 1, /answers true or false/],
  ['glob(1, 2)', 'ERR_SELECTOR_TYPE', 1, 1, /glob/],
  ['disk.model.nosuch()', 'ERR_SELECTOR_TYPE', 1, 1, /nosuch/],
  ['has(disk.modle)', 'ERR_SELECTOR_TYPE', 1, 10, /did you mean model\?/],
  ['has("x")', 'ERR_SELECTOR_TYPE', 1, 5, /has\(\) takes a field/],
  ['HAS(disk.model)', 'ERR_SELECTOR_TYPE', 1, 1, /no function HAS/],
  ['disk.model.matches("(?=W)")', 'ERR_SELECTOR_TYPE', 1, 20, /not RE2/],
  ['disk.model.matches("(W)\\\\1")', 'ERR_SELECTOR_TYPE', 1, 20, /not RE2/],
  ['disk.model.matches(5)', 'ERR_SELECTOR_TYPE', 1, 20, /string, not int/],
  ['disk.size.matches("5")', 'ERR_SELECTOR_TYPE', 1, 6, /called on a string/],
];

for (const [text, code, line, column, message] of bad) {
  test(`a selector is refused with its place: ${JSON.stringify(text)}`, (t) => {
    const error = refused(t, text);
    t.is(error.code, code);
    t.regex(error.reason, message);
    t.deepEqual([error.line, error.column], [line, column]);
    t.is(error.expression, text);
  });
}

const never: Readonly<Record<string, string>> = {
  'a chain of three thousand terms': Array(3000).fill('disk.rotational').join(' || '),
  'twenty thousand negations': `${'!'.repeat(20_000)}true`,
  'twenty thousand minus signs': `0 == ${'-'.repeat(20_000)}0`,
  'parentheses in parentheses': `${'('.repeat(20_000)}true${')'.repeat(20_000)}`,
  'lists in lists': `${'['.repeat(20_000)}${']'.repeat(20_000)} == []`,
};

for (const [title, text] of Object.entries(never)) {
  test(`what is too long or too deep is refused as any other mistake: ${title}`, (t) => {
    const error = refused(t, text);
    t.is(error.expression, text);
    t.true(error.line >= 1 && error.column >= 1);
  });
}

const plainErrors: readonly string[] = [
  'timestamp("2009-02-13T23:31:30Z").getHours(disk.model) == 0',
  'timestamp("2009-02-13T23:31:30Z").getDayOfYear(disk.model + "x") == 0',
  'bytes(disk.model).json() == {}',
];

for (const text of plainErrors) {
  test(`whatever is thrown in an evaluation is the answer for that one disk: ${text}`, (t) => {
    let compiled: ReturnType<typeof compileDiskSelector>;
    try {
      compiled = compileDiskSelector(text);
    } catch (error) {
      t.true(error instanceof SelectorError);
      return;
    }
    const { matched, error = '' } = compiled.matches({ disk, systemDisk: false });
    t.false(matched);
    t.not(error, '');
    t.like(compiled.explain({ disk, systemDisk: false }), {
      matched: false,
      error,
      failed: { line: 1, column: 1 },
    });
  });
}

test('the message of a refused selector shows the line with a caret under the place', (t) => {
  const error = refused(t, '!system_disk &&\n\tdisk.modle == "x"');
  t.is(
    error.message,
    'disk has no field modle; did you mean model? (line 2, column 7)\n  \tdisk.modle == "x"\n  \t     ^',
  );
});

test('the system disk is known to a disk selector', (t) => {
  t.true(ask('system_disk', true).matched);
  t.false(ask('system_disk', false).matched);
});

test('a volume selector knows volume, disk, system_disk, glob and the units', (t) => {
  const environment = { volume, disk, systemDisk: true };
  for (const text of [
    "volume.partition_label == 'META' && volume.name in ['', 'metafs'] && volume.size == 1048576u",
    'volume.size == 1 * MiB && disk.serial == "S1" && system_disk && glob("M*A", volume.partition_label)',
    'volume.partition_index == 1 && volume.type == "partition" && volume.offset == MiB',
    'volume.parent == "nvme0n1" && volume.parent_dev_path == disk.dev_path && !has(volume.uuid)',
  ]) {
    t.deepEqual(compileVolumeSelector(text).matches(environment), { matched: true }, text);
  }
});

test('a pattern that would make a backtracking engine run for ages is answered at once', (t) => {
  const selector = compileDiskSelector('disk.model.matches("^(a|a)*(a+)+$")');
  const started = performance.now();
  t.deepEqual(selector.matches({ disk: { ...disk, model: `${'a'.repeat(5000)}b` }, systemDisk: false }), {
    matched: false,
  });
  t.true(performance.now() - started < 2000);
});

test('an explanation names the first part that was not true, where it stands', (t) => {
  t.deepEqual(explain('!system_disk &&\n  (disk.size + 1) > TB && disk.rotational'), {
    matched: false,
    failed: { text: '(disk.size + 1) > TB', line: 2, column: 3 },
  });
  t.deepEqual(explain('(disk.rotational || system_disk) && true'), {
    matched: false,
    failed: { text: 'disk.rotational || system_disk', line: 1, column: 2 },
  });
  t.deepEqual(explain('disk.model != "" && disk.size / 0 == 1'), {
    matched: false,
    error: 'division by zero',
    failed: {
      text: 'disk.size / 0 == 1',
      line: 1,
      column: 21,
      error: 'division by zero',
    },
  });
  t.deepEqual(explain('disk.model != ""'), { matched: true });
});

test('the text of a selector is kept as it was written', (t) => {
  t.is(compileDiskSelector('  disk.size>5 ').text, '  disk.size>5 ');
});

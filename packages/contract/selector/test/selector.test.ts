import test, { type ExecutionContext } from 'ava';

import { SelectorError, compileDiskSelector, compileVolumeSelector } from '@nodecore/selector';
import { someDisk } from './some-disk.ts';
import { someVolume } from './some-volume.ts';

const disk = someDisk({ firmwareVersion: '1.0' });

const volume = someVolume();

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
  // Lists and maps of nothing, and of everything.
  '!(7 in []) && ![].exists(e, e == 2) && [].all(e, e > 0) && [].map(e, e + 1) == []',
  'dyn(disk.size) in [500107862016] && disk.size in [1, "x", 500107862016u]',
  '{"a": 1, 2: "b"}[2u] == "b" && {1u: "x"}[dyn(1.0)] == "x" && has({"a": 1}.a)',
  '{"api/v1": 1}.`api/v1` == 1 && {"as": 1}.as == 1',
  // Numbers, and texts of them.
  '.99 < 1.0 && 1e3 == 1000.0 && int(1.9) == 1 && uint(3.7) == 3u && int("-7") == -7',
  'string(1.5) == "1.5" && string(b"abc") == "abc" && b"a" < b"b" && "a" < "b"',
  'disk.size > 1.5 && double(disk.size) > 1e11',
  // Times.
  'string(timestamp("2009-02-13T23:31:30.5Z")) == "2009-02-13T23:31:30.5Z"',
  'string(duration("1h1.5s")) == "3601.5s" && duration("90m").getHours() == 1',
  'timestamp("2009-02-13T23:31:30Z").getHours("Australia/Sydney") == 10',
  'timestamp("2009-12-31T23:31:30Z").getDayOfYear("+01:00") == 0',
  'timestamp("1969-12-31T23:59:59.9Z").getMilliseconds() == 900',
  'timestamp(0) + duration("1s") > timestamp(0) && int(timestamp("1969-12-31T23:59:58.5Z")) == -2',
  // Texts.
  'matches(disk.model, "^WD") && disk.model.lowerAscii().indexOf("black") == 3',
  '"a,b".split(",").map(s, s.upperAscii()).join("-") == "A-B" && " x ".trim().substring(1) == ""',
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
  ['int(1e99) == 0', /overflow/],
  ['uint(1e99) == 0u', /overflow/],
  ['int(9223372036854775807.0) == 0', /overflow/],
  ['timestamp("9999-12-31T23:59:59Z") + duration("1s") > timestamp(0)', /timestamp out of range/],
  ['timestamp(253402300800) > timestamp(0)', /timestamp out of range/],
  ['timestamp("2009-02-30T00:00:00Z") > timestamp(0)', /no timestamp/],
  ['duration("320000000000s") > duration("1s")', /duration out of range/],
  ['{1: 1, 1u: 2}[1] == 1', /key twice/],
  ['string(b"\\xff") == ""', /UTF-8/],
  ['"abc".substring(2, 1) == ""', /out of range/],
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
  ['timestamp(0).getHours("Nowhere/X") == 0', 'ERR_SELECTOR_TYPE', 1, 23, /no time zone Nowhere\/X/],
  ['disk.model.startWith("W")', 'ERR_SELECTOR_TYPE', 1, 1, /did you mean startsWith\?/],
  ['disk.symlinks.exists(s.x, true)', 'ERR_SELECTOR_SYNTAX', 1, 24, /first argument of exists\(\)/],
  ['disk.symlinks.exists(s, size(s))', 'ERR_SELECTOR_TYPE', 1, 25, /condition of exists\(\)/],
  ['disk.model.all(c, true)', 'ERR_SELECTOR_TYPE', 1, 6, /list or a map, not string/],
  ['disk.rotational ? 1 : "a"', 'ERR_SELECTOR_TYPE', 1, 1, /these are int and string/],
  ['disk.symlinks["x"] == ""', 'ERR_SELECTOR_TYPE', 1, 15, /the index is int, not string/],
  ['disk.model && true', 'ERR_SELECTOR_TYPE', 1, 1, /&& takes true or false, not string/],
  ['for == 1', 'ERR_SELECTOR_SYNTAX', 1, 1, /reserved/],
  ['"\\q" == ""', 'ERR_SELECTOR_SYNTAX', 1, 2, /unknown escape/],
  ['"a\nb" == ""', 'ERR_SELECTOR_SYNTAX', 1, 3, /line break/],
  ['1e400 > 0.0', 'ERR_SELECTOR_SYNTAX', 1, 1, /too large for a double/],
  ['size(1, ) == 1', 'ERR_SELECTOR_SYNTAX', 1, 9, /unexpected \)/],
  ['(disk.size > 1', 'ERR_SELECTOR_SYNTAX', 1, 15, /ends where something is missing/],
  ['disk.size > 1 disk', 'ERR_SELECTOR_SYNTAX', 1, 15, /unexpected disk/],
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

const unanswerable: readonly (readonly [string, RegExp, number])[] = [
  ['timestamp("2009-02-13T23:31:30Z").getHours(disk.model) == 0', /no time zone WD_BLACK SN850X/, 1],
  ['timestamp(disk.model).getDayOfYear("Nowhere/X" + "") == 0', /no timestamp/, 1],
  ['disk.rotational || duration(disk.serial) > duration("1s")', /no duration/, 20],
  ['{disk.serial: 1, "S1": 2} == {}', /a key twice/, 1],
  ['int(disk.model) == 1', /can not convert/, 1],
  ['dyn(disk.size) == 1 || disk.symlinks[dyn("x")] == ""', /whole number/, 24],
  ['dyn(disk).nothing == 1', /no such key: nothing/, 11],
  ['dyn(disk.size) + "x" == ""', /no such operator/, 1],
];

for (const [text, message, column] of unanswerable) {
  test(`what can't be evaluated is the answer for that one disk, with its place: ${text}`, (t) => {
    const { matched, error = '' } = ask(text);
    t.false(matched);
    t.regex(error, message);
    t.true(error.endsWith(`(line 1, column ${column})`), error);
    t.like(explain(text), { matched: false, error, failed: { line: 1, column: 1, error } });
  });
}

test('facts that can not be read are the answer for that one disk', (t) => {
  const broken = Object.defineProperty({ ...disk }, 'model', {
    get: () => {
      throw new RangeError('no model');
    },
  });
  const selector = compileDiskSelector('disk.size > 0 && disk.model == ""');
  t.deepEqual(selector.matches({ disk: broken, systemDisk: false }), { matched: false, error: 'no model' });
  t.like(selector.explain({ disk: broken, systemDisk: false }), {
    matched: false,
    failed: { text: 'disk.model == ""', column: 18, error: 'no model' },
  });
});

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
    error: 'division by zero (line 1, column 21)',
    failed: {
      text: 'disk.size / 0 == 1',
      line: 1,
      column: 21,
      error: 'division by zero (line 1, column 21)',
    },
  });
  t.deepEqual(explain('disk.model != ""'), { matched: true });
});

test('the text of a selector is kept as it was written', (t) => {
  t.is(compileDiskSelector('  disk.size>5 ').text, '  disk.size>5 ');
});

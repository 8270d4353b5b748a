import test from 'ava';

import { canonicalText, parseSchematic, SchematicError, schematicId } from '../src/index.ts';
import { vectors } from './vectors.ts';

for (const [index, [text, id]] of vectors.entries())
  test(`vector ${index}: the text is its own canonical text, and its hash is the ID`, (t) => {
    const schematic = parseSchematic(text);
    t.is(canonicalText(schematic), text);
    t.is(schematicId(schematic), id);
  });

const empty = 'customization: {}\n';
const same: readonly (readonly [submitted: string, canonical: string])[] = [
  ['{}', empty],
  ['null', empty],
  ['customization:', empty],
  [
    'customization: {systemExtensions: {officialExtensions: []}, secureboot: {}, diskImage: {sectorSize: 0}}',
    empty,
  ],
  ['customization: {bootloader: auto}', empty],
  ['customization: {bootloader: none, extraKernelArgs: ~}', empty],
  ['{"customization": {"extraKernelArgs": ["noapic", "nolapic"]}}', vectors[1]![0]],
  ['customization: {meta: [{value: foo, key: 0x0a}]}', vectors[2]![0]],
  ['customization: {secureboot: {includeWellKnownCertificates: yes, enrollKeys: ""}}', vectors[4]![0]],
  ['customization: {secureboot: {enrollKeys: off}}', vectors[9]![0]],
  [
    'customization: {extraKernelArgs: [5, 2.50, true, ~, 2001-01-01, a#b]}',
    'customization:\n    extraKernelArgs:\n        - "5"\n        - "2.50"\n        - "true"\n        - "2001-01-01"\n        - a#b\n',
  ],
  [
    'overlay: {image: i, name: x, options: {b10: 1e6, b9: .5, B: 0x10, "1": null, x: [], y: {}, z: [[1, 2], [a]], w: [{a: {b: c}}]}}',
    'overlay:\n    image: i\n    name: x\n    options:\n        "1": null\n        B: 16\n        b9: 0.5\n        b10: 1e+06\n        w:\n            - a:\n                b: c\n        x: []\n        "y": {}\n        z:\n            - - 1\n              - 2\n            - - a\ncustomization: {}\n',
  ],
];

for (const [submitted, canonical] of same)
  test(`it means what it says, however it is written: ${submitted}`, (t) => {
    t.is(canonicalText(parseSchematic(submitted)), canonical);
  });

const refused: readonly (readonly [string, string, number, number, string])[] = [
  ['', 'ERR_SCHEMATIC_SYNTAX', 1, 1, ''],
  ['# nothing\n', 'ERR_SCHEMATIC_SYNTAX', 1, 1, ''],
  ['a: [', 'ERR_SCHEMATIC_SYNTAX', 1, 5, ''],
  ['{}\n---\n{}\n', 'ERR_SCHEMATIC_SYNTAX', 2, 1, ''],
  ['%YAML 1.1\n---\n{}', 'ERR_SCHEMATIC_SYNTAX', 1, 1, ''],
  ['[]', 'ERR_SCHEMATIC_FIELD', 1, 1, ''],
  ['customization:\n  extraKernelArg: []', 'ERR_SCHEMATIC_FIELD', 2, 3, 'customization.extraKernelArg'],
  ['customization: {}\ncustomization: {}', 'ERR_SCHEMATIC_FIELD', 2, 1, 'customization'],
  ['customization: {extraKernelArgs: noapic}', 'ERR_SCHEMATIC_FIELD', 1, 34, 'customization.extraKernelArgs'],
  [
    'customization: {extraKernelArgs: [{a: b}]}',
    'ERR_SCHEMATIC_FIELD',
    1,
    35,
    'customization.extraKernelArgs[0]',
  ],
  [
    'customization: {extraKernelArgs: ["a\\nb"]}',
    'ERR_SCHEMATIC_VALUE',
    1,
    35,
    'customization.extraKernelArgs[0]',
  ],
  [
    'customization: {extraKernelArgs: [\'a="b"\']}',
    'ERR_SCHEMATIC_VALUE',
    1,
    35,
    'customization.extraKernelArgs[0]',
  ],
  [
    'customization: {extraKernelArgs: ["a\\0"]}',
    'ERR_SCHEMATIC_VALUE',
    1,
    35,
    'customization.extraKernelArgs[0]',
  ],
  [
    'customization: {extraKernelArgs: [a b]}',
    'ERR_SCHEMATIC_VALUE',
    1,
    35,
    'customization.extraKernelArgs[0]',
  ],
  ['customization: {meta: [{key: 32, value: x}]}', 'ERR_SCHEMATIC_VALUE', 1, 30, 'customization.meta[0].key'],
  [
    'customization: {meta: [{key: "10", value: x}]}',
    'ERR_SCHEMATIC_FIELD',
    1,
    30,
    'customization.meta[0].key',
  ],
  [
    'customization: {meta: [{key: 1, value: "a\\u2028"}]}',
    'ERR_SCHEMATIC_VALUE',
    1,
    40,
    'customization.meta[0].value',
  ],
  [
    'customization: {secureboot: {enrollKeys: nonsense}}',
    'ERR_SCHEMATIC_VALUE',
    1,
    42,
    'customization.secureboot.enrollKeys',
  ],
  [
    'customization: {diskImage: {sectorSize: 513}}',
    'ERR_SCHEMATIC_VALUE',
    1,
    41,
    'customization.diskImage.sectorSize',
  ],
  ['customization: {bootloader: lilo}', 'ERR_SCHEMATIC_VALUE', 1, 29, 'customization.bootloader'],
  [
    'customization: {systemExtensions: {officialExtensions: [../x]}}',
    'ERR_SCHEMATIC_VALUE',
    1,
    57,
    'customization.systemExtensions.officialExtensions[0]',
  ],
  [
    'customization: {embeddedMachineConfiguration: "\\na"}',
    'ERR_SCHEMATIC_VALUE',
    1,
    47,
    'customization.embeddedMachineConfiguration',
  ],
  ['overlay: {image: i}', 'ERR_SCHEMATIC_VALUE', 1, 10, 'overlay'],
  [
    'overlay: {image: i, name: n, options: {a: 2001-01-01}}',
    'ERR_SCHEMATIC_VALUE',
    1,
    43,
    'overlay.options.a',
  ],
  [
    'customization: {meta: [{key: 1, value: " a\\nb"}]}',
    'ERR_SCHEMATIC_VALUE',
    1,
    40,
    'customization.meta[0].value',
  ],
  ['owner: a b', 'ERR_SCHEMATIC_VALUE', 1, 8, 'owner'],
  ['customization: &a {}', 'ERR_SCHEMATIC_SYNTAX', 1, 19, 'customization'],
  ['customization: !!map {}', 'ERR_SCHEMATIC_SYNTAX', 1, 22, 'customization'],
  [
    `customization: {extraKernelArgs: [${'a,'.repeat(129)}]}`,
    'ERR_SCHEMATIC_LIMIT',
    1,
    34,
    'customization.extraKernelArgs',
  ],
  [
    `customization: {extraKernelArgs: [${'a'.repeat(1025)}]}`,
    'ERR_SCHEMATIC_LIMIT',
    1,
    35,
    'customization.extraKernelArgs[0]',
  ],
  [`owner: ${'a'.repeat(65_536)}`, 'ERR_SCHEMATIC_LIMIT', 1, 1, ''],
  [
    `customization: {embeddedMachineConfiguration: ${'a'.repeat(32_769)}}`,
    'ERR_SCHEMATIC_LIMIT',
    1,
    47,
    'customization.embeddedMachineConfiguration',
  ],
  ['['.repeat(65_000), 'ERR_SCHEMATIC_LIMIT', 1, 1, ''],
  ['- '.repeat(30_000), 'ERR_SCHEMATIC_LIMIT', 1, 1, ''],
  ['['.repeat(40), 'ERR_SCHEMATIC_LIMIT', 1, 1, ''],
  ['owner: ann\n'.repeat(5_000), 'ERR_SCHEMATIC_LIMIT', 1, 1, ''],
  [`owner: ann\n${'#\n'.repeat(10_000)}`, 'ERR_SCHEMATIC_LIMIT', 1, 1, ''],
  ['!a '.repeat(20_000), 'ERR_SCHEMATIC_LIMIT', 1, 1, ''],
];

for (const [text, code, line, column, field] of refused)
  test(`refused with its place: ${JSON.stringify(text.slice(0, 80))}`, (t) => {
    const error = t.throws(() => parseSchematic(text), { instanceOf: SchematicError });
    t.like(error, { code, line, column, field });
  });

/** A line of a list each, with a comment. */
const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `        - ${item(index)} # the ${index}th\n`).join('');

test('a schematic with all that there may be, and a comment to each line, is read', (t) => {
  const text = [
    'customization:\n    extraKernelArgs: # words\n',
    list(128, (index) => `word=${index}`),
    '    meta:\n',
    list(64, (index) => `{key: ${index % 32}, value: "a: b, c"}`),
    '    systemExtensions:\n        officialExtensions:\n',
    list(64, (index) => `os/extension-${index}`).replaceAll('        -', '            -'),
    `    embeddedMachineConfiguration: |\n${'        a: [1, 2, {b: c}]\n'.repeat(1_000)}`,
  ].join('');
  const { customization } = parseSchematic(text);
  t.is(customization?.extraKernelArgs?.length, 128);
  t.is(customization?.systemExtensions?.officialExtensions?.length, 64);
});

test('what an error says never has the text in it', (t) => {
  const secret = 'os.link=https://fleet/?jointoken=HUSH"';
  const error = t.throws(() => parseSchematic(`customization: {extraKernelArgs: ['${secret}']}`));
  t.false(error?.message.includes('HUSH'));
});

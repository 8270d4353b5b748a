import { isScalar, type Node } from 'yaml';

import { isSizeMistake, parseSize } from '../../size.ts';
import { type Move, type Refusal } from '../move.ts';
import { fieldsOfNode, mapping, part, textOfNode, word } from '../nodes.ts';

/** Settings of an installation that are the image's own today: nothing of them is in a document. */
const ofTheImage = ['extraKernelArgs', 'extensions', 'bootloader', 'legacyBIOSSupport', 'grubUseUKICmdline'];

/** The disk and the image of an installation. */
export const install: Move = {
  from: ['machine.install'],
  into: ['UnattendedInstallConfig'],
  parts: ({ at }) => {
    const value = at('machine.install');
    const { disk, diskSelector, image, wipe, ...rest } = fieldsOfNode(value);
    const own = ofTheImage.find((name) => rest[name] !== undefined);
    if (own !== undefined) return { why: `${own} has no place in a document: it is the image's` };
    const match = diskSelector === undefined ? byPath(disk) : expression(diskSelector);
    if (typeof match !== 'string') return match;
    return [
      part(
        'UnattendedInstallConfig',
        mapping(value, {
          installer: image && mapping(image, { image }),
          provisioning: mapping(disk ?? diskSelector, {
            diskSelector: mapping(disk ?? diskSelector, { match: word(match, disk ?? diskSelector) }),
            wipe,
          }),
        }),
      ),
    ];
  },
};

function byPath(disk: Node | undefined): string | Refusal {
  const path = textOfNode(disk);
  return path === undefined || path === ''
    ? { why: 'names no disk' }
    : `disk.dev_path == ${JSON.stringify(path)}`;
}

/** Names of the same thing here and in the expression. */
const plainFields: Readonly<Record<string, string>> = {
  model: 'model',
  serial: 'serial',
  modalias: 'modalias',
  uuid: 'uuid',
  wwid: 'wwid',
  busPath: 'bus_path',
};

const types: Readonly<Record<string, string>> = {
  nvme: 'disk.transport == "nvme"',
  ssd: '!disk.rotational',
  hdd: 'disk.rotational',
  sd: 'disk.transport == "mmc"',
};

/** An expression over `disk` that is true for what the selector selects. */
function expression(selector: Node): string | Refusal {
  const terms: string[] = [];
  for (const [name, value] of Object.entries(fieldsOfNode(selector))) {
    const text = isScalar(value) ? String(value.value) : '';
    const field = plainFields[name];
    const term =
      name === 'size'
        ? sizeTerm(text)
        : name === 'type'
          ? types[text]
          : field !== undefined
            ? globbed(`disk.${field}`, text)
            : name === 'name'
              ? globbed('disk.dev_path', text.startsWith('/') ? text : `/dev/${text}`)
              : undefined;
    if (term === undefined)
      return { why: `diskSelector.${name} has no expression: write UnattendedInstallConfig by hand` };
    terms.push(term);
  }
  return terms.join(' && ');
}

function globbed(field: string, text: string): string {
  return /[*?[]/u.test(text)
    ? `glob(${JSON.stringify(text)}, ${field})`
    : `${field} == ${JSON.stringify(text)}`;
}

function sizeTerm(text: string): string | undefined {
  const [, operator = '', amount = ''] = /^\s*(==|<=|>=|<|>|=)?\s*(.+?)\s*$/u.exec(text) ?? [];
  const size = parseSize(amount);
  if (isSizeMistake(size) || size.kind !== 'bytes' || size.negative) return undefined;
  return `disk.size ${operator === '' || operator === '=' ? '==' : operator} ${size.bytes}u`;
}

import type { Test } from './decision.ts';
import { extension, extensionOf } from './extension.ts';
import { hexadecimal } from './instruction.ts';
import { type Field, type Shows, versionField } from './fields.ts';
import { fieldOf, type Layer } from './layers.ts';
import { etherTypes, packetTypes, tcpFlags } from './protocol-names.ts';
import type { Value } from './symbolic.ts';

/** A test in words: `ip protocol is TCP`, `tcp destination port is at least 1024`. */
export function testInWords(test: Test, negated: boolean, layers: readonly Layer[]): string {
  const { relation, left, right } = test;
  const special = specialTest(test, negated, layers);
  if (special !== undefined) return special;
  const subject = nameOf(left, layers);
  const found = fieldOf(left, layers);
  const isWhole =
    found !== undefined && found.skip === 0 && left.kind === 'load' && left.size === found.field.size;
  const shows = isWhole ? found.field.shows : found === undefined ? showsOf(left) : 'hexadecimal';
  const object = right.kind === 'constant' ? valueInWords(right.value, shows) : nameOf(right, layers);
  if (relation === 'has') {
    return `${subject} & ${right.kind === 'constant' ? hexadecimal(right.value) : object} is ${negated ? '' : 'not '}0`;
  }
  const verbs = {
    '=': ['is', 'is not'],
    '>': ['is more than', 'is at most'],
    '>=': ['is at least', 'is less than'],
  };
  return `${subject} ${verbs[relation][negated ? 1 : 0]} ${object}`;
}

/** Tests that everybody knows by another name. */
function specialTest(
  { relation, left, right }: Test,
  negated: boolean,
  layers: readonly Layer[],
): string | undefined {
  if (right.kind !== 'constant') return undefined;
  if (left.kind === 'extension' && left.k === extension.vlanPresent && relation === '=') {
    const present = (right.value === 1) !== negated;
    return right.value > 1 ? undefined : `a VLAN tag ${present ? 'was' : 'was not'} taken out of the frame`;
  }
  const isHas = relation === 'has';
  if (isVlanNumber(left) && relation === '=')
    return `VLAN taken out is ${negated ? 'not ' : ''}${right.value}`;
  const masked = isHas ? { value: left, mask: right.value } : maskOf(left);
  const field = masked === undefined ? undefined : fieldOf(masked.value, layers)?.field;
  if (masked === undefined || field === undefined) return undefined;
  const { mask } = masked;
  if (field.name === 'ip flags and fragment offset' && mask === 0x1fff && (isHas || right.value === 0)) {
    const isFirst = isHas ? negated : relation === '=' && !negated;
    return isFirst ? 'it is not a later fragment' : 'it is a later fragment';
  }
  if (field.name === versionField && mask === 0xf0 && relation === '=') {
    return `ip version is ${negated ? 'not ' : ''}${right.value >>> 4}`;
  }
  if (field.shows === 'tcp flags') {
    if (isHas) return flagsPresent(mask, !negated);
    if (relation === '=') return flagTest(mask, right.value, negated);
  }
  if (relation !== '=' || isHas) return undefined;
  const verb = negated ? 'is not' : 'is';
  if (field.name === 'VLAN tag' && mask === 0xfff) return `VLAN ${verb} ${right.value}`;
  if (field.shows === 'IPv4 address' && field.size === 4) {
    const bits = prefixLength(mask);
    if (bits !== undefined)
      return `${field.name} ${verb} in ${valueInWords(right.value, 'IPv4 address')}/${bits}`;
  }
  return undefined;
}

/** The lowest twelve bits of the tag. */
function isVlanNumber(value: Value): boolean {
  const masked = maskOf(value);
  return masked?.mask === 0xfff && masked.value.kind === 'extension' && masked.value.k === extension.vlanTag;
}

function flagTest(mask: number, value: number, negated: boolean): string {
  if (value === 0) return flagsPresent(mask, negated);
  return `tcp flags among ${flagsInWords(mask)} are ${negated ? 'not ' : ''}${flagsInWords(value)}`;
}

function flagsPresent(mask: number, present: boolean): string {
  const single = (mask & (mask - 1)) === 0;
  if (single) return `tcp flags ${present ? 'have' : 'lack'} ${flagsInWords(mask)}`;
  return `tcp flags have ${present ? 'one' : 'none'} of ${flagsInWords(mask)}`;
}

function maskOf(value: Value): { readonly value: Value; readonly mask: number } | undefined {
  if (value.kind !== 'operation' || value.mnemonic !== 'and' || value.right.kind !== 'constant')
    return undefined;
  return { value: value.left, mask: value.right.value };
}

function prefixLength(mask: number): number | undefined {
  const bits = Math.clz32(~mask >>> 0);
  return (0xffffffff << (32 - bits)) >>> 0 === mask && bits > 0 && bits < 32 ? bits : undefined;
}

/** What a value is, by the name of the field or by its place. */
export function nameOf(value: Value, layers: readonly Layer[]): string {
  if (value.kind === 'load') return loadInWords(value, layers);
  if (value.kind === 'operation') return operationInWords(value, layers);
  if (value.kind === 'extension') return extensionOf(value.k)?.words ?? hexadecimal(value.k);
  if (value.kind === 'header') return `4*(byte ${value.offset} & 0xf)`;
  if (value.kind === 'result') return `what instruction ${value.instruction} computes`;
  return value.kind === 'length' ? 'packet length' : value.value.toString();
}

const signs: ReadonlyMap<string, string> = new Map(
  ['add +', 'sub -', 'mul *', 'div /', 'mod %', 'or |', 'and &', 'xor ^', 'lsh <<', 'rsh >>'].map((pair) => {
    const [mnemonic = '', sign = ''] = pair.split(' ');
    return [mnemonic, sign];
  }),
);

function operationInWords(value: Value & { kind: 'operation' }, layers: readonly Layer[]): string {
  const left = nameOf(value.left, layers);
  if (value.mnemonic === 'neg') return `-(${left})`;
  const right =
    value.right.kind === 'constant' && ['and', 'or', 'xor'].includes(value.mnemonic)
      ? hexadecimal(value.right.value)
      : nameOf(value.right, layers);
  return `(${left} ${signs.get(value.mnemonic) ?? value.mnemonic} ${right})`;
}

function loadInWords(value: Value & { kind: 'load' }, layers: readonly Layer[]): string {
  const found = fieldOf(value, layers);
  if (found !== undefined) return partInWords(found.field, found.skip, value.size);
  const from = value.base === undefined ? '' : `${nameOf(value.base, layers)} + `;
  const offset = value.base === undefined ? value.offset : value.offset | 0;
  return value.size === 1 ? `byte ${from}${offset}` : `${value.size} bytes at ${from}${offset}`;
}

function partInWords(field: Field, skip: number, size: number): string {
  if (skip === 0 && size === field.size) return field.name;
  return size === 1
    ? `byte ${skip} of ${field.name}`
    : `bytes ${skip} to ${skip + size - 1} of ${field.name}`;
}

/** For values that are not in the packet. */
function showsOf(value: Value): Shows {
  const name = value.kind === 'extension' ? extensionOf(value.k)?.disassembly : undefined;
  if (name === 'type') return packetTypes;
  return name === 'proto' || name === 'vlan_tpid' ? etherTypes : 'number';
}

function valueInWords(value: number, shows: Shows): string {
  if (typeof shows !== 'string')
    return shows.get(value) ?? (shows === etherTypes ? hexadecimal(value) : `${value}`);
  const bytes = [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
  if (shows === 'IPv4 address') return bytes.join('.');
  if (shows === 'tcp flags') return flagsInWords(value);
  return shows === 'hexadecimal' ? hexadecimal(value) : `${value}`;
}

function flagsInWords(value: number): string {
  const names = tcpFlags.filter((_, bit) => (value & (1 << bit)) !== 0);
  return names.length === 0 ? 'none' : names.join('+');
}

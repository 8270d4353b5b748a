import type { Condition } from '../src/condition.ts';
import type { Test } from '../src/decision.ts';
import { type Context, run } from '../src/index.ts';
import { parse } from '../src/parse.ts';
import type { Value } from '../src/symbolic.ts';

/** A load outside the packet, or a division by zero: the program ends and refuses. */
export class Ended extends Error {}

export type Packet = { readonly bytes: Uint8Array; readonly context: Context };

/** What a symbolic value is in a packet. */
export function valueIn(value: Value, packet: Packet): number {
  if (value.kind === 'constant') return value.value;
  if (value.kind === 'length') return packet.context.length ?? packet.bytes.length;
  if (value.kind === 'extension') return run(parse(`ld [${value.k}]\nret a`), packet.bytes, packet.context);
  if (value.kind === 'header') return (byteAt(packet, value.offset) & 0xf) * 4;
  if (value.kind === 'operation') {
    return calculate(value.mnemonic, valueIn(value.left, packet), valueIn(value.right, packet));
  }
  if (value.kind === 'result') throw new TypeError('not to be known');
  const base = value.base === undefined ? 0 : valueIn(value.base, packet);
  const at = (base + value.offset) >>> 0;
  let read = 0;
  for (let index = 0; index < value.size; index += 1) read = read * 256 + byteAt(packet, at + index);
  return read;
}

function byteAt({ bytes }: Packet, offset: number): number {
  const byte = bytes[offset];
  if (byte === undefined) throw new Ended();
  return byte;
}

function calculate(mnemonic: string, left: number, right: number): number {
  if ((mnemonic === 'div' || mnemonic === 'mod') && right === 0) throw new Ended();
  const program = parse(`ldi ${left}\nldxi ${right}\n${mnemonic} ${mnemonic === 'neg' ? '' : 'x'}\nret a`);
  return run(program, new Uint8Array());
}

function holdsTest({ relation, left, right }: Test, packet: Packet): boolean {
  const [a, b] = [valueIn(left, packet), valueIn(right, packet)];
  if (relation === '=') return a === b;
  if (relation === '>') return a > b;
  return relation === '>=' ? a >= b : (a & b) !== 0;
}

/** Whether a condition holds for a packet, evaluated from left to right. */
export function holds(condition: Condition, packet: Packet): boolean {
  if (condition.kind === 'test') return holdsTest(condition.test, packet) !== condition.negated;
  if (condition.kind === 'all') return condition.of.every((part) => holds(part, packet));
  if (condition.kind === 'any') return condition.of.some((part) => holds(part, packet));
  return condition.kind === 'always';
}

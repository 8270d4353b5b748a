import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { etherTypeName } from '../names.ts';
import { hexNumber } from '../text.ts';

export type GeneveOption = {
  readonly class: number;
  readonly type: number;
  readonly critical: boolean;
  /** Bytes of its data. */
  readonly length: number;
};

/** Generic network virtualization encapsulation (RFC 8926). */
export type Geneve = {
  readonly protocol: 'geneve';
  readonly control: boolean;
  readonly critical: boolean;
  readonly protocolType: number;
  readonly vni: number;
  readonly options: readonly GeneveOption[];
};

/** Reads the header and the options of Geneve; the frame in it follows. */
export function readGeneve(bytes: Reader, packet: Dissection<Geneve>): void {
  if (!bytes.need(8)) return;
  const first = bytes.u8();
  if (first >> 6 !== 0) return bytes.damage(`version ${first >> 6}`);
  const bits = bytes.u8();
  const protocolType = bytes.u16();
  const vni = bytes.u24();
  bytes.skip(1);
  const list = bytes.slice((first & 0x3f) * 4);
  const options: GeneveOption[] = [];
  while (list.wireLeft > 0 && list.need(4)) {
    const optionClass = list.u16();
    const type = list.u8();
    const length = (list.u8() & 0x1f) * 4;
    list.slice(length);
    options.push({ class: optionClass, type: type & 0x7f, critical: (type & 0x80) !== 0, length });
  }
  packet.push({
    protocol: 'geneve',
    control: (bits & 0x80) !== 0,
    critical: (bits & 0x40) !== 0,
    protocolType,
    vni,
    options,
  });
  packet.next('etherType', protocolType, bytes);
}

/** `Geneve, Flags [C], vni 10, proto …`; from verbose 1 on with its options. */
export function geneveLine(
  { control, critical, protocolType, vni, options }: Geneve,
  verbose: number,
): string {
  const flags = `${control ? 'O' : ''}${critical ? 'C' : ''}`;
  const shown = options.map(
    (option) => `class ${hexNumber(option.class, 4)} type ${hexNumber(option.type)} length ${option.length}`,
  );
  const list = verbose === 0 || shown.length === 0 ? '' : `, options [${shown.join(', ')}]`;
  return `Geneve, Flags [${flags === '' ? 'none' : flags}], vni ${vni}, proto ${etherTypeName(protocolType)}${list}`;
}

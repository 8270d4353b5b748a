import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

const named: Readonly<Record<string, number>> = { main: 254, local: 255, default: 253 };

/** The number of a routing table, which may be written as `main`, `local` or `default`. */
export const routingTable: Type<number> = parsed('a routing table', {
  literal: true,
  json: { type: ['string', 'integer'] },
  parse: (text) => {
    const id = Object.hasOwn(named, text) ? named[text] : /^[1-9]\d{0,9}$/u.test(text) ? Number(text) : 0;
    return id !== undefined && id >= 1 && id <= 4_294_967_295
      ? id
      : new Mistake('table.invalid', 'must be main, local, default or 1 to 4294967295');
  },
});

/** Whether a table is one that the kernel itself fills. */
export function isKernelTable(id: number): boolean {
  return Object.values(named).includes(id);
}

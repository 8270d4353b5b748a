import { extension } from './extension.ts';
import type { Word } from './filter-words.ts';
import { code } from './opcode.ts';
import { type Program, program } from './program.ts';

/** Behind one of these, `vlan` is about what is inside a tunnel, where no network card takes tags out. */
const tunnels = ['mpls', 'geneve', 'pppoes', 'pppoed'];

/**
 * The program that also knows tags beside the frame. The first `vlan` of a filter is about the outermost tag. When the
 * kernel has taken it out, the test is about the kernel's copy, and nothing behind it is shifted; else it is about the
 * frame, as compiled.
 *
 * @param compile compiles another text with the same settings.
 */
export async function withVlanOffload(
  inFrame: Program,
  words: readonly Word[],
  text: string,
  compile: (text: string) => Promise<Program>,
): Promise<Program> {
  const index = words.findIndex((word) => word.text === 'vlan');
  const vlan = words[index];
  if (vlan === undefined || words.slice(0, index).some((word) => tunnels.includes(word.text))) return inFrame;
  const number = vlanNumber(words.slice(index + 1));
  const last = number?.last ?? vlan;
  const before = text.slice(0, vlan.offset);
  const after = text.slice(last.offset + last.text.length);
  const beside = await compile(`${before} ${testBeside(number?.value)} ${after}`);
  return program([
    { code: code.ldb, jt: 0, jf: 0, k: extension.vlanPresent },
    { code: code.jeq, jt: 0, jf: 1, k: 0 },
    { code: code.ja, jt: 0, jf: 0, k: beside.length },
    ...beside,
    ...inFrame,
  ]);
}

/** libpcap passes an offset on as it is, so that an offset that means a value of the kernel's can be written down. */
function testBeside(number: string | undefined): string {
  if (number === undefined) return `(ether[${extension.vlanPresent}] = 1)`;
  return `(ether[${extension.vlanTag}:2] & 0xfff = ${number})`;
}

/** The number behind `vlan`, perhaps in parentheses. */
function vlanNumber(words: readonly Word[]): { readonly value: string; readonly last: Word } | undefined {
  const [first, second, third] = words;
  if (first !== undefined && isNumber(first)) return { value: first.text, last: first };
  if (first?.text !== '(' || second === undefined || !isNumber(second) || third?.text !== ')')
    return undefined;
  return { value: second.text, last: third };
}

function isNumber(word: Word): boolean {
  return /^(?:0x[0-9a-f]+|\d+)$/i.test(word.text);
}

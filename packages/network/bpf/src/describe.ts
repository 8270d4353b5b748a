import { extensionOf } from './extension.ts';
import { hexadecimal, type Instruction, signed } from './instruction.ts';
import { type Operand, opcodeOf } from './opcode.ts';

/** An instruction in the words of `tcpdump -d`, without its number and targets: `ldh [12]`, `jeq #0x800`. */
export function describe(instruction: Instruction): string {
  const opcode = opcodeOf(instruction.code);
  if (opcode === undefined) return `code ${hexadecimal(instruction.code)}`;
  return `${opcode.mnemonic} ${operand(instruction)}`.trimEnd();
}

/** The operand as `tcpdump -d` prints it; empty where there is none. A jump's target is not an operand. */
export function operand({ code, k }: Instruction): string {
  const opcode = opcodeOf(code);
  if (opcode === undefined) return '';
  const constant = opcode.hexadecimal ? hexadecimal(k) : signed(k);
  const operands: Readonly<Record<Operand, string>> = {
    none: '',
    target: '',
    accumulator: '',
    x: 'x',
    constant: `#${constant}`,
    absolute: `[${extensionOf(k)?.disassembly ?? signed(k)}]`,
    indirect: `[x + ${signed(k)}]`,
    header: `4*([${signed(k)}]&0xf)`,
    memory: `M[${signed(k)}]`,
    length: '#pktlen',
  };
  return operands[opcode.operand];
}

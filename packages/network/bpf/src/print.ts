import { operand } from './describe.ts';
import { extensionOf } from './extension.ts';
import type { Form } from './form.ts';
import { hexadecimal, type Instruction } from './instruction.ts';
import { branches, code, opcodeOf } from './opcode.ts';
import type { Program } from './program.ts';

/**
 * A program as text, with a newline at the end. The first three forms are what `tcpdump -d`, `-dd` and `-ddd` print,
 * byte for byte; `assembly` is what the kernel's bpf_asm reads.
 */
export function print(program: Program, form: Form): string {
  return printers[form](program);
}

const printers: Readonly<Record<Form, (program: Program) => string>> = {
  disassembly: (program) => lines(program.map(disassemble)),
  initializers: (program) => lines(program.map(initializer)),
  numbers: (program) => lines([program.length.toString(), ...program.map(numbers)]),
  assembly: assemble,
};

function lines(list: readonly string[]): string {
  return list.map((line) => `${line}\n`).join('');
}

/** One line of `tcpdump -d`; `index` is the instruction's own number. */
export function disassemble(instruction: Instruction, index: number): string {
  const number = `(${index.toString().padStart(3, '0')})`;
  const opcode = opcodeOf(instruction.code);
  // libpcap has no name for `ldx len`, which the kernel takes.
  if (opcode === undefined || instruction.code === code.ldxLength) {
    return `${number} unimp    ${hexadecimal(instruction.code)}`;
  }
  const mnemonic = opcode.mnemonic.padEnd(8);
  if (instruction.code === code.ja) return `${number} ${mnemonic} ${(index + 1 + instruction.k) | 0}`;
  if (!opcode.branches) return `${number} ${mnemonic} ${operand(instruction)}`;
  const targets = `jt ${index + 1 + instruction.jt}\tjf ${index + 1 + instruction.jf}`;
  return `${number} ${mnemonic} ${operand(instruction).padEnd(16)} ${targets}`;
}

function initializer({ code, jt, jf, k }: Instruction): string {
  return `{ ${hexadecimal(code)}, ${jt}, ${jf}, 0x${k.toString(16).padStart(8, '0')} },`;
}

function numbers({ code, jt, jf, k }: Instruction): string {
  return `${code} ${jt} ${jf} ${k}`;
}

function assemble(program: Program): string {
  const targets = new Set<number>();
  for (const [index, { code: number, jt, jf, k }] of program.entries()) {
    if (number === code.ja) targets.add(index + 1 + k);
    if (branches(number)) targets.add(index + 1 + jt).add(index + 1 + jf);
  }
  return program
    .map((instruction, index) => {
      const label = targets.has(index) ? `L${index}:` : '';
      return `${label.padEnd(8)}${statement(instruction, index)}\n`;
    })
    .join('');
}

function statement(instruction: Instruction, index: number): string {
  const { code: number, jt, jf, k } = instruction;
  const mnemonic = opcodeOf(number)?.mnemonic ?? '';
  if (number === code.ja) return `ja L${index + 1 + k}`;
  const shown = assemblyOperand(instruction);
  if (!branches(number)) return `${mnemonic} ${shown}`.trimEnd();
  return `${mnemonic} ${shown}, L${index + 1 + jt}, L${index + 1 + jf}`;
}

/** As {@link operand}, where bpf_asm writes it differently. */
function assemblyOperand(instruction: Instruction): string {
  const { k } = instruction;
  const kind = opcodeOf(instruction.code)?.operand;
  if (kind === 'absolute') return extensionOf(k)?.assembly ?? `[${offset(k)}]`;
  if (kind === 'indirect') return `[x + ${offset(k)}]`;
  if (kind === 'header') return `4*([${offset(k)}]&0xf)`;
  if (kind === 'length') return 'len';
  return kind === 'accumulator' ? 'a' : operand(instruction);
}

/** bpf_asm reads a decimal number as signed: beyond 2^31 hexadecimal is the unmistakable way. */
function offset(k: number): string {
  return k > 0x7fffffff ? hexadecimal(k) : k.toString();
}

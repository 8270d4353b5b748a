import { describe } from './describe.ts';
import { BpfError } from './errors.ts';
import { extension, extensionBase } from './extension.ts';
import type { Instruction } from './instruction.ts';
import { code, opcodeOf } from './opcode.ts';
import { type Program, program } from './program.ts';
import { relocate, type Step, toSteps } from './relocate.ts';

/** Of LINKTYPE_LINUX_SLL2, which user space puts before a packet of a socket of type SOCK_DGRAM. */
const headerSize = 20;

/** Where the kernel keeps what the header will say: offset and load to extension. */
const fields: ReadonlyMap<string, number> = new Map([
  [`0 ${code.ldh}`, extension.protocol],
  [`4 ${code.ld}`, extension.interfaceIndex],
  [`8 ${code.ldh}`, extension.hardwareType],
  [`10 ${code.ldb}`, extension.packetType],
]);

/**
 * A program for link type LINUX_SLL2 as the kernel must run it on a packet socket of type SOCK_DGRAM (packet(7)):
 * there, packets begin with their network header, and what the SLL2 header will say is beside them.
 *
 * @throws {BpfError} `ERR_BPF_INVALID` when the program looks at the address in the header, which the kernel does not
 *   have for it, or may look into the header at an offset that it computes.
 */
export function forDatagramSocket(list: Program): Program {
  const steps = toSteps(list, 0).flatMap((step, index) => translate(step, list[index] as Instruction, index));
  return program(relocate(steps));
}

function translate(step: Step, instruction: Instruction, index: number): readonly Step[] {
  const { code: number, k } = step;
  const operand = opcodeOf(number)?.operand;
  if (operand === 'length') return lengthWithHeader(step);
  if (operand === 'absolute' && k >= extensionBase) return [step];
  if (operand !== 'absolute' && operand !== 'indirect' && operand !== 'header') return [step];
  if (k >= headerSize && k < 0x80000000) return [{ ...step, k: k - headerSize }];
  const field = operand === 'absolute' ? fields.get(`${k} ${number}`) : undefined;
  if (field !== undefined) return [{ ...step, k: field }];
  const message = `instruction ${index}, ${describe(instruction)}: the kernel doesn't have the SLL2 header it looks into`;
  throw new BpfError('ERR_BPF_INVALID', message, { instruction: index });
}

/** The length that the packet will have with its header, without touching the other register. */
function lengthWithHeader(step: Step): readonly Step[] {
  const add: Step = { code: code.add, k: headerSize };
  if (step.code === code.ldLength) return [step, add];
  throw new BpfError(
    'ERR_BPF_INVALID',
    'ldx len: the length with the SLL2 header is only known to the accumulator',
  );
}

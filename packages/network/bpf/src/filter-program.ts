import { tooComplex } from './compiler-process.ts';
import { BpfError } from './errors.ts';
import { errorAt } from './filter-error.ts';
import { type Word, wordsOf } from './filter-words.ts';
import { instructionsIn, type Program, program } from './program.ts';
import { unroll } from './unroll.ts';

/** Up to this many words, no filter takes noticeable time or stack, and libpcap is called in our process. */
export const fewWords = 64;
/** More words than this make more instructions than the kernel takes, whatever they say. */
const manyWords = 2048;

/** The words of a text, unless it has too many or can't be handed to C. */
export function checkedWords(text: string): readonly Word[] {
  const nul = text.indexOf('\0');
  if (nul >= 0) throw errorAt(text, { text: '\0', offset: nul }, 'there is a NUL character here');
  if (text.length > manyWords * 64) throw tooComplex(`it has ${text.length} characters`);
  const words = wordsOf(text);
  if (words.length > manyWords) throw tooComplex(`it has ${words.length} words, more than ${manyWords}`);
  return words;
}

/** The program in libpcap's output, which may be more than the kernel takes. */
export function programOf(instructions: Uint8Array): Program {
  try {
    return program(unroll(instructionsIn(instructions)));
  } catch (error) {
    if (!(error instanceof BpfError)) throw error;
    throw new BpfError(
      'ERR_BPF_COMPLEX',
      `the kernel can't run this filter: ${error.message.replace(/^bpf: /, '')}`,
      {
        cause: error,
      },
    );
  }
}

import { bootArguments } from '@nodecore/boot';
import { kernelArgument } from '@nodecore/config/kernel-arguments';

import { kernelArguments, kernelWords } from '../image/kernel-arguments.ts';
import { KexecError } from './errors.ts';

/** Says that a kernel was started without the firmware. */
export const startArgument: string = kernelArgument.bootStart;
const byKexec = `${startArgument}=kexec`;
/** A kernel that panics before PID 1 runs has nobody else to say so. */
const afterPanic = 'panic=10';
/** COMMAND_LINE_SIZE of the kernel, with the zero at its end. */
const longestLine = 2048;

const ofGrub: ReadonlySet<string> = new Set<string>(Object.values(bootArguments));
/** What is on a line beside what the image says. `BOOT_IMAGE` is a word of GRUB's own. */
const ofTheStart: ReadonlySet<string> = new Set([startArgument, 'BOOT_IMAGE', ...ofGrub]);

/** Whether the firmware has started what runs, or the kernel before it. */
export function startedBy(runningLine: string): 'firmware' | 'kexec' {
  return kernelArguments(runningLine).get(startArgument) === 'kexec' ? 'kexec' : 'firmware';
}

/**
 * The command line for another start of the image that runs, without the firmware.
 *
 * @param image what the image itself says.
 * @throws {KexecError} `ERR_KEXEC_UNPROVEN` when somebody has given the running one another line: the firmware would do it again.
 */
export function nextCommandLine(image: string, runningLine: string): string {
  const [own, running] = [kernelWords(image), kernelWords(runningLine)];
  const hasPanic = own.some((word) => nameOf(word) === 'panic');
  const isOurs = (word: string): boolean =>
    ofTheStart.has(nameOf(word)) || (!hasPanic && word === afterPanic);
  const given = running.filter((word) => !isOurs(word));
  if (given.join(' ') !== own.join(' '))
    throw new KexecError(
      'ERR_KEXEC_UNPROVEN',
      'this system was started with another command line than its image has',
    );
  const next = [
    image,
    ...running.filter((word) => ofGrub.has(nameOf(word))),
    ...(hasPanic ? [] : [afterPanic]),
    byKexec,
  ].join(' ');
  if (next.length < longestLine) return next;
  throw new KexecError(
    'ERR_KEXEC_UNPROVEN',
    `the command line has ${next.length} bytes: the kernel cuts it off`,
  );
}

function nameOf(word: string): string {
  return word.split('=')[0] ?? '';
}

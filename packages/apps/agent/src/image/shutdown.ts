import { readFile } from 'node:fs/promises';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { kernelArguments } from './kernel-arguments.ts';

/** What a shutdown of the machine comes to: `os.shutdown=halt` on the kernel's command line leaves it on, and still. */
export async function shutdownOf(kernelCommandLine: string): Promise<'poweroff' | 'halt'> {
  const line = await readFile(kernelCommandLine, 'utf8').catch(() => ''); // a machine has to go off all the same
  return kernelArguments(line).get(kernelArgument.shutdown) === 'halt' ? 'halt' : 'poweroff';
}

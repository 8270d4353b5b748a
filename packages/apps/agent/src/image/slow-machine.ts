import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { type KeyDerivation, parseKeyDerivation, parseProofLimit } from '../options.ts';
import { kernelArguments } from './kernel-arguments.ts';

/** What an emulated machine is told, because nobody gives its agent flags. */
export type SlowMachine = { readonly keyDerivation?: KeyDerivation; readonly proofLimit?: number };

/**
 * Reads `os.key-derivation=<passes,KiB>` and `os.proof-limit=<seconds>` of the kernel's command line, which mean what the flags of
 * these names mean. With Secure Boot the line is a part of what was signed.
 *
 * @throws {Error} for a value that the flag would not take.
 */
export function slowMachineOf(commandLine: string): SlowMachine {
  const given = kernelArguments(commandLine);
  const cost = given.get(kernelArgument.keyDerivation);
  const limit = given.get(kernelArgument.proofLimit);
  return {
    ...(cost !== undefined && { keyDerivation: parseKeyDerivation(cost) }),
    ...(limit !== undefined && { proofLimit: parseProofLimit(limit) }),
  };
}

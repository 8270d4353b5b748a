import { codeOf } from '@nodecore/sys';

/**
 * The code of an error of the system, as `EMFILE`, also where it is why a file of a release can't be read; undefined for any other error.
 * Node.js numbers those of the system, and only those.
 */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (codeOf(error) === 'ERR_VIEW_UNREADABLE') return systemCodeOf(error.cause);
  return 'errno' in error && typeof error.errno === 'number' ? codeOf(error) : undefined;
}

/** Of a thread that can't begin Node.js says why in words only; it is always one of the others. */
const scarce: readonly string[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'ERR_WORKER_INIT_FAILED'];

/** Whether a process or its machine has too little of something for a moment: no defect of the factory, wherever it is met. */
export function isScarce(error: unknown): boolean {
  return scarce.includes(codeOf(error) ?? '');
}

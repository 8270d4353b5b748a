/** EX_SOFTWARE of sysexits.h. */
const softwareError = 70;

/**
 * Ends this process with 70 at an error that nobody caught. After a defect nothing in memory is to be trusted; what is on the disk
 * is, and the next start goes on from there.
 *
 * @param tell puts the error into the log, synchronously: the process ends when it returns, or throws.
 */
export function endOnDefect(tell: (defect: unknown) => void): void {
  const end = (error: unknown): void => {
    try {
      tell(error);
    } finally {
      process.exit(softwareError);
    }
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

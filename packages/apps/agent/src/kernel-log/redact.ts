import { redactedArguments, redactedUrls } from '../image/kernel-arguments.ts';

const commandLine = /^((?:Kernel )?[Cc]ommand line:\s*)(.*)$/su;

/** A line of the kernel's log without what its command line, or a URL in it, must not show to readers. */
export function redactedMessage(message: string): string {
  const [, head, rest] = commandLine.exec(message) ?? [];
  return head === undefined || rest === undefined
    ? redactedUrls(message)
    : `${head}${redactedArguments(rest)}`;
}

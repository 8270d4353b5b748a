import { randomUUID } from 'node:crypto';

import { decode } from '@nodecore/config';

import type { Ending, ForcedEnding } from '../ending.ts';
import { longestBytes } from '../configuration/sources.ts';

/** The surroundings of an agent that is the first process of a container, in place of a machine's. */
export type Container = {
  /** Of this start of the container: the kernel's own is this computer's. */
  readonly bootId: string;
  /** The configuration that the container was started with, anew for each call; undefined without one. @throws {TypeError} */
  readonly userData: () => Promise<string | undefined>;
  /** Ends the process, and with it the container. */
  readonly say: (forced: ForcedEnding) => void;
};

/** How the process ends: who runs the container starts it again after this one, and leaves it off after 0. */
export const exitCodes: Readonly<Record<Exclude<Ending, 'restart'> | ForcedEnding, number>> = {
  reboot: 75,
  kexec: 75,
  poweroff: 0,
  halt: 0,
  'force-reboot': 75,
  'force-poweroff': 0,
  'force-halt': 0,
};

/**
 * What `PLATFORM=container` and `USERDATA`, the configuration in base64, say; undefined for another platform. The second goes
 * from the environment: it has secrets, which are for no child.
 */
export function containerOf(environment: NodeJS.ProcessEnv = process.env): Container | undefined {
  if (environment['PLATFORM'] !== 'container') return undefined;
  const packed = environment['USERDATA'] ?? '';
  delete environment['USERDATA'];
  return {
    bootId: randomUUID(),
    userData: async () => (packed === '' ? undefined : textOf(packed)),
    say: (forced) => process.exit(exitCodes[forced]),
  };
}

function textOf(packed: string): string {
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(packed)) throw new TypeError('USERDATA is no base64');
  const bytes = Buffer.from(packed, 'base64');
  if (bytes.length > longestBytes) throw new TypeError(`USERDATA has more than ${longestBytes} bytes`);
  return decode(bytes, { file: 'USERDATA' });
}

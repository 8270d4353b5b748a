import type { PowerOnOptions } from '@nodecore/machine';

import type { KeptMachine } from './messages.ts';

/** A node and its power, whatever it runs in. */
export type Kept = {
  readonly name: string;
  readonly isOn: boolean;
  /** The file of its console. */
  readonly console: string;
  /** @param options `after`: what it is started after. */
  powerOn(options?: Pick<PowerOnOptions, 'boot'> & { readonly after?: Promise<void> }): Promise<void>;
  /** Asks it to go off, and kills it after the grace. */
  powerOff(graceMs: number): Promise<void>;
  reboot(options?: Pick<PowerOnOptions, 'boot'>): Promise<void>;
  view(): KeptMachine;
  /** It goes on without this process. */
  close(): Promise<void>;
};

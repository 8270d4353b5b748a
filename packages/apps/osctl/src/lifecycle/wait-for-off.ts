import type { Endpoint } from '@nodecore/api';
import { systemClock } from '@nodecore/waiting';
import { BlockList, isIP } from 'node:net';

import type { Target } from '../nodes/target.ts';
import { knock } from './knock.ts';
import { type BootWait, factsOf, pauseMs } from './wait-for-boot.ts';

/** How often a silent node's address is looked at, while it says that its kernel, or what stands before it, is there. */
const looks = 30;
/** The same at an address of this computer: a door to the machine stays open whatever becomes of it. */
const ownLooks = 5;

const ownAddresses = new BlockList();
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
ownAddresses.addAddress('::1', 'ipv6');

/** What is known of a machine that was told to go off. */
export type OffState = 'off' | 'silent' | 'addressAnswers';

const offWords: Readonly<Record<OffState, string>> = {
  off: 'is off: nothing answers at its address',
  silent: 'does not answer any more',
  addressAnswers: 'does not answer any more; its address still does, so the machine may not be off yet',
};

/** In words, and for programs. */
export type OffOutcome = { readonly words: string; readonly state: OffState };

export type OffWait = BootWait & { readonly ask?: typeof knock };

/**
 * Resolves when the machine is off, as far as that is known from here: its API ends before the machine has unmounted what it has,
 * and its kernel refuses connections until it is off. An address of this computer, behind which a machine may be, is refused by
 * our own kernel, and that of a door that stays open says nothing.
 *
 * @returns what is known of it.
 * @throws the signal's reason when it fires first.
 */
export async function waitForOff(target: Target, options: OffWait): Promise<OffOutcome> {
  const { before, signal, tell, debug, clock = systemClock, ask = knock } = options;
  for (;;) {
    const facts = await factsOf(target, signal);
    if (typeof facts === 'string' || facts.bootId !== before) break;
    if (debug) tell(target.name, `is ${facts.stage}`);
    await clock.sleep(pauseMs, signal);
  }
  const { endpoint } = target;
  if (endpoint === undefined) return outcome('silent');
  tell(target.name, 'does not answer any more; waits for the machine');
  for (let left = isOwn(endpoint) ? ownLooks : looks; left > 0; left -= 1) {
    const answer = await ask(endpoint, signal);
    if (debug) tell(target.name, `${endpoint.host}:${endpoint.port} ${words[answer]}`);
    if (answer === 'nothing') return outcome('off');
    if (answer === 'refused' && isOwn(endpoint)) return outcome('silent');
    await clock.sleep(pauseMs, signal);
  }
  return outcome('addressAnswers');
}

function outcome(state: OffState): OffOutcome {
  return { words: offWords[state], state };
}

const words = { open: 'takes connections', refused: 'refuses connections', nothing: 'says nothing' } as const;

function isOwn({ host }: Endpoint): boolean {
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : ownAddresses.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

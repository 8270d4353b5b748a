import type { SequenceName } from '../events/event.ts';

/** What holds the machine as a whole; `apply` holds nothing. */
export type Sequence = Exclude<SequenceName, 'apply'>;

/** These end whatever runs: somebody wants the machine off, or what worked before. */
const always = ['shutdown', 'rollback'] as const;

/**
 * Which sequences take over from one that runs: it is cancelled and waited for, and the other one begins. All others are refused.
 * What writes a release is not cut short by a reboot; a reset that is cut short is gone on with after it.
 */
export const takeOvers: Readonly<Record<Sequence, ReadonlySet<Sequence>>> = {
  initialize: new Set([...always, 'reboot', 'install', 'upgrade']),
  boot: new Set([...always, 'reboot', 'reset', 'install', 'upgrade']),
  install: new Set(always),
  upgrade: new Set(always),
  rollback: new Set(always),
  reset: new Set([...always, 'reboot']),
  reboot: new Set([...always, 'reboot']),
  shutdown: new Set(always),
};

/** What ends the machine when another sequence has taken over from one of these and fails: much may have ended by then. */
export const endings: Readonly<Partial<Record<Sequence, 'reboot' | 'shutdown'>>> = {
  reset: 'reboot',
  reboot: 'reboot',
  shutdown: 'shutdown',
};

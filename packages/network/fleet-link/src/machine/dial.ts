import { systemClock, type Clock } from '@nodecore/waiting';
import type { JoinUrl } from '@nodecore/fleet-api/join';
import { codeOf } from '@nodecore/sys';

import type { LinkIdentity } from '../identity.ts';
import { type LinkLimits, linkLimits } from '../limits.ts';
import type { ProvisionAnswer } from '../provision.ts';
import { connectFleet } from './connect.ts';
import { type MachineHandlers, serveFleet } from './serve.ts';

/** Where a link is. */
export type LinkState =
  | { readonly state: 'connecting' }
  /** TLS stands and the fleet's certificate is checked; the fleet has said nothing yet. */
  | { readonly state: 'connected' }
  | { readonly state: 'pending' | 'accepted' }
  | { readonly state: 'denied'; readonly reason: string }
  /** It is gone, or never came about; a code and what it says. */
  | { readonly state: 'waiting'; readonly code: string; readonly reason: string; readonly delayMs: number };

export type DialOptions = {
  readonly url: JoinUrl;
  /** Asked at each attempt: a certificate may have come. */
  readonly identity: () => LinkIdentity;
  readonly handlers: MachineHandlers & { readonly changed?: (state: LinkState) => void };
  /** PEM of the authorities to trust in place of the public ones; a pin in the URL goes before them. */
  readonly roots?: readonly string[];
  readonly limits?: Partial<LinkLimits>;
  readonly clock?: Pick<Clock, 'sleep'>;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly signal: AbortSignal;
};

/** The shortest time between two attempts, and the longest that is waited on the machine's own account. */
export const reconnectMs: { readonly least: number; readonly most: number } = { least: 500, most: 30_000 };
/** What a fleet may ask for. */
const maxRetryAfterMs = 3_600_000;

/**
 * Keeps a machine linked to its fleet until the signal fires: dials, lets the fleet ask, and dials again when the link is gone,
 * after a time that is random up to a bound that doubles.
 *
 * The token in the URL is sent in a session whose certificate was checked, and nowhere else.
 *
 * @example
 * const url = parseJoinUrl('https://fleet.example/?jointoken=w7uVuW3zbVKIYQuzEcyetAHeYMeo5q2L');
 * await dial({ url, identity: () => identity, handlers, signal });
 */
export async function dial(options: DialOptions): Promise<void> {
  const { signal, clock = systemClock, handlers, random = Math.random } = options;
  const changed = handlers.changed ?? ((): void => {});
  for (let failures = 0; !signal.aborted;) {
    const end = await attempt(options, changed);
    if (isAborted(signal)) return;
    failures = end.answer?.state === 'accepted' ? 0 : failures + 1;
    const delayMs = Math.max(delayAfter(failures, random), retryAfter(end.answer));
    changed({ state: 'waiting', code: end.code, reason: end.reason, delayMs });
    await clock.sleep(delayMs, signal).catch(() => {});
  }
}

type End = {
  readonly code: string;
  readonly reason: string;
  readonly answer: ProvisionAnswer | undefined;
};

async function attempt(options: DialOptions, changed: (state: LinkState) => void): Promise<End> {
  const { url, roots, handlers, signal } = options;
  const limits = { ...linkLimits, ...options.limits };
  const identity = options.identity();
  let answer: ProvisionAnswer | undefined;
  const answered = async (next: ProvisionAnswer): Promise<void> => {
    await handlers.answered(next);
    answer = next;
    changed(next.state === 'denied' ? { state: 'denied', reason: next.reason } : { state: next.state });
  };
  try {
    changed({ state: 'connecting' });
    const socket = await connectFleet({ url, identity, roots, connectMs: limits.connectMs, signal });
    changed({ state: 'connected' });
    await serveFleet(
      { socket, identity, joinToken: url.token, handlers: { ...handlers, answered }, limits },
      signal,
    );
    if (answer?.state === 'denied') return { code: 'ERR_LINK_DENIED', reason: answer.reason, answer };
    return { code: 'ERR_LINK_CLOSED', reason: 'the fleet closed the link', answer };
  } catch (error) {
    return { code: codeOf(error) ?? 'none', reason: error instanceof Error ? error.message : 'none', answer };
  }
}

/** After a link that was accepted the first attempt is soon: a fleet that restarts is to have its machines back. */
function delayAfter(failures: number, random: () => number): number {
  const most = Math.min(reconnectMs.most, 2 * reconnectMs.least * 2 ** Math.min(failures, 20));
  return Math.round(reconnectMs.least + random() * (most - reconnectMs.least));
}

function retryAfter(answer: ProvisionAnswer | undefined): number {
  const seconds = answer?.state === 'denied' ? (answer.retryAfter ?? 0) : 0;
  return Math.min(maxRetryAfterMs, seconds * 1000);
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

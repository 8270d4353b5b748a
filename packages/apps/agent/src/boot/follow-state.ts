import { codeOf } from '@nodecore/sys';
import { aborted, Backoff, type Clock, Serial } from '@nodecore/waiting';

import type { Configurator } from '../configuration/configurator.ts';
import { isComplete } from '../configuration/sources.ts';
import type { Log } from '../log.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Address } from '../address.ts';
import type { StateVolume } from '../persistence/state-volume.ts';
import { bootState } from './boot-state.ts';

export type FollowStateParts = {
  readonly log: Log;
  readonly stateVolume: Pick<StateVolume, 'search'>;
  readonly configurator: Pick<Configurator, 'active' | 'boot' | 'apply'>;
  /** What the boot medium says of the node. */
  readonly bootText: () => Promise<string | undefined>;
  /** Whether a configuration waits for the machine to be installed: it comes before what the boot medium says. */
  readonly isInstalling?: () => boolean;
  /** Whether more may be said later: a server did not answer yet. */
  readonly isBootPending: () => boolean;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly maintenance: Pick<Maintenance, 'begin' | 'beginClosed'>;
  readonly address: () => Address;
  readonly loadFailed?: (reason: string) => void;
};

/** What it takes to begin with what a node was started with. */
export type BegunParts = Pick<FollowStateParts, 'log' | 'configurator' | 'bootText' | 'isInstalling'>;

/**
 * Finds the state of earlier days, or lets maintenance begin. A STATE that is locked leaves the node closed: to
 * begin maintenance would hand it, with its data, to the first caller.
 */
export async function followState(parts: FollowStateParts, signal: AbortSignal): Promise<void> {
  const { log, stateVolume, configurator, maintenance, address } = parts;
  const turn = new Serial();
  const begin = (): Promise<boolean> => turn.run(() => isBegunFromImage(parts));
  let asking: Promise<void> | undefined;
  for await (const finding of stateVolume.search(signal)) {
    if (finding.kind === 'locked') {
      log.warn({ code: finding.code }, `STATE is there and not open: ${finding.reason}`);
      continue;
    }
    const configured = finding.kind === 'found' && (await bootState(parts, finding.directory));
    if (configured || configurator.active !== undefined || (await begin())) continue;
    const reason = finding.kind === 'found' ? 'STATE holds no configuration' : finding.reason;
    await maintenance.begin(reason, address());
    asking ??= askAgain(parts, begin, signal);
  }
  await asking;
  await aborted(signal);
}

/** Asks again while nobody has brought a configuration: the network, or the server, may come later than the node. */
async function askAgain(
  { configurator, isBootPending, clock }: FollowStateParts,
  begin: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const backoff = new Backoff({ firstMs: 2000, largestMs: 60_000 });
  while (configurator.active === undefined && isBootPending()) {
    await clock.sleep(backoff.next(), signal).catch(() => {}); // the loop asks the signal
    if (signal.aborted || configurator.active !== undefined) return;
    await begin();
  }
}

/** Begins with what the boot medium says, when that is all that a node needs; otherwise it is kept for who brings the rest. */
export async function isBegunFromImage(parts: BegunParts): Promise<boolean> {
  const { log, configurator, bootText, isInstalling = () => false } = parts;
  if (isInstalling()) return false;
  const text = await bootText();
  if (text === undefined || !isComplete(text)) return false;
  try {
    await configurator.apply({ text, mode: 'auto', dryRun: false, anonymous: false });
    if (configurator.active === undefined) return false; // the machine is to be installed first
    log.info('the configuration of the boot medium is persisted');
    return true;
  } catch (error) {
    log.error({ code: codeOf(error), err: error }, 'the configuration of the boot medium can not be used');
    return false;
  }
}

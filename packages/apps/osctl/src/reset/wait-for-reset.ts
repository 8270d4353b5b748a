import {
  type CallOptions,
  connect,
  definitionNamespace,
  definitionType,
  formatEndpoint,
} from '@nodecore/api';
import { systemClock } from '@nodecore/waiting';

import { notReset } from '../outcome.ts';
import { bootFacts, type BootFacts } from '../lifecycle/boot-facts.ts';
import { answerOf, type BootWait, pauseMs } from '../lifecycle/wait-for-boot.ts';
import type { Target } from '../nodes/target.ts';

/** What distinguishes one life of a node from another: which run of its agent, in which boot of its machine. */
export type Life = BootFacts & { readonly run: string };

export type ResetWait = Omit<BootWait, 'before'> & {
  /** The life that is to be over. */
  readonly before: Life;
  /** The machine begins anew, and not its agent alone. */
  readonly reboots: boolean;
  /** The node has no configuration then, and no certificate that anybody knows. */
  readonly maintenance: boolean;
};

/** Asks a node. @throws {ApiError} when it does not answer. */
export async function lifeOf(target: Target, options: CallOptions): Promise<Life> {
  return { run: await runOf(target, options), ...(await bootFacts(target, options)) };
}

async function runOf({ client, node }: Target, options: CallOptions): Promise<string> {
  const request = { type: definitionType, namespace: definitionNamespace };
  for await (const { bookmark } of client.list(request, { ...options, node }))
    if (bookmark) return bookmark.epoch;
  return '';
}

/**
 * Resolves when another life of the node does what it is to do after the reset: waits for a configuration, or is ready. A kvstore that
 * was wiped with its volume waits for somebody to begin it, and nobody else is waited for.
 *
 * @throws {OutcomeError} `ERR_RESET` when it has begun anew with the configuration that it was to lose; the signal's reason when it fires first.
 */
export async function waitForReset(target: Target, wait: ResetWait): Promise<void> {
  const { signal, tell, debug, maintenance, clock = systemClock } = wait;
  const waitsFor = maintenance ? 'waits for maintenance' : 'waits for the node';
  let told = '';
  const say = (line: string): void => {
    if (line !== told) tell(target.name, line);
    told = line;
  };
  say(waitsFor);
  for (;;) {
    if (maintenance && (await isInMaintenance(target, wait))) return;
    const life = await answerOf((limit) => lifeOf(target, { signal: limit }), signal);
    if (typeof life === 'string') {
      if (debug) tell(target.name, life);
    } else if (!isAnother(life, wait)) {
      if (debug) tell(target.name, `still the run ${life.run} of its agent, in boot ${life.bootId}`);
    } else if (life.stage === 'running' && (life.ready || life.bootstrap === 'only')) {
      if (!maintenance) return;
      throw notReset(target.name, 'it has begun anew with its configuration', 'ERR_RESET');
    } else say([`is ${life.stage}`, ...life.unmet].join('; '));
    await clock.sleep(pauseMs, signal);
  }
}

/** Nobody knows the certificate that a node without a configuration shows; nothing is asked of it but which life it is. */
async function isInMaintenance(target: Target, wait: ResetWait): Promise<boolean> {
  const { endpoint, name } = target;
  if (endpoint === undefined) return false;
  using client = connect({ endpoint: formatEndpoint(endpoint), insecure: true });
  const stranger: Target = { name, client, node: undefined, endpoint, direct: false };
  const life = await answerOf((limit) => lifeOf(stranger, { signal: limit }), wait.signal, never);
  return typeof life !== 'string' && life.stage === 'maintenance' && isAnother(life, wait);
}

/** One with a configuration refuses strangers, and is looked at again. */
function never(): boolean {
  return false;
}

function isAnother({ run, bootId }: Life, { before, reboots }: ResetWait): boolean {
  return bootId !== before.bootId || (!reboots && run !== before.run);
}

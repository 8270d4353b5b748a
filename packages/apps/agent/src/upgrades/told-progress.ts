import { UpgradePhase, type UpgradeResponseInit } from '@nodecore/api/lifecycle';
import { codeOf } from '@nodecore/sys';
import { ProgressLog } from '@nodecore/waiting';

import { messageOf } from './release-status.ts';
import type { UpgradeEvent } from './upgrade-event.ts';

/**
 * What fails before the first event is the error of the call; what fails later is a message and an exit code, as clients of this
 * method expect it.
 */
export async function* toldProgress(
  begin: (tell: (event: UpgradeEvent) => void) => Promise<void>,
  ended: (code: string | undefined) => void,
): AsyncGenerator<UpgradeResponseInit> {
  const events = new ProgressLog<UpgradeEvent>();
  let failure: { readonly error: unknown } | undefined;
  const work = begin((event) => events.append(event))
    .then(
      () => ended(undefined),
      (error: unknown) => {
        failure = { error };
        ended(codeOf(error) ?? 'none');
      },
    )
    .finally(() => events.end());
  let isBegun = false;
  for await (const event of events.entries()) {
    isBegun = true;
    yield response(event);
  }
  await work;
  if (failure !== undefined && !isBegun) throw failure.error;
  if (failure !== undefined) yield { message: messageOf(failure.error) };
  yield { exitCode: failure === undefined ? 0 : 1 };
}

const phases: Readonly<Record<UpgradeEvent['phase'], UpgradePhase>> = {
  pull: UpgradePhase.PULL,
  verify: UpgradePhase.VERIFY,
  space: UpgradePhase.SPACE,
  write: UpgradePhase.WRITE,
  prove: UpgradePhase.PROVE,
  switch: UpgradePhase.SWITCH,
};

function response({ phase, doneBytes, totalBytes, ...facts }: UpgradeEvent): UpgradeResponseInit {
  return {
    ...facts,
    phase: phases[phase],
    ...(doneBytes !== undefined && { doneBytes: BigInt(doneBytes) }),
    ...(totalBytes !== undefined && { totalBytes: BigInt(totalBytes) }),
  };
}

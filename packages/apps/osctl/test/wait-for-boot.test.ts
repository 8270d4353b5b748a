import { ApiError, encodeSpec } from '@nodecore/api';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { waitForBoot } from '../src/lifecycle/wait-for-boot.ts';
import type { Target } from '../src/nodes/target.ts';

/** A node behind a fleet, which answers in its place while it is away. */
function behindFleet(answers: readonly (ApiError['code'] | 'second')[]) {
  let asked = 0;
  const specs = { bootId: 'second', stage: 'maintenance', status: { ready: true } };
  const client = {
    get: () => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? 'second';
      asked += 1;
      if (answer === 'second') return Promise.resolve({ resource: { spec: encodeSpec(specs) } });
      return Promise.reject(new ApiError(answer, 'there is no connected machine', { endpoint: 'fleet' }));
    },
  };
  return { name: 'node', client, node: 'node', direct: false } as unknown as Target;
}

const options = () => {
  const clock = new FakeClock();
  return {
    before: 'first',
    signal: new AbortController().signal,
    tell: () => {},
    debug: false,
    clock: Object.assign(clock, { sleep: () => Promise.resolve() }),
  };
};

test('a machine that its fleet does not know between two boots is waited for', async (t) => {
  const target = behindFleet(['ERR_API_NOT_FOUND', 'ERR_API_NOT_FOUND', 'second']);
  t.like(await waitForBoot(target, options()), { bootId: 'second', stage: 'maintenance', ready: true });
});

test('a node that lets its caller in no more is not waited for', async (t) => {
  await t.throwsAsync(waitForBoot(behindFleet(['ERR_API_DENIED']), options()), { code: 'ERR_API_DENIED' });
});

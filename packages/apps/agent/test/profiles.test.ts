import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { ProfileError } from '../src/profiles/errors.ts';
import { Profiles, type ProfilesOptions } from '../src/profiles/profiles.ts';

const plenty: Omit<ProfilesOptions, 'clock'> = {
  heapBytes: () => 1 << 20,
  availableKib: async () => 1 << 30,
};
const idle = new AbortController().signal;

function begun(options: Partial<ProfilesOptions> = {}) {
  const clock = new FakeClock();
  return { clock, profiles: new Profiles({ clock, ...plenty, ...options }) };
}

test('while one is taken another is refused, and then it is its turn', async (t) => {
  const { clock, profiles } = begun();
  const first = profiles.cpu(1000, idle).next();
  t.is(profiles.running, 'cpu');
  const busy = {
    instanceOf: ProfileError,
    code: 'ERR_PROFILE_BUSY',
    message: /^a CPU profile is being taken/u,
  };
  await t.throwsAsync(profiles.cpu(1000, idle).next(), busy);
  await t.throwsAsync(profiles.heap().next(), busy);
  while (!clock.skip()) await new Promise(setImmediate);
  t.false((await first).done);
  t.is(profiles.counts.cpu, 1);
});

test('when a caller goes the next one is let in', async (t) => {
  const { clock, profiles } = begun();
  const gone = new AbortController();
  const first = profiles.cpu(60_000, gone.signal).next();
  while (clock.sleepers === 0) await new Promise(setImmediate);
  gone.abort();
  await t.throwsAsync(first, { name: 'AbortError' });
  t.is(profiles.running, undefined);
  const next = profiles.cpu(100, idle);
  const piece = next.next();
  while (!clock.skip()) await new Promise(setImmediate);
  t.false((await piece).done);
  await next.return();
  t.is(profiles.running, undefined, 'a caller that leaves in the middle is gone as well');
});

test('times that are too short or too long are refused, each with the field', async (t) => {
  const { profiles } = begun();
  for (const durationMs of [0, 99, 60_001])
    await t.throwsAsync(profiles.cpu(durationMs, idle).next(), {
      code: 'ERR_PROFILE_REQUEST',
      message: 'duration_millis: 100 to 60000',
    });
  t.is(profiles.running, undefined);
});

test('a heap that the node has no memory to look at is refused with both figures, and nothing is taken', async (t) => {
  const { profiles } = begun({ heapBytes: () => 10 << 20, availableKib: async () => (140 << 10) - 1 });
  await t.throwsAsync(profiles.heap().next(), {
    code: 'ERR_PROFILE_MEMORY',
    message: 'a heap snapshot may need 140 MiB of memory, 139 MiB are available',
  });
  t.is(profiles.pauseSeconds, 0);
  t.is(profiles.running, undefined);
});

test('a heap that is looked at for longer than PID 1 waits is refused', async (t) => {
  const { profiles } = begun({ heapBytes: () => (96 << 20) + 1 });
  await t.throwsAsync(profiles.heap().next(), { code: 'ERR_PROFILE_SIZE', message: /96 MiB at most/u });
});

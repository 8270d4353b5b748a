import test from 'ava';

import { mediumLinks } from '../src/link/medium-link.ts';

const link = 'apiVersion: v1alpha1\nkind: LinkAgentConfig\napiUrl: https://fleet.example/?jointoken=x\n';
const url = 'https://fleet.example/?jointoken=x';

const pending = Symbol('no answer yet');

/** What is said one time after the other. */
async function said(answers: readonly (string | undefined | typeof pending)[], told = false) {
  const left = [...answers];
  let isPending = false;
  const slept: number[] = [];
  const parts = {
    text: () => {
      const next = left.shift();
      isPending = next === pending;
      return Promise.resolve(next === pending ? undefined : next);
    },
    isPending: () => isPending,
    isTold: () => told,
    clock: {
      sleep: (ms: number) => {
        slept.push(ms);
        return Promise.resolve();
      },
    },
  };
  const urls = await Array.fromAsync(mediumLinks(parts, new AbortController().signal));
  return { urls, slept: slept.length, left: left.length };
}

test('a medium that comes later than the node is asked again, until it says what to dial', async (t) => {
  t.deepEqual(await said([pending, pending, link, link]), {
    urls: [undefined, undefined, url],
    slept: 2,
    left: 1,
  });
});

test('nobody is asked again who has said something, or who is not there', async (t) => {
  t.deepEqual(await said([link, link]), { urls: [url], slept: 0, left: 1 });
  t.deepEqual(await said([undefined, link]), { urls: [undefined], slept: 0, left: 1 });
  t.deepEqual(await said([pending, undefined, link]), { urls: [undefined, undefined], slept: 1, left: 1 });
});

test('a configuration comes before a medium', async (t) => {
  t.deepEqual(await said([pending, link], true), { urls: [undefined], slept: 1, left: 1 });
});

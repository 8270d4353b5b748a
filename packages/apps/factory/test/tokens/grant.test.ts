import test from 'ava';

import { type Grant, type Grantor, grantOf, type TokenRequest } from '../../src/tokens/grant.ts';
import { defaultLifetimes, lifetimeOf } from '../../src/tokens/lifetime.ts';
import { type Scope, scopes } from '../../src/tokens/scopes.ts';

const leaf: TokenRequest = { scopes: ['image:read'], issuableScopes: [], isStored: false, name: '' };
const ann: Grantor = { subject: 'ann', issuableScopes: ['image:read', 'token:issue'], isAnySubject: false };
const bootstrap: Grantor = { subject: 'admin', issuableScopes: scopes, isAnySubject: true };

const refused: readonly [what: string, Grantor, Partial<TokenRequest>, code: string, message: RegExp][] = [
  ['a scope beyond the ceiling', ann, { scopes: ['report:read'] }, 'CEILING', /^scopes: report:read: /],
  [
    'a ceiling beyond the ceiling',
    ann,
    { scopes: ['image:read', 'token:issue'], issuableScopes: ['source:pull'] },
    'CEILING',
    /^issuable_scopes: source:pull: /,
  ],
  ['a ceiling without token:issue', ann, { issuableScopes: ['image:read'] }, 'REQUEST', /^issuable_scopes: /],
  ['no scope', ann, { scopes: [] }, 'REQUEST', /^scopes: /],
  ['stored without a name', ann, { isStored: true, name: ' \t' }, 'REQUEST', /^name: /],
  ['another subject', ann, { subject: 'bob' }, 'CEILING', /^subject: /],
  ['a subject with a line in it', bootstrap, { subject: 'a\nb' }, 'REQUEST', /^subject: /],
  ['a subject with a space', bootstrap, { subject: 'a b' }, 'REQUEST', /^subject: /],
  ['a subject that turns text around', bootstrap, { subject: 'a\u202eb' }, 'REQUEST', /^subject: /],
  ['a long subject', bootstrap, { subject: 'ä'.repeat(129) }, 'REQUEST', /^subject: /],
  ['no subject', bootstrap, { subject: '' }, 'REQUEST', /^subject: /],
  ['for too short', ann, { ttl: '29s' }, 'REQUEST', /^ttl: ephemeral tokens hold for at least 30s$/],
  ['for too long', ann, { ttl: '8h1s' }, 'REQUEST', /^ttl: ephemeral tokens hold for at most 8h$/],
  ['stored for too long', ann, { isStored: true, name: 'n', ttl: '8761h' }, 'REQUEST', /at most 8760h$/],
  ['for no duration', ann, { ttl: 'P1D' }, 'REQUEST', /^ttl: must be/],
  ['for a negative duration', ann, { ttl: '-1h' }, 'REQUEST', /^ttl: must be/],
  ['for nothing', ann, { ttl: '0s' }, 'REQUEST', /^ttl: must be/],
];

for (const [what, grantor, changes, code, message] of refused)
  test(`not granted: ${what}`, (t) => {
    t.throws(() => grantOf(grantor, { ...leaf, ...changes }, defaultLifetimes), {
      code: `ERR_FACTORY_TOKEN_${code}`,
      message,
    });
  });

test('what is granted is what was asked for', (t) => {
  t.deepEqual(grantOf(ann, { ...leaf, subject: 'ann' }, defaultLifetimes), {
    subject: 'ann',
    name: '',
    scopes: ['image:read'],
    issuableScopes: [],
    isStored: false,
    lifetimeSeconds: 300,
  });
  const stored = grantOf(
    bootstrap,
    { ...leaf, subject: 'bob', isStored: true, name: ' ci ', ttl: '1h30m' },
    defaultLifetimes,
  );
  t.like(stored, { subject: 'bob', name: 'ci', lifetimeSeconds: 5_400 });
});

test('lifetimes are those of the specification', (t) => {
  const hour = 3_600;
  for (const [sort, min, normal, max] of [
    ['stored', 1, 8_760, 8_760],
    ['bootstrap', 1, 2_160, 87_600],
  ] as const) {
    t.is(lifetimeOf(sort, defaultLifetimes), normal * hour);
    t.is(lifetimeOf(sort, defaultLifetimes, `${min}h`), min * hour);
    t.is(lifetimeOf(sort, defaultLifetimes, `${max}h`), max * hour);
  }
});

/** Always the same numbers below `max`, so that a failure comes back. */
function numbers(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

test('no chain of tokens holds a scope or a subject that its root could not give', (t) => {
  let granted = 0;
  for (let seed = 0; seed < 400; seed += 1) {
    const below = numbers(seed);
    const some = (of: readonly Scope[]): readonly Scope[] => of.filter(() => below(3) > 0);
    const root: Grantor = { subject: 'root', issuableScopes: some(scopes), isAnySubject: below(4) === 0 };
    let holders: readonly Grantor[] = [root];
    for (let step = 0; step < 30; step += 1) {
      const grantor = holders[below(holders.length)] ?? root;
      // Mostly what may be granted, so that chains grow long; now and then anything.
      const from = below(5) === 0 ? scopes : grantor.issuableScopes;
      const asked = some(from);
      const request: TokenRequest = {
        scopes: asked,
        issuableScopes: asked.includes('token:issue') ? some(from) : [],
        isStored: below(2) === 0,
        name: 'n',
        ...(below(3) === 0 ? { subject: ['root', 'ann', 'bob'][below(3)]! } : {}),
      };
      let grant: Grant;
      try {
        grant = grantOf(grantor, request, defaultLifetimes);
      } catch {
        continue;
      }
      granted += 1;
      for (const scope of [...grant.scopes, ...grant.issuableScopes])
        if (!root.issuableScopes.includes(scope)) t.fail(`seed ${seed}: ${scope}`);
      if (!root.isAnySubject && grant.subject !== 'root') t.fail(`seed ${seed}: ${grant.subject}`);
      // Only the root itself may issue for others: whoever it made stays who it is.
      if (grantor !== root && grant.subject !== grantor.subject) t.fail(`seed ${seed}: ${grant.subject}`);
      const { subject, issuableScopes } = grant;
      if (grant.scopes.includes('token:issue'))
        holders = [...holders, { subject, issuableScopes, isAnySubject: false }];
    }
  }
  t.true(granted > 2_000, `${granted}`);
});

import test from 'ava';

import { CodedError, type ErrorKind, kindPolicies, policyOf } from '../src/index.ts';

class Failure extends CodedError<string> {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind) {
    super('ERR_TEST', kind);
    this.kind = kind;
  }
}

/** Kinds of which a policy says that. */
const of = (field: 'audit' | 'retry', value: string): readonly string[] =>
  Object.entries(kindPolicies).flatMap(([kind, policy]) => (policy[field] === value ? [kind] : []));

test('status, exit code, retry and audit follow from the kind of an error', (t) => {
  t.deepEqual(policyOf(new Failure('denied')), kindPolicies.denied);
  t.is(policyOf(new Error('no kind')), undefined);
  t.deepEqual(of('audit', 'denied'), ['denied']);
  t.deepEqual(of('retry', 'helps'), ['busy', 'unavailable', 'timeout']);
  t.deepEqual(of('retry', 'useless'), ['refused', 'invalid', 'exhausted', 'damaged', 'unsupported']);
});

import { BlockError } from '@nodecore/block';
import { LuksError } from '@nodecore/luks';
import { CodedError } from '@nodecore/sys';
import test from 'ava';

import { permanenceOf } from '../src/errors.ts';

class Other extends CodedError<string> {
  readonly kind = 'refused';
}

/** Of a prototype alone: what counts is the code. */
function coded(prototype: object, code: string): Error {
  return Object.assign(Object.create(prototype) as Error, { code });
}

test('what time alone does not cure waits for an operator, by the kind of the error', (t) => {
  const lasting = {
    BLOCK: ['NOT_EMPTY', 'FOREIGN_TABLE', 'TABLE_DAMAGED', 'NO_SPACE', 'DAMAGED', 'NOT_WIPED', 'NO_ZEROES'],
    LUKS: 'KEY_REJECTED NOT_LUKS VERSION UNSUPPORTED DAMAGED MISMATCH BACKUP FULL LAST_KEYSLOT RECOVERY_KEY'.split(
      ' ',
    ),
  };
  const passing = {
    BLOCK: ['BUSY', 'FAILED', 'NOT_FOUND', 'UNPROVEN', 'UNRESPONSIVE', 'WATCH_FAILED'],
    LUKS: ['BUSY', 'EXISTS', 'FAILED', 'HELD', 'MEMORY', 'NOT_FOUND'],
  };
  const prototypes = { BLOCK: BlockError.prototype, LUKS: LuksError.prototype };
  for (const area of ['BLOCK', 'LUKS'] as const) {
    const of = (name: string): string => permanenceOf(coded(prototypes[area], `ERR_${area}_${name}`));
    for (const name of lasting[area]) t.is(of(name), 'needs-operator', name);
    for (const name of passing[area]) t.is(of(name), 'transient', name);
  }
  t.is(permanenceOf(new Other('ERR_STATE_NO_SYSTEM_DISK', 'not yet')), 'transient', 'it may come');
  t.is(permanenceOf(new Error('no code')), 'transient');
});

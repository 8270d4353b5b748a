import { connect } from '@nodecore/api';
import test from 'ava';

import { unsigned } from '../src/client.ts';

test('what can not be signed is refused before anything is sent', (t) => {
  using client = connect({ endpoint: '127.0.0.1:1', sign: unsigned });
  t.throws(() => client.captureCall({}, { node: 'one' }), { code: 'ERR_API_UNSUPPORTED' });
});

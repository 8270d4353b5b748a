import { randomBytes } from 'node:crypto';

import test from 'ava';

import { Request, Response } from '../gen/sidero-kms.js';
import { encodeRequest, encodeResponse } from '../src/key-message.ts';

test('messages with keys are encoded as all others are', (t) => {
  const nodeUuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
  for (const size of [0, 1, 32, 127, 128, 16_383, 16_384, 65_536]) {
    const data = randomBytes(size);
    for (const volume of ['', 'u-data', 'ü'.repeat(100)]) {
      using request = encodeRequest({ nodeUuid, data, volume });
      t.deepEqual(request.bytes, Buffer.from(Request.encode({ nodeUuid, data, volume })));
    }
    using response = encodeResponse(data);
    t.deepEqual(response.bytes, Buffer.from(Response.encode({ data })));
  }
});

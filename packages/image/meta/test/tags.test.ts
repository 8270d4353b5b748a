import test from 'ava';

import { decodeJsonValue, encodeJsonValue, isPublicTag, isSensitiveTag, metaTag } from '../src/index.ts';

test('users know 0 to 31, and nothing of the node itself', (t) => {
  for (const tag of [0, 9, metaTag.network, metaTag.machineToken, 31]) t.true(isPublicTag(tag));
  for (const tag of [-1, 1.5, 0x20, 0x2f, metaTag.bootRecord, metaTag.reset, metaTag.linkIdentity, 255]) {
    t.false(isPublicTag(tag));
    t.true(isSensitiveTag(tag));
  }
  for (const tag of [metaTag.stateEncryption, metaTag.machineToken]) t.true(isSensitiveTag(tag));
  t.false(isSensitiveTag(metaTag.userReserved1));
});

test("the node's own values are JSON, and anything else is an error that names the tag", (t) => {
  t.deepEqual(decodeJsonValue(metaTag.bootRecord, encodeJsonValue({ entries: [] })), { entries: [] });
  t.is(decodeJsonValue(metaTag.bootRecord, undefined), undefined);
  t.throws(() => decodeJsonValue(metaTag.bootRecord, Buffer.from('{')), {
    code: 'ERR_META_VALUE',
    message: /0x20/,
  });
});

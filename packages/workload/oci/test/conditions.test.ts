import test from 'ava';

import { isHeld, isWanted } from '../src/conditions.ts';

test('a tag may have commas in it', (t) => {
  const etag = '"a,b"';
  for (const tags of [etag, `"other", ${etag}`, `${etag},"other"`]) t.true(isWanted(tags, etag), tags);
  for (const tags of ['"a', 'b"', '"a","b"', `W/${etag}`, '', ',']) t.false(isWanted(tags, etag), tags);
  t.true(isHeld(`W/"x,y", W/${etag}`, etag));
  t.false(isHeld('"a, b"', etag));
});

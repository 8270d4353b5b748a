import test from 'ava';

import { document } from '../src/document.ts';
import { boolean } from '../src/field/scalars.ts';
import { optional } from '../src/field/type.ts';

test('a kind is described when somebody first asks what it holds, and once', (t) => {
  let times = 0;
  const kind = document('SwitchConfig', 'whether it is on', () => {
    times += 1;
    return { takesEffect: 'live', fields: { on: optional('whether it is', boolean) }, example: 'on: true\n' };
  });
  t.deepEqual([kind.kind, kind.about, times], ['SwitchConfig', 'whether it is on', 0]);
  t.deepEqual(Object.keys(kind.options.fields), ['on']);
  t.is(kind.json['x-effect'], 'live');
  t.is(times, 1);
});

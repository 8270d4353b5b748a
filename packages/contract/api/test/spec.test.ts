import test from 'ava';
import { decodeSpec, encodeSpec, stringify } from '../src/spec.ts';

test('a size beyond 2^53 keeps all its digits in both directions', (t) => {
  const bytes = encodeSpec({ size: 9007199254740993n, id: 'nvme0n1' });
  t.is(bytes.toString(), '{"size":9007199254740993,"id":"nvme0n1"}');
  t.deepEqual(decodeSpec(bytes), { size: 9007199254740993n, id: 'nvme0n1' });
});

test('other numbers are numbers, and digits in a string stay a string', (t) => {
  const spec = { small: 54, ratio: 0.1234567890123456, large: 1e300, wwid: '12345678901234567890' };
  t.deepEqual(decodeSpec(encodeSpec(spec)), spec);
  t.is(stringify({ size: 512n }, 2), '{\n  "size": 512\n}');
});

test('a view into a larger buffer is decoded alone', (t) => {
  t.deepEqual(decodeSpec(Buffer.from('xx{"a":1}yy').subarray(2, 9)), { a: 1 });
});

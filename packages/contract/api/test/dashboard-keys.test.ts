import test from 'ava';

import { KeyReader } from '../src/dashboard/keys.ts';

const keysOf = (...pieces: readonly string[]) => {
  const reader = new KeyReader();
  return pieces.flatMap((piece) => [...reader.next(Buffer.from(piece))]);
};

test('keys of the interface, as terminals send them', (t) => {
  t.deepEqual(keysOf('hljkq'), ['previous', 'next', 'down', 'up', 'quit']);
  t.deepEqual(keysOf('\u001b[D\u001b[C\u001b[B\u001b[A'), ['previous', 'next', 'down', 'up']);
  t.deepEqual(keysOf('\u001bOD\u001bOC\u001bOB\u001bOA'), ['previous', 'next', 'down', 'up']);
  t.deepEqual(keysOf('\u0004\u0015\u0006\u0002'), ['half-down', 'half-up', 'page-down', 'page-up']);
  t.deepEqual(keysOf('\u0003\u001a'), ['quit', 'pause']);
  for (const [first, second] of [
    ['\u001bOP', '\u001bOQ'],
    ['\u001b[11~', '\u001b[12~'],
    ['\u001b[[A', '\u001b[[B'],
    ['1', '2'],
  ])
    t.deepEqual(keysOf(first!, second!), ['summary', 'monitor']);
  t.deepEqual(
    keysOf('3\u001bOR\u001b[13~\u001b[[C'),
    Array.from({ length: 4 }, () => 'resources'),
  );
  t.deepEqual(keysOf('\r/\u007f'), ['open', 'filter', 'erase']);
});

test('a key that comes byte by byte is one key', (t) => {
  t.deepEqual(keysOf('\u001b', '[', '1', '2', '~'), ['monitor']);
  t.deepEqual(keysOf('\u001b', '[', '[', 'A'), ['summary']);
  t.deepEqual(keysOf('\u001b', 'OQ', 'j'), ['monitor', 'down']);
});

test('what means nothing is passed over, and nothing of it is kept for ever', (t) => {
  t.deepEqual(keysOf('x\u0000ü\u001b[1;5Z\u001b[200~j'), ['down']);
  t.deepEqual(keysOf('__proto__', 'constructor\u001b[Oq'.slice(0, 11)), []);
  t.deepEqual(keysOf('\u001b', 'q'), ['back', 'quit'], 'escape, and then q');
  t.deepEqual(keysOf(`\u001b[${'9'.repeat(40)}`, 'q'), ['back', 'quit']);
});

test('while a text is typed, characters are a text, and what is no character is the key that it is', (t) => {
  const reader = new KeyReader();
  let isTyping = false;
  const keys = [];
  // All in one piece, as it is pasted: each key counts for those behind it.
  for (const key of reader.next(Buffer.from('/qä1👍\u009b\u202e\u007f\u001b[B\rq'), () => isTyping)) {
    keys.push(key);
    if (key === 'filter') isTyping = true;
    if (key === 'open') isTyping = false;
  }
  const text = ['q', 'ä', '1', '👍'].map((each) => ({ text: each }));
  t.deepEqual(keys, ['filter', ...text, 'erase', 'down', 'open', 'quit']);
});

test('Escape alone is a key when nothing more comes', (t) => {
  const reader = new KeyReader();
  t.deepEqual([...reader.next(Buffer.from('\u001b'))], []);
  t.true(reader.isWaiting);
  t.deepEqual([...reader.flush()], ['back']);
  t.false(reader.isWaiting);
  t.deepEqual([...reader.flush()], []);
  t.deepEqual([...reader.next(Buffer.from('j'))], ['down']);
});

import { PassThrough, type Writable } from 'node:stream';

import test from 'ava';

import { Screen } from '../src/output/screen.ts';

function terminal(facts: object = {}): { readonly stream: Writable; readonly text: () => string } {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { stream: Object.assign(stream, facts), text: () => text };
}

test('elsewhere than on a terminal texts follow each other, with nothing but an empty line between', async (t) => {
  const { stream, text } = terminal();
  const screen = new Screen(stream);
  t.false(screen.replaces);
  await screen.show('a\n');
  await screen.show('b\n');
  t.is(text(), 'a\n\nb\n');
});

test('on a terminal a text takes the place of the one before, and what was longer goes', async (t) => {
  const { stream, text } = terminal({ isTTY: true, rows: 10, columns: 5 });
  const screen = new Screen(stream);
  t.true(screen.replaces);
  await screen.show('first line\nsecond\n');
  await screen.show('x\n');
  const esc = '\u001B[';
  t.is(text(), `${esc}2J${esc}Hfirst${esc}K\nsecon${esc}K\n${esc}J${esc}Hx${esc}K\n${esc}J`);
});

test('lines that the window has no room for are counted', async (t) => {
  const { stream, text } = terminal({ isTTY: true, rows: 4, columns: 80 });
  await new Screen(stream).show('1\n2\n3\n4\n5\n');
  // eslint-disable-next-line no-control-regex -- what the terminal understands
  const plain = text().replaceAll(/\u001B\[[^A-Z]*[A-Z]/g, '');
  t.is(plain, '1\n2\n… 3 more\n');
  const exact = terminal({ isTTY: true, rows: 4, columns: 80 });
  await new Screen(exact.stream).show('1\n2\n3\n');
  t.true(exact.text().includes('3'));
});

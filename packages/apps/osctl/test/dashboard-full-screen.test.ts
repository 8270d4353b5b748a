import { PassThrough } from 'node:stream';

import type { Terminal } from '@nodecore/cli';
import test from 'ava';

import { FullScreen } from '../src/dashboard/full-screen.ts';

/** A terminal in this process, which tells what was done to it. */
function fakeTerminal(env: Terminal['env'] = {}) {
  const done: string[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => void done.push(raw ? 'raw' : 'as before'),
  });
  const out = Object.assign(new PassThrough(), { isTTY: true, columns: 3, rows: 2 });
  out.on('data', (bytes: Buffer) => done.push(bytes.toString()));
  const { signal } = new AbortController();
  return { done, terminal: { input, out, error: new PassThrough(), env, signal }, out };
}

function frameOf(first: string, last: string): string {
  return `\u001b[H\u001b[7m${first}\u001b[m\r\n\u001b[7m${last}\u001b[m`;
}

const nothing = { onKey: () => {}, onResize: () => {}, onEnd: () => {} };

test('the terminal is taken, and given back as it was; twice is fine, and nobody listens any more', (t) => {
  const { done, terminal } = fakeTerminal();
  const before = ['exit', 'SIGTERM', 'SIGCONT', 'SIGTSTP'].map((name) => process.listenerCount(name));
  const screen = FullScreen.open(terminal, nothing);
  screen[Symbol.dispose]();
  screen[Symbol.dispose]();
  screen.draw(['abc', 'def']);
  const [enter, leave] = ['\u001b[?1049h\u001b[?25l\u001b[?7l', '\u001b[m\u001b[?7h\u001b[?25h\u001b[?1049l'];
  t.deepEqual(done, ['raw', enter, 'as before', leave]);
  t.deepEqual(
    ['exit', 'SIGTERM', 'SIGCONT', 'SIGTSTP'].map((name) => process.listenerCount(name)),
    before,
  );
});

test('a frame is drawn over the one before, the same one once, and all is cleared for another size', (t) => {
  const { done, terminal, out } = fakeTerminal();
  using screen = FullScreen.open(terminal, nothing);
  done.length = 0;
  screen.draw(['abc', 'def']);
  screen.draw(['abc', 'def']);
  screen.draw(['abc', 'xyz']);
  out.columns = 4;
  screen.draw(['abcd', 'wxyz']);
  t.deepEqual(done, [
    `\u001b[2J${frameOf('abc', 'def')}`,
    frameOf('abc', 'xyz'),
    `\u001b[2J${frameOf('abcd', 'wxyz')}`,
  ]);
});

test('a terminal that can not be drawn on is refused, and is not touched', (t) => {
  const { done, terminal } = fakeTerminal({ TERM: 'dumb' });
  t.throws(() => FullScreen.open(terminal, nothing), { code: 'ERR_USAGE', message: /is dumb; use osctl/u });
  terminal.input.isTTY = false;
  t.throws(() => FullScreen.open({ ...terminal, env: {} }, nothing), {
    message: /needs a terminal; use osctl/u,
  });
  t.deepEqual(done, []);
});

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import type { Answer } from '../src/http/answer.ts';
import { refusalAnswer } from '../src/http/refusal.ts';
import { failingFiles } from './failing-files.ts';
import { ask, type Running, runningFactory, submit } from './running-factory.ts';

/** Takes all descriptors that this process may still have, few; they are given back at the end. */
class Taken implements Disposable {
  readonly #taken: number[] = [];

  constructor() {
    const used = readdirSync('/proc/self/fd').length;
    execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${used + 100}:`]);
  }

  /** Those that are free. @returns the code of what one more meets. */
  rest(): string | undefined {
    try {
      for (;;) this.#taken.push(openSync('/dev/null', 'r'));
    } catch (error) {
      return codeOf(error);
    }
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#taken.splice(0)) closeSync(descriptor);
  }
}

/** A connection that is accepted before no other one can be. */
async function connected(t: ExecutionContext, { factory }: Running): Promise<Socket> {
  const socket = connect(factory.address.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'readable');
  socket.read();
  return socket;
}

async function asked(socket: Socket, path: string, posted?: string): Promise<string> {
  const [method, body = ''] = [posted === undefined ? 'GET' : 'POST', posted];
  const headers = `host: x\r\nconnection: close\r\ncontent-length: ${body.length}`;
  socket.write(`${method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  return Buffer.concat(await Array.fromAsync(socket)).toString('latin1');
}

/** What is written to the standard error stream. */
function said(t: ExecutionContext): string[] {
  const { error } = console;
  const lines: string[] = [];
  console.error = (line: string) => void lines.push(line);
  t.teardown(() => void (console.error = error));
  return lines;
}

const names = [
  'metal-amd64.iso',
  'metal-amd64.iso.sha256',
  'metal-amd64-uki.efi',
  'metal-amd64.raw',
  'metal-amd64.raw.gz',
  'metal-amd64.raw.zst',
  'metal-amd64.ova',
];

testWith(program('prlimit'))(
  'without descriptors, what reads files of a release is 503, and says when to come again and not where they lie',
  async (t) => {
    const lines = said(t);
    const running = await runningFactory(t);
    const id = await submit(running, '{}');
    const paths = [
      ...names.map((name) => `/image/${id}/v1.14.0/${name}`),
      `/v2/metal-installer/${id}/manifests/v1.14.0`,
    ];
    const sockets = await Promise.all(
      paths.map(async (path) => [path, await connected(t, running)] as const),
    );
    {
      using taken = new Taken();
      for (const [path, socket] of sockets) {
        t.is(taken.rest(), 'EMFILE');
        const answer = await asked(socket, path);
        t.regex(answer, /^HTTP\/1\.1 503 .*\r\n/, `${path}: ${answer}`);
        t.regex(answer, /^retry-after: 30\r$/m, path);
        t.regex(answer, /\r\n\r\nERR_VIEW_UNREADABLE: [^/]+\n$/, path);
      }
    }
    t.is(lines.length, paths.length);
    for (const line of lines)
      t.regex(line, /^nodecore-factory: .*\/releases\/v1\.14\.0\/amd64\/[a-z.]+ can not be read: EMFILE$/);
    for (const path of paths) t.is((await ask(running, path, { method: 'HEAD' })).status, 200, path);
  },
);

testWith(program('prlimit'))(
  'without descriptors no configuration can be looked at: 503, until there are some',
  async (t) => {
    const lines = said(t);
    const running = await runningFactory(t);
    const document = 'apiVersion: v1alpha1\\nkind: HostnameConfig\\nhostname: a';
    const body = `customization: {embeddedMachineConfiguration: "${document}"}`;
    const socket = await connected(t, running);
    {
      using taken = new Taken();
      t.is(taken.rest(), 'EMFILE');
      const answer = await asked(socket, '/schematics', body);
      t.regex(answer, /^HTTP\/1\.1 503 [^]*^retry-after: 30\r$[^]*\r\n\r\nERR_FACTORY_OVERLOADED: [^/]+\n$/m);
    }
    t.regex(lines.join('\n'), /^nodecore-factory: [^\n]*EMFILE[^\n]*$/);
    t.is((await ask(running, '/schematics', { method: 'POST', body })).status, 201);
  },
);

/** As Node.js throws it. */
function raw(code: 'EMFILE' | 'ENFILE' | 'ENOMEM' | 'EBADF'): Error {
  const errno = -constants.errno[code];
  return Object.assign(new Error(`${code}: no, open '/srv/file'`), { code, errno, syscall: 'open' });
}

const textOf = (body: Answer['body']): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : '';

test.serial('what else finds no descriptor or no memory is 503, too, and other errors are defects', (t) => {
  const lines = said(t);
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM'] as const) {
    const { status, headers, body } = refusalAnswer(raw(code), undefined, 'program');
    t.is(status, 503);
    t.is(headers['retry-after'], '30');
    t.regex(textOf(body), /^ERR_FACTORY_OVERLOADED: [^/]+\n$/);
    t.is(lines.pop(), `nodecore-factory: ${code}: no, open '/srv/file'`);
  }
  const defect = refusalAnswer(raw('EBADF'), undefined, 'program');
  t.is(defect.status, 500);
  t.is(textOf(defect.body), 'ERR_FACTORY_INTERNAL: this is a defect of the factory\n');
  t.deepEqual(lines, []);
});

for (const code of ['EIO', 'ENOMEM', 'EACCES', 'ENFILE'] as const)
  test.serial(`${code} on a file of a release is 503, and no defect of the factory`, async (t) => {
    const lines = said(t);
    const running = await runningFactory(t);
    const path = `/image/${await submit(running, '{}')}/v1.14.0/metal-amd64.iso`;
    {
      const refused = join(running.options.releases, 'v1.14.0/amd64/kernel');
      using _failing = failingFiles((each) => (each === refused ? code : undefined));
      for (const accept of ['text/plain', 'application/json']) {
        const answer = await ask(running, `${path}.sha256`, { headers: { accept } });
        t.is(answer.status, 503);
        t.is(answer.headers['retry-after'], '30');
        t.regex(answer.body.toString(), /ERR_VIEW_UNREADABLE/);
        t.notRegex(answer.body.toString(), /kernel|releases\//);
      }
      t.deepEqual(lines, Array(2).fill(`nodecore-factory: ${refused} can not be read: ${code}`));
    }
    t.is((await ask(running, `${path}.sha256`)).status, 200);
  });

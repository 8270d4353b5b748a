import { PassThrough, Writable } from 'node:stream';

import { CodedError, type ErrorKind } from '@nodecore/sys/pure';
import test from 'ava';

import {
  completes,
  completionCommands,
  exitCodeOf,
  linesOf,
  plain,
  type ProgramDefinition,
  runProgram,
} from '../src/index.ts';

class ShopError extends CodedError<'ERR_SHOP'> {
  readonly #kind: ErrorKind;

  constructor(kind: ErrorKind) {
    super('ERR_SHOP', `it is ${kind}`);
    this.#kind = kind;
  }

  override get kind(): ErrorKind {
    return this.#kind;
  }
}

const shop: ProgramDefinition = {
  name: 'shop',
  version: '1.2.3',
  description: 'Sells things.',
  commands: [
    {
      name: 'sell',
      summary: 'sell a thing',
      load: async () => {
        const { Argument } = await import('commander');
        return {
          configure: (command) => {
            command
              .addArgument(completes(new Argument('<kind>'), () => plain(['denied', 'timeout'])))
              .action((kind: ErrorKind) => Promise.reject(new ShopError(kind)));
          },
        };
      },
    },
    {
      name: 'burn',
      summary: 'burn all things',
      destroys: true,
      load: async () => ({ configure: () => {} }),
    },
    ...completionCommands,
  ],
  exits: { 0: 'ok', 7: 'timed out' },
  absent: { rent: 'things are sold', lend: 'things are sold', steal: 'it is forbidden' },
  addFlags: () => {},
  errorLines: (error) => linesOf(error, 'ask again'),
  exitCodeOf: (error) => exitCodeOf(error),
};

async function run(...args: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  const written = { out: '', error: '' };
  const collect = (name: keyof typeof written): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written[name] += chunk.toString();
        done();
      },
    });
  const { signal } = new AbortController();
  const streams = { out: collect('out'), error: collect('error'), input: new PassThrough() };
  const code = await runProgram(shop, args, { ...streams, env: {}, signal });
  return { code, ...written };
}

test('a program has its name, its commands and its exit codes in its help', async (t) => {
  const { code, out } = await run('--help');
  t.is(code, 0);
  for (const text of ['Sells things.', 'Usage: shop', 'sell a thing', 'Exit codes: 0 ok, 7 timed out.'])
    t.true(out.includes(text), text);
  t.false(out.includes('__complete'));
  t.is((await run('--version')).out, 'shop 1.2.3\n');
});

test('commands that this version does not have are in the help by their reason, and whoever calls one is told it', async (t) => {
  const { out } = await run('--help');
  t.true(
    out.includes(
      '\nNot in this version: rent, lend; things are sold.\nNot in this version: steal; it is forbidden.\n',
    ),
    out,
  );
  const error = 'shop: lend is not in this version; things are sold; see shop --help; ask again\n';
  for (const args of [['lend'], ['lend', '--help']])
    t.deepEqual(await run(...args), { code: 2, out: '', error });
});

test('the exit code follows from the kind of the error, and its line says what to do', async (t) => {
  const kinds: readonly (readonly [kind: ErrorKind, code: number])[] = [
    ['not-found', 3],
    ['denied', 4],
    ['unavailable', 5],
    ['timeout', 7],
    ['refused', 1],
  ];
  for (const [kind, code] of kinds)
    t.deepEqual(await run('sell', kind), { code, out: '', error: `shop: it is ${kind}; ask again\n` });
});

test('a mistyped command is answered with the nearest, never with one that destroys', async (t) => {
  const { code, error } = await run('sel');
  t.is(code, 2);
  t.true(error.includes("unknown command 'sel' (Did you mean sell?); see shop --help"), error);
  t.false((await run('burm')).error.includes('Did you mean'));
});

test('completion is of this program, and asks the arguments themselves', async (t) => {
  const { out } = await run('completion', 'bash');
  t.true(out.includes('complete -F _shop shop\n'));
  t.false(out.includes('osctl'));
  t.is((await run('__complete', '--', 'sell', 'd')).out, 'denied\n');
  t.is((await run('__complete', '--', 'b')).out, 'burn\tburn all things\n');
});

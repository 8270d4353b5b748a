import { fileURLToPath } from 'node:url';

import test from 'ava';

import { type AskOptions, askAll, type BenchFile, type Row } from '../../../../bench/src/ask-all.ts';
import { unlessEnded } from '../../../../bench/src/interruption.ts';
import { ask } from '../../../../bench/src/question.ts';
import { table } from '../../../../bench/src/table.ts';
import { command } from '../src/index.ts';

const nothing = async (): Promise<boolean> => true;

/** Two files of one question each: ours takes 3, the peer 6; `each` hears of every sample of ours. */
function benches(each: (file: string, sample: number) => void | Promise<void>) {
  const made = new Set<string>();
  const files = ['one', 'two', 'three'].map((name): BenchFile => ({
    name,
    load: async () => ({
      prepare: async (stack) => {
        made.add(name);
        stack.defer(() => void made.delete(name));
        let count = 0;
        const sample = async (): Promise<number> => {
          await each(name, ++count);
          return 3;
        };
        const ours = { name: 'ours', run: nothing, sample };
        const peer = { name: 'peer', run: nothing, sample: async () => 6 };
        return [ask({ name: `${name}-time`, question: `How long is ${name}?`, gate: 1, ours, peer })];
      },
    }),
  }));
  return { files, made };
}

function options(signal: AbortSignal, written: Row[]): AskOptions {
  return {
    wanted: [],
    smoke: false,
    signal,
    begun: () => {},
    answered: async (row) => void written.push(row),
  };
}

test('a smoke run leaves machines off, unless it names what switches them on', async (t) => {
  const { signal } = new AbortController();
  const { files } = benches(() => {});
  const [first, ...others] = files;
  const slow: BenchFile = {
    ...first!,
    load: async () => ({ ...(await first!.load()), needsMachines: true }),
  };
  const names = async (more: Partial<AskOptions>): Promise<readonly string[]> =>
    (await askAll([slow, ...others], { ...options(signal, []), ...more })).map(({ name }) => name);
  t.deepEqual(await names({ smoke: true }), ['two-time', 'three-time']);
  t.deepEqual(await names({ smoke: true, wanted: ['one'] }), ['one-time']);
  t.deepEqual(await names({}), ['one-time', 'two-time', 'three-time']);
});

/** Samples of a question that asks for so many rounds. */
async function samplesOf(rounds: number): Promise<number | undefined> {
  const [file] = benches(() => {}).files;
  const load: BenchFile['load'] = async () => ({
    prepare: async (stack) => {
      const questions = await (await file!.load()).prepare(stack);
      return questions.map((question) => ({ ...question, rounds, warmUp: 0 }));
    },
  });
  const [row] = await askAll([{ ...file!, load }], options(new AbortController().signal, []));
  return row?.n;
}

test('what takes minutes is measured once, and anything else seven times at least', async (t) => {
  t.is(await samplesOf(1), 1);
  t.is(await samplesOf(3), 7);
});

test('a run that is ended early tells what it has, takes down what it has made, and writes whole rows only', async (t) => {
  const early = new AbortController();
  const warmUp = 3;
  const { files, made } = benches((file, sample) => {
    if (file === 'two' && sample === warmUp + 5) early.abort(new Error('enough'));
  });
  const written: Row[] = [];
  const rows = await askAll(files, options(early.signal, written));
  t.like(rows, [
    { name: 'one-time', ratio: 0.5, complete: true, n: 11 },
    { name: 'two-time', ratio: 0.5, complete: false, n: 4 },
  ]);
  t.deepEqual(
    written.map(({ name }) => name),
    ['one-time'],
  );
  t.is(made.size, 0);
  t.regex(table(rows, false), /one-time .* pass .*\ntwo-time .* part /);
});

test('a step that fails because the run is ended is not told, and any other failure is', async (t) => {
  const early = new AbortController();
  const failing = benches(() => {
    early.abort(new Error('enough'));
    throw new Error('the server has gone');
  });
  t.deepEqual(await askAll(failing.files, options(early.signal, [])), []);
  t.is(failing.made.size, 0);
  const broken = benches(() => {
    throw new Error('the server has gone');
  });
  await t.throwsAsync(askAll(broken.files, options(new AbortController().signal, [])), {
    message: 'the server has gone',
  });
  t.is(broken.made.size, 0);
});

test('a step that does not end is left after its time', async (t) => {
  const early = new AbortController();
  const never = unlessEnded(early.signal, () => new Promise<void>(() => {}), 1);
  early.abort(new Error('enough'));
  await t.throwsAsync(never, { message: 'enough' });
});

test('a name that no bench has is refused before anything is asked', async (t) => {
  const program = fileURLToPath(import.meta.resolve('../../../../bench/src/run.ts'));
  const words = ['--conditions=source', program, 'config-load', 'confg-load'];
  const { code, stderr } = await command([process.execPath, ...words]);
  t.is(code, 2);
  t.regex(stderr, /^no bench is called confg-load; there are agent-memory, /);
});

/**
 * The one file that ava sees of many: imports each of `NODECORE_SHARED_FILES`, and declares their tests with the file's path in
 * front of the title. They run one at a time: whatever happens, happens to one file.
 */
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import ava, { type ExecutionContext, registerCompletionHandler } from 'ava';

import { noteFile } from '../notes.ts';
import { type Declaration, declared } from './declarations.ts';
import { prefixOf } from './prefix.ts';
import { Watch } from './watch.ts';

type Test = (title: string, body?: (t: ExecutionContext) => unknown) => void;

const recorder = new URL('ava.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'ava' && context.parentURL !== import.meta.url && context.parentURL !== recorder
      ? { url: recorder, shortCircuit: true }
      : next(specifier, context),
});

// What a file left open was noted, and must not keep the others waiting.
registerCompletionHandler(() => process.exit());
const watch = new Watch();
const files = JSON.parse(process.env['NODECORE_SHARED_FILES'] ?? '[]') as string[];
const imported = [];
for (const file of files) imported.push(await importFile(file));
for (const one of imported) declareAll(one);

type Imported = {
  readonly file: string;
  readonly seconds: number;
  readonly declarations: readonly Declaration[];
  readonly needs: string | undefined;
};

async function importFile(file: string): Promise<Imported> {
  const started = performance.now();
  watch.begin();
  declared.length = 0;
  let failure: string | undefined;
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch {
    failure = "can't be imported";
  }
  const needs = failure ?? watch.end() ?? (declared.length === 0 ? 'has no test' : undefined);
  return { file, seconds: (performance.now() - started) / 1000, declarations: [...declared], needs };
}

function declareAll({ file, seconds, declarations, needs }: Imported): void {
  if (needs !== undefined) {
    noteFile({ file, seconds, needs });
    return;
  }
  const running = declarations.filter(
    ({ modifiers, body }) => body !== undefined && !modifiers.includes('skip'),
  );
  let ended = 0;
  let started = 0;
  const prefix = prefixOf(file);
  for (const { title, modifiers, body } of declarations) {
    // All of them serial: ava has those run first, and then files would mix.
    const others = modifiers.filter((name) => name !== 'serial');
    const test = others.reduce(
      (chain, name) => Reflect.get(chain, name) as typeof ava,
      ava.serial as typeof ava,
    ) as Test;
    if (body === undefined) test(`${prefix}${title}`);
    else test(`${prefix}${title}`, watched(body));
  }
  if (running.length === 0) noteFile({ file, seconds });

  function watched(body: (t: ExecutionContext) => unknown): (t: ExecutionContext) => unknown {
    return async (t) => {
      if (started === 0) {
        started = performance.now();
        watch.begin();
      }
      // The first to be registered runs last, after what the test tears down itself.
      t.teardown(async () => {
        ended += 1;
        if (ended < running.length) return;
        // What was closed is gone some turns later, and the peer of a connection some turns after that.
        for (let turns = 0; turns < 100 && (turns === 0 || watch.leavesOpen() !== undefined); turns += 1) {
          await new Promise((turn) => setImmediate(turn));
        }
        const needed = watch.end();
        noteFile({
          file,
          seconds: seconds + (performance.now() - started) / 1000,
          ...(needed && { needs: needed }),
        });
      });
      try {
        await body(t);
      } catch (error) {
        // The file runs again, in a process of its own.
        if (watch.found() === undefined) throw printable(error);
        t.pass();
      }
    };
  }
}

/** ava's report of a failure can't be written when the error has a property that is undefined. */
function printable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  for (const name of Object.keys(error))
    if (Reflect.get(error, name) === undefined) Reflect.deleteProperty(error, name);
  printable(error.cause);
  return error;
}

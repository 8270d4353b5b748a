/**
 * Loaded by ava into each of its processes (`ava.config.js`): reports to the test command when the process's file begins and how long
 * it took.
 */
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { cwd } from 'node:process';
import { fileURLToPath } from 'node:url';

import { beginLine, noteBegin, noteFile } from '../notes.ts';
import { Watch } from './watch.ts';

// A shared process reports each of its files itself.
if (process.env['NODECORE_TEST_NOTES'] !== undefined && process.env['NODECORE_SHARED_FILES'] === undefined) {
  if (process.env['NODECORE_VM'] === undefined) noteAtExit();
  // The machine can't write there: who runs it does.
  else atFile((file) => process.stderr.write(beginLine(file)));
}

/** Calls back with the process's test file when it is about to be loaded. */
function atFile(begins: (file: string) => void): void {
  const directory = cwd();
  const hook = registerHooks({
    resolve(specifier, context, next) {
      if (specifier.endsWith('.test.ts')) {
        hook.deregister();
        begins(relative(directory, fileURLToPath(specifier)));
      }
      return next(specifier, context);
    },
  });
}

function noteAtExit(): void {
  const watch = new Watch();
  let file: string | undefined;
  atFile((its) => {
    file = its;
    noteBegin(its);
  });
  process.on('exit', () => {
    const needs = watch.found();
    if (file !== undefined)
      noteFile({ file, seconds: process.uptime(), ...(needs !== undefined && { needs }) });
  });
}

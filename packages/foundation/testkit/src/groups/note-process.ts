/** Loaded by ava into each of its processes (`ava.config.js`): tells the test command how long the process's file took. */
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { cwd } from 'node:process';
import { fileURLToPath } from 'node:url';

import { noteFile } from '../notes.ts';
import { Watch } from './watch.ts';

// A machine can't write there, and a shared process tells about each of its files itself.
if (process.env['NODECORE_TEST_NOTES'] !== undefined && process.env['NODECORE_VM'] === undefined) {
  if (process.env['NODECORE_SHARED_FILES'] === undefined) noteAtExit();
}

function noteAtExit(): void {
  const directory = cwd();
  const watch = new Watch();
  let file: string | undefined;
  const hook = registerHooks({
    resolve(specifier, context, next) {
      if (specifier.endsWith('.test.ts')) {
        file = relative(directory, fileURLToPath(specifier));
        hook.deregister();
      }
      return next(specifier, context);
    },
  });
  process.on('exit', () => {
    const needs = watch.found();
    if (file !== undefined)
      noteFile({ file, seconds: process.uptime(), ...(needs !== undefined && { needs }) });
  });
}

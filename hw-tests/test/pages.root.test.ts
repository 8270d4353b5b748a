import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { consoleSteps, difference } from '../src/pages/console-blocks.ts';
import { checkout } from '../src/paths.ts';
import { freePort } from './agent-node.ts';
import { nodeCommands } from './node-commands.ts';

const pages = ['README.md', 'docs/*.md', 'packages/*/*/README.md'];

type Printed = { readonly text: string; readonly error: Error | null };

/** Runs a line of a shell; both outputs as one, as in a terminal. */
function shell(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Printed> {
  return new Promise((resolve) => {
    const argv = ['-c', `exec 2>&1\n${command}`];
    execFile('sh', argv, { cwd, env, timeout: 60_000 }, (error, text) => resolve({ text, error }));
  });
}

testWith(root)(
  'commands that pages show print what the pages say, with a node on this machine',
  async (t) => {
    t.timeout(300_000);
    const marked = globSync(pages, { cwd: checkout })
      .sort()
      .map(async (page) => ({ page, steps: consoleSteps(await readFile(join(checkout, page), 'utf8')) }));
    const all = (await Promise.all(marked)).filter(({ steps }) => steps.length > 0);
    t.true(all.length > 1);
    const node = await nodeCommands(t);
    const port = String(await freePort());
    const started = await node.start('--host', '--port', port);
    t.is(started.code, 0, started.stdout + started.stderr);
    const programs = [join(checkout, 'node_modules', '.bin'), process.env['PATH']].join(':');
    const env = { ...process.env, HOME: node.home, OSCONFIG: '', OS_HOME: '', PATH: programs };
    const differences: string[] = [];
    for (const { page, steps } of all) {
      // What one command of a page writes, a later one of it may read.
      const cwd = await temporaryDirectory(t);
      for (const { line, command, expected } of steps) {
        const { text, error } = await shell(command, cwd, env);
        const printed = text.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:50000');
        const said =
          expected.length > 0 ? difference(expected, printed) : error && `it fails: ${error.message}${text}`;
        if (said) differences.push(`${page}:${line}: ${said}`);
      }
    }
    t.deepEqual(differences, []);
  },
);

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { componentsOf } from '../src/bill/components.ts';
import { type AgentBundle, bundleAgent, inAscii } from '../src/bundle.ts';
import { releaseKernel } from '../src/modules.ts';
import { checkout } from '../src/paths.ts';

let made: Promise<AgentBundle> | undefined;
/** It takes seconds. */
const bundled = (): Promise<AgentBundle> => (made ??= bundleAgent());

const run = async (code: string): Promise<unknown> =>
  await import(`data:text/javascript,${encodeURIComponent(code)}`);

test('a program in ASCII is the same program', async (t) => {
  const code = 'export const found = ["…", `µ${1}—`, /[é-ï😀]/u.test("😀"), "\\u00e9" === "é"]; // ‖';
  const written = inAscii(code);
  t.regex(written, /^[\x20-\x7e]+$/u);
  t.deepEqual(await run(written), await run(code));
});

test('the programs of the agent are in ASCII, without the comments of its sources', async (t) => {
  t.timeout(60_000);
  const { programs } = await bundled();
  t.true(programs.has('agent.cjs'));
  for (const [path, code] of programs) {
    t.notRegex(code, /[\u0080-\uffff]/u, path);
  }
  t.notRegex(programs.get('agent.cjs') ?? '', /Calls `listener` once when the signal fires/u);
});

test('the agent is as strict as its modules', async (t) => {
  t.timeout(60_000);
  const { programs } = await bundled();
  t.regex(programs.get('agent.cjs') ?? '', /^"use strict";\n/);
});

test('the agent has the threads that it needs, and loads no client of WebSockets', async (t) => {
  t.timeout(60_000);
  const directory = await temporaryDirectory(t);
  const [program, hook] = [join(directory, 'agent.cjs'), join(directory, 'hook.cjs')];
  const { programs } = await bundled();
  await writeFile(program, programs.get('agent.cjs') ?? '');
  const facts =
    '{ threads: process.env.UV_THREADPOOL_SIZE, code: process.exitCode, loaded: process.moduleLoadList }';
  await writeFile(hook, `process.once('exit', () => console.error(JSON.stringify(${facts})));`);
  const env = { NODE_PATH: join(checkout, 'packages', 'foundation', 'sys', 'node_modules') };
  const { stderr, stdout } = await promisify(execFile)(execPath, ['--require', hook, program, '--help'], {
    env,
  });
  t.regex(stdout, /^Usage: nodecore-agent/);
  const { threads, code, loaded } = JSON.parse(stderr) as {
    readonly threads: string;
    readonly code: number;
    readonly loaded: readonly string[];
  };
  t.is(threads, '64');
  t.is(code, 0);
  // `node:http` shows it to who reads all of its exports: 3 MB.
  t.deepEqual(
    loaded.filter((name) => name.includes('undici')),
    [],
  );
});

test("the agent's modules are of packages of npm, with their licences, and of this checkout", async (t) => {
  t.timeout(60_000);
  const { modules } = await bundled();
  const found = await componentsOf({ files: modules, kernel: await releaseKernel(), architecture: 'amd64' });
  const npm = found.filter(({ purl }) => purl.type === 'npm');
  const { version } = JSON.parse(
    await readFile(join(checkout, 'packages/contract/api/node_modules/@grpc/grpc-js/package.json'), 'utf8'),
  );
  t.deepEqual(
    npm.find(({ name }) => name === '@grpc/grpc-js'),
    {
      name: '@grpc/grpc-js',
      version,
      purl: { type: 'npm', namespace: '@grpc', name: 'grpc-js', version },
      license: 'Apache-2.0',
    },
  );
  t.true(npm.length > 10);
  for (const { name, license } of npm) {
    t.truthy(license, name);
    t.false(name.startsWith('@nodecore/'), name);
  }
});

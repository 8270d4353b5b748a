import test from 'ava';

import { bundleAgent, inAscii } from '../src/bundle.ts';

const run = async (code: string): Promise<unknown> =>
  await import(`data:text/javascript,${encodeURIComponent(code)}`);

test('a program in ASCII is the same program', async (t) => {
  const code = 'export const found = ["…", `µ${1}—`, /[é-ï😀]/u.test("😀"), "\\u00e9" === "é"]; // ‖';
  const written = inAscii(code);
  t.regex(written, /^[\x20-\x7e]+$/u);
  t.deepEqual(await run(written), await run(code));
});

test('the programs of the agent are in ASCII, without the comments of its sources, and load no client of WebSockets', async (t) => {
  t.timeout(60_000);
  const { programs } = await bundleAgent();
  t.true(programs.has('agent.mjs'));
  for (const [path, code] of programs) {
    t.notRegex(code, /[\u0080-\uffff]/u, path);
    t.notRegex(code, /^import .*"node:http";$/mu, path);
  }
  t.notRegex(programs.get('agent.mjs') ?? '', /Calls `listener` once when the signal fires/u);
});

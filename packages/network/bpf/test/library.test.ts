import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import test from 'ava';

const index = new URL('../src/index.ts', import.meta.url).href;

/** Runs a module in a process of its own and returns which of the two libraries it had mapped at the end. */
async function librariesOf(module: string): Promise<readonly string[]> {
  const source = `
    import { readFileSync } from 'node:fs';
    import * as bpf from '${index}';
    ${module}
    const maps = readFileSync('/proc/self/maps', 'utf8');
    console.log(JSON.stringify(['koffi', 'libpcap'].filter((name) => maps.includes(name))));`;
  const options = ['--conditions=source', '--input-type=module', '--eval', source];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return JSON.parse(stdout) as readonly string[];
}

test('no library is loaded to read, print, check, run, compare and explain programs', async (t) => {
  const module = `
    const program = bpf.parse('ldh [12]\\njeq #0x800, yes, no\\nyes: ret #1\\nno: ret #0');
    for (const form of bpf.forms) bpf.parse(bpf.print(program, form));
    bpf.run(program, new Uint8Array(20));
    bpf.explain(bpf.both(program, bpf.withSnapLength(program, 5)));
    bpf.linkType('RAW');`;
  t.deepEqual(await librariesOf(module), []);
});

test('libpcap is loaded to compile', async (t) => {
  t.deepEqual(await librariesOf(`await bpf.compile('tcp');`), ['koffi', 'libpcap']);
});

import { command, program as needsProgram, testWith } from '@nodecore/testkit';

import { BpfError, compile, equal, type Form, parse, print } from '../src/index.ts';
import { filters } from './filters.ts';

const installed = testWith(needsProgram('tcpdump'));
const linkTypes = ['EN10MB', 'RAW', 'LINUX_SLL2', 'NULL'];

/** What tcpdump prints for each filter; undefined where it refuses one. */
async function tcpdump(option: string, linkType: string): Promise<readonly (string | undefined)[]> {
  const loop = 'while IFS= read -r filter; do echo @; tcpdump -y "$1" "$2" -- "$filter"; done';
  const { stdout } = await command(['sh', '-c', loop, 'sh', linkType, option], {
    input: `${filters.join('\n')}\n`,
  });
  return stdout
    .split('@\n')
    .slice(1)
    .map((printed) => (printed === '' ? undefined : printed));
}

/** As tcpdump does it without an interface: it takes the mask of the network to be 0. */
async function ours(linkType: string, filter: string): Promise<ReturnType<typeof compile> | BpfError> {
  try {
    return await compile(filter, { linkType, netmask: '0.0.0.0' });
  } catch (error) {
    if (error instanceof BpfError) return error;
    throw error;
  }
}

for (const linkType of linkTypes) {
  installed(`${filters.length} filters compile for ${linkType} as tcpdump -dd compiles them`, async (t) => {
    const answers = await tcpdump('-dd', linkType);
    let compiled = 0;
    for (const [index, filter] of filters.entries()) {
      const made = await ours(linkType, filter);
      if (made instanceof BpfError) {
        t.is(answers[index], undefined, `${filter}: ${made.message}`);
        t.is(made.code, 'ERR_BPF_FILTER', filter);
      } else {
        t.is(print(made, 'initializers'), answers[index] ?? 'refused', filter);
        compiled += 1;
      }
    }
    t.true(compiled > 130, `${compiled}`);
    t.log(`${compiled} compiled, ${filters.length - compiled} refused by both`);
  });
}

const options: readonly (readonly [Form, string])[] = [
  ['disassembly', '-d'],
  ['initializers', '-dd'],
  ['numbers', '-ddd'],
];

for (const [form, option] of options) {
  installed(`what tcpdump ${option} prints is read, and printed byte for byte`, async (t) => {
    const printed = await tcpdump(option, 'EN10MB');
    for (const [index, filter] of filters.entries()) {
      const text = printed[index];
      if (text === undefined) continue;
      const read = parse(text);
      t.is(print(read, form), text, filter);
      t.true(equal(read, await compile(filter, { netmask: '0.0.0.0' })), filter);
    }
  });
}

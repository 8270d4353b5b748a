import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { privateNetwork, root, temporaryDirectory, testWith, vethPair } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { ca, captureNode } from '../../agent/test/capture-node.ts';
import { flood } from '../../../network/capture/test/traffic.ts';
import { osctl, type Outcome, type RunOptions } from './command-line.ts';

const rooted = testWith(root);

test.before(async () => {
  await privateNetwork();
  await vethPair('left', 'right');
});

/** Runs `osctl pcap` against a node that captures. */
async function pcap(
  t: ExecutionContext,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Outcome> {
  const { endpoint } = await captureNode(t);
  const path = join(await temporaryDirectory(t), 'config');
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:capture'] });
  const config = Osconfig.empty(path);
  config.set('test', { endpoints: [endpoint], nodes: [], ca: ca.crt, crt, key });
  config.use('test');
  await writeFile(path, config.encode());
  return await osctl(['pcap', '-i', 'right', ...args], { ...options, env: { OSCONFIG: path } });
}

rooted('packets of a node are lines, until the user interrupts', async (t) => {
  const interrupt = new AbortController();
  const { code, out, error } = await pcap(t, ['--bpf-filter', 'udp'], {
    signal: interrupt.signal,
    onError: (text) => {
      if (text === 'capturing on right (EN10MB)\n') void flood({ on: 'left', frameBytes: 100, count: 3 });
    },
    onOutput: (text) => {
      if (text.split('\n').length > 3) interrupt.abort(new Error('interrupted'));
    },
  });
  t.is(code, 0, error);
  t.is(error, 'capturing on right (EN10MB)\n3 packets received, 0 dropped\n');
  const lines = out.trimEnd().split('\n');
  t.is(lines.length, 3);
  for (const line of lines) t.regex(line, / IP 192\.0\.2\.\d+\.\d+ > 192\.0\.2\.\d+\.\d+: UDP, length 58$/);
});

rooted('what the node says of a filter has its caret under the word', async (t) => {
  const { code, error } = await pcap(t, ['--bpf-filter', 'tcp prot 80']);
  t.is(code, 2);
  const [first = '', ...rest] = error.split('\n');
  t.regex(first, /^osctl: 127\.0\.0\.1:\d+: bpf: filter, column 5: /);
  t.deepEqual(rest, ['osctl:   tcp prot 80', 'osctl:       ^^^^', '']);
});

rooted('an interface that is not there is not found, and what is there is listed', async (t) => {
  const { code, error } = await pcap(t, ['-i', 'eth7']);
  t.is(code, 3);
  t.regex(error, /no interface eth7; there are lo, right, left, any/);
});

import { failure } from '@nodecore/api';
import type { MachineServiceHandlers } from '@nodecore/api/machine';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

async function machine(t: ExecutionContext) {
  const asked: string[] = [];
  const handlers: Partial<MachineServiceHandlers> = {
    metaWrite: ({ request: { key, value } }, answer) => {
      asked.push(`${key}=${value.toString()}`);
      answer(null, {});
    },
    metaDelete: ({ request: { key } }, answer) => {
      asked.push(`-${key}`);
      if (key === 13) answer(failure(status.NOT_FOUND, 'key 0x0d has no value', { code: 'ERR_META_ABSENT' }));
      else answer(null, {});
    },
  };
  const node = await startFakeNode(t, { machine: handlers });
  return { asked, env: await clientConfig(t, { endpoints: [node.endpoint] }) };
}

test('keys are numbers in four notations, and what is done says nothing', async (t) => {
  const { asked, env } = await machine(t);
  for (const key of ['10', '0x0a', '0o12', '0b1010']) {
    const { code, out, error } = await osctl(['meta', 'write', key, 'kind: DHCP'], { env });
    t.deepEqual([code, out, error], [0, '', '']);
  }
  t.deepEqual(new Set(asked), new Set(['10=kind: DHCP']));
  t.is((await osctl(['meta', 'delete', '0X0C'], { env })).code, 0);
  t.is(asked.at(-1), '-12');
});

test('what is no key of META is refused before a node is asked', async (t) => {
  const { asked, env } = await machine(t);
  for (const key of ['256', '1.5', 'ten', '0x', '1e1', '', ' 10']) {
    const { code, error } = await osctl(['meta', 'write', key, 'x'], { env });
    t.is(code, 2, key);
    t.regex(error, /is no key of META/u);
  }
  t.is((await osctl(['meta', 'delete', '--', '-1'], { env })).code, 2);
  t.deepEqual(asked, []);
});

test('a key without a value ends with 3', async (t) => {
  const { env } = await machine(t);
  const { code, error } = await osctl(['meta', 'delete', '13'], { env });
  t.is(code, 3);
  t.regex(error, /key 0x0d has no value/u);
});

test('programs get what was done at each node as JSON, also when another one fails', async (t) => {
  const { env } = await machine(t);
  const written = await osctl(['meta', 'write', '0x0c', 'x', '-o', 'json'], { env });
  t.like(JSON.parse(written.out), [{ key: 12, state: 'written' }]);
  const deleted = await osctl(['meta', 'delete', '12', '-o', 'json'], { env });
  t.like(JSON.parse(deleted.out), [{ key: 12, state: 'deleted' }]);
  const failed = await osctl(['meta', 'delete', '13', '-o', 'json'], { env });
  t.deepEqual([failed.code, failed.out], [3, '[]\n']);
});

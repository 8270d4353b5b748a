import test from 'ava';

import { kernelRecordJson, parseKernelRecord, serviceRecordJson } from '@nodecore/host';

test('a record is read with its facts, and told as one line of JSON', (t) => {
  const record = parseKernelRecord('6,339,5140900,-;NET: Registered protocol family 10\n SUBSYSTEM=net\n');
  t.deepEqual(record, {
    sequence: 339,
    clockMicros: 5_140_900,
    facility: 'kern',
    priority: 'info',
    message: 'NET: Registered protocol family 10',
  });
  if (record === undefined) return;
  t.deepEqual(JSON.parse(kernelRecordJson(record, Date.UTC(2026, 0, 1))), {
    msg: 'NET: Registered protocol family 10',
    'os-time': '2026-01-01T00:00:05.140Z',
    'os-level': 'info',
    facility: 'kern',
    seq: 339,
    clock: 5_140_900,
    priority: 'info',
  });
});

test('what a program wrote can neither end the line nor be taken for a field', (t) => {
  const record = parseKernelRecord(String.raw`12,1,2,c;a"\x0a{\"seq\":7}` + '\n');
  t.is(record?.facility, 'user');
  t.is(record?.message, 'a"\n{\\"seq\\":7}');
  if (record === undefined) return;
  const line = kernelRecordJson(record, 0);
  t.notRegex(line, /\n/);
  t.like(JSON.parse(line), { seq: 1, msg: 'a"\n{\\"seq\\":7}' });
  t.is(parseKernelRecord('garbage'), undefined);
  t.is(parseKernelRecord(''), undefined);
});

const line = (message: string, tags = {}): unknown => {
  const record = parseKernelRecord(`6,1,2000000,-;${message}`);
  return record && JSON.parse(serviceRecordJson(record, 1000, tags));
};

test('a line says which service has spoken, and no tag takes the place of a field', (t) => {
  t.deepEqual(
    line('nodecore: Selected source 10.0.0.1 program=chronyd', { site: 'a', msg: 'b', 'os-service': 'c' }),
    {
      site: 'a',
      msg: 'Selected source 10.0.0.1 program=chronyd',
      'os-time': '1970-01-01T00:00:03.000Z',
      'os-level': 'info',
      'os-service': 'chronyd',
    },
  );
  t.like(line('nodecore: configuration is active'), { 'os-service': 'agent' });
  t.like(line('init: the agent starts program=x'), {
    'os-service': 'init',
    msg: 'the agent starts program=x',
  });
  t.like(line('xfs: mounted program=chronyd'), {
    'os-service': 'kernel',
    msg: 'xfs: mounted program=chronyd',
  });
});

import test from 'ava';

import { redact } from '@nodecore/config';
import { tableOf } from '../table.ts';

tableOf('EnvironmentConfig', {
  reads: [
    [
      'variables: {https_proxy: "http://a:3128", _x: ""}\n',
      {
        variables: new Map([
          ['https_proxy', 'http://a:3128'],
          ['_x', ''],
        ]),
      },
    ],
  ],
  refuses: [
    ['variables: {§1a: x}\n', 'environment.name', 'variables.?'],
    ['variables: {§a-b: x}\n', 'environment.name', 'variables.?'],
    ['variables: {§"": x}\n', 'environment.name', 'variables.?'],
    ['variables: {§PATH: x}\n', 'environment.reserved', 'variables.?'],
    ['variables: {§LD_PRELOAD: x}\n', 'environment.reserved', 'variables.?'],
    ['variables: {§NODE_OPTIONS: x}\n', 'environment.reserved', 'variables.?'],
    ['variables: {a: §1}\n', 'wrong_type', 'variables.a'],
    ['variables: {a: §"\\0"}\n', 'text.control', 'variables.a'],
  ],
});

test('values of variables are hidden where a configuration is shown', (t) => {
  const text =
    'apiVersion: v1alpha1\nkind: EnvironmentConfig\nvariables:\n  a: hunter2\n  b: |\n    hunter2\n';
  t.false(redact(text).includes('hunter2'));
});

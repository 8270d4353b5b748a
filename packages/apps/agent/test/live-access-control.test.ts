import { parse } from '@nodecore/config';
import test from 'ava';

import { checkAccessControl } from '../src/configuration/live-access-control.ts';
import type { ApplyError } from '../src/configuration/errors.ts';

const shared = `apiVersion: v1alpha1
kind: ExternalVolumeConfig
name: shared
filesystemType: virtiofs
mount:
  virtiofs: {tag: shared}
`;

test('a directory that the host shares is refused at its line where labels of files are enforced', (t) => {
  using configuration = parse(shared);
  const error = t.throws<ApplyError>(() => checkAccessControl(configuration, 'SELinux'), {
    code: 'ERR_APPLY_REFUSED',
    message: /ExternalVolumeConfig\/shared: SELinux is enforced/u,
  });
  t.like(error?.problems[0], { code: 'volume.access_control', path: 'filesystemType', line: 4, column: 17 });
});

test('it is taken where none are, and so is every other volume where they are', (t) => {
  using external = parse(shared);
  t.notThrows(() => checkAccessControl(external, undefined));
  using none = parse('apiVersion: v1alpha1\nkind: ZswapConfig\nmaxPoolPercent: 20\n');
  t.notThrows(() => checkAccessControl(none, 'SELinux'));
});

import test from 'ava';

import * as protocol from '../gen/nodecore-fleet-v1.js';
import { fleetRoles, includesRole, lesserRole, parseRole, roleForMethod } from '../src/roles.ts';

test('every method says who may call it, and one nobody declared is for Admin', (t) => {
  const services = [protocol.StateService, protocol.ManagementService, protocol.AuthService];
  const paths = services.flatMap((service) => Object.values(service).map(({ path }) => path));
  t.true(paths.length > 15);
  const admins = paths.filter((path) => roleForMethod(path) === 'Admin');
  t.deepEqual(
    admins.map((path) => path.replace(/.*\//u, '')),
    ['CreateServiceAccount', 'DestroyServiceAccount'],
  );
  t.is(roleForMethod('/nodecore.fleet.v1.AuthService/constructor'), 'Admin');
  t.is(roleForMethod('toString'), 'Admin');
  t.is(roleForMethod('/nodecore.v1.MachineService/Reboot'), 'Reader', 'the node says more');
  t.is(roleForMethod('/nodecore.v1x.MachineService/Reboot'), 'Admin');
});

test('an operator does not read the record of what was done, and an auditor and an administrator do', (t) => {
  t.deepEqual(
    fleetRoles.filter((role) => includesRole(role, 'Auditor')),
    ['Auditor', 'Admin'],
  );
  t.true(includesRole('Operator', 'Reader'));
  t.false(includesRole('Reader', 'Operator'));
});

test('the lesser of two roles never allows what one of them does not', (t) => {
  for (const one of fleetRoles)
    for (const other of fleetRoles)
      for (const needed of fleetRoles)
        if (includesRole(lesserRole(one, other), needed))
          t.true(includesRole(one, needed) && includesRole(other, needed), `${one} ${other} ${needed}`);
});

test('roles are read in any case, and nothing else is a role', (t) => {
  t.is(parseRole('admin'), 'Admin');
  t.is(parseRole('root'), undefined);
});

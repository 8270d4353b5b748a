import { etcd, program, testWith } from '@nodecore/testkit';

import { AlarmAction, AlarmType, Maintenance } from '../gen/etcdserverpb.js';
import {
  alarms,
  cancelDowngrade,
  connect,
  deletePrefix,
  disarm,
  enableDowngrade,
  inspect,
  isHealthy,
  put,
  removeMember,
  validateDowngrade,
} from '../src/index.ts';
import { must } from './must.ts';

const real = testWith(program('etcd'));

real('only the alarm that is named is disarmed', async (t) => {
  const cluster = await etcd(t, { members: 3, arguments: ['--strict-reconfig-check=false'] });
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const [first, second] = (await inspect(kvstore)).members.map(({ member }) => member.id);
  const raise = (memberId: bigint, alarm: 1 | 2) =>
    kvstore.write(Maintenance.alarm, { action: AlarmAction.ACTIVATE, memberId, alarm });
  await raise(must(first), AlarmType.NOSPACE);
  await raise(must(first), AlarmType.CORRUPT);
  await raise(must(second), AlarmType.CORRUPT);
  await t.throwsAsync(disarm(kvstore, { memberId: must(second), kind: 'nospace' }), {
    code: 'ERR_KVSTORE_NOT_FOUND',
  });
  await t.throwsAsync(disarm(kvstore, { memberId: 0n, kind: 'nospace' }), { code: 'ERR_KVSTORE_INVALID' });
  await disarm(kvstore, { memberId: must(first), kind: 'nospace' });
  await disarm(kvstore, { memberId: must(first), kind: 'corrupt' });
  t.deepEqual(await alarms(kvstore), [{ memberId: must(second), kind: 'corrupt' }]);

  const view = await inspect(kvstore);
  t.deepEqual(
    view.members.filter((each) => !isHealthy(each)).map(({ member }) => member.id),
    [second],
  );
  await removeMember(kvstore, must(second)); // broken, as far as anybody can tell: without force
});

real('a store over its quota takes no writes, only deletions, and has an alarm', async (t) => {
  const cluster = await etcd(t, { arguments: [`--quota-backend-bytes=${4 << 20}`] });
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const value = new Uint8Array(1 << 20).fill(7);
  await t.throwsAsync(
    async () => {
      for (let index = 0; index < 20; index += 1) await put(kvstore, `key-${index}`, value);
    },
    { code: 'ERR_KVSTORE_NO_SPACE' },
  );
  const [alarm] = await alarms(kvstore);
  t.is(alarm?.kind, 'nospace');
  t.true((await deletePrefix(kvstore, 'key-')) > 0n);
});

real('a downgrade is checked, enabled once, and cancelled', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const version = await validateDowngrade(kvstore, '3.4');
  t.regex(version, /^3\.5/);
  await t.throwsAsync(validateDowngrade(kvstore, '3.3'), { code: 'ERR_KVSTORE_DOWNGRADE' });
  await t.throwsAsync(validateDowngrade(kvstore, 'three'), {
    code: 'ERR_KVSTORE_DOWNGRADE',
    message: /MAJOR\.MINOR/,
  });
  await t.throwsAsync(cancelDowngrade(kvstore), { code: 'ERR_KVSTORE_DOWNGRADE' });
  t.is(await enableDowngrade(kvstore, '3.4'), version);
  await t.throwsAsync(enableDowngrade(kvstore, '3.4'), { code: 'ERR_KVSTORE_DOWNGRADE' });
  await cancelDowngrade(kvstore);
});

import { ApplyMode, RebootMode } from '@nodecore/api/machine';
import { UpgradePhase } from '@nodecore/api/lifecycle';
import test from 'ava';

import { UpgradeError } from '../src/upgrades/errors.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

test('an operator reboots and switches off, a reader and a stranger do not, and every attempt is in the audit', async (t) => {
  const { insecure, as, lines } = await apiNode(t);
  const stranger = insecure();
  await t.throwsAsync(stranger.reboot({}), { code: 'ERR_API_DENIED' });
  await stranger.applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  const reader = await as(['os:reader']);
  await t.throwsAsync(reader.reboot({}), { code: 'ERR_API_DENIED' });
  await t.throwsAsync(reader.shutdown({}), { code: 'ERR_API_DENIED' });
  const operator = await as(['os:operator']);
  // This agent is no child of PID 1: it says so, and ends nothing.
  await t.throwsAsync(operator.reboot({ mode: RebootMode.POWERCYCLE }), { message: /init program/u });
  await t.throwsAsync(operator.shutdown({ force: true }), { message: /init program/u });
  await t.throwsAsync(operator.reboot({ mode: 7 as RebootMode }), { message: /no reboot mode 7/u });
  const audited = lines.filter((line) => line.includes('"audit":true') && line.includes('"failed"'));
  t.true(audited.some((line) => line.includes('"action":"reboot"') && line.includes('powercycle')));
  t.true(audited.some((line) => line.includes('"action":"shutdown"')));
});

async function drain(answers: AsyncIterable<unknown>): Promise<void> {
  for await (const _answer of answers);
}

test('an administrator upgrades and rolls back, and nobody else', async (t) => {
  const { insecure, as } = await apiNode(t);
  const stranger = insecure();
  await t.throwsAsync(drain(stranger.upgrade({})), { code: 'ERR_API_DENIED' });
  await stranger.applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  const operator = await as(['os:operator']);
  await t.throwsAsync(drain(operator.upgrade({})), { code: 'ERR_API_DENIED' });
  await t.throwsAsync(operator.rollback(), { code: 'ERR_API_DENIED' });
  const admin = await as(['os:admin']);
  await t.throwsAsync(drain(admin.upgrade({})), { message: /machine is not installed/u });
  await t.throwsAsync(admin.rollback(), { message: /machine is not installed/u });
});

test('what fails after the beginning of an upgrade is a message and an exit code', async (t) => {
  const { insecure, as } = await apiNode(t, {
    upgrades: {
      rollback: () => Promise.reject(new Error('not asked for')),
      upgrade: async (order, tell) => {
        tell({ phase: 'pull', message: `pulls ${order.image}`, doneBytes: 1, totalBytes: 2 });
        if (order.force) throw new UpgradeError('ERR_UPGRADE_SIGNATURE', 'nobody has signed it');
        tell({ phase: 'switch', message: 'done', entry: 'nodeos-1.14.1-2+3.efi', version: 'v1.14.1' });
      },
    },
  });
  await insecure().applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  const admin = await as(['os:admin']);
  const all = async (force: boolean) => {
    const answers = [];
    for await (const answer of admin.upgrade({ source: { imageName: 'x' }, force })) answers.push(answer);
    return answers;
  };
  const [first, second, last] = await all(false);
  t.like(first, { phase: UpgradePhase.PULL, message: 'pulls x', doneBytes: 1n, totalBytes: 2n });
  t.like(second, { phase: UpgradePhase.SWITCH, entry: 'nodeos-1.14.1-2+3.efi', version: 'v1.14.1' });
  t.is(second?.exitCode, undefined);
  t.is(last?.exitCode, 0);
  const failed = await all(true);
  t.like(failed[1], { message: 'nobody has signed it (ERR_UPGRADE_SIGNATURE)' });
  t.is(failed[2]?.exitCode, 1);
});

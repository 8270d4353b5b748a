import { ApplyMode, RebootMode } from '@nodecore/api/machine';
import test from 'ava';

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

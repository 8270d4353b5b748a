import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ApplyMode } from '@nodecore/api/machine';
import test from 'ava';

import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

const root = rootDocument(ca);
/** What an older version has taken. */
const refused = `${root}---\napiVersion: v1alpha1\nkind: SysctlConfig\nparams: {vm.swappiness: 1}\nformer: open-sesame\n`;
const finding = /config\.yaml:\d+:1: SysctlConfig former: .*\(unknown_field\)/;

async function configurationOf(directory: string): Promise<string> {
  return await readFile(join(directory, 'state', 'config.yaml'), 'utf8');
}

const request = (text: string) => ({ data: Buffer.from(text), mode: ApplyMode.AUTO });

test('a configuration on STATE that is none any more brings maintenance with what is wrong, for those whom it lets in', async (t) => {
  const node = await apiNode(t, { persisted: refused });
  t.is(node.reasons.length, 1);
  t.regex(node.reasons[0] ?? '', finding);
  t.notRegex(node.reasons[0] ?? '', /sesame/);
  t.is(node.configurator.active, undefined);

  const anybody = node.insecure();
  await t.throwsAsync(anybody.version({}));
  const reader = await node.as(['os:reader']);
  t.false((await reader.version({})).version === '');
  await t.throwsAsync(reader.applyConfiguration(request(root)), { message: /os:admin/ });
  t.is(await configurationOf(node.directory), refused);

  const admin = await node.as(['os:admin']);
  await t.throwsAsync(admin.applyConfiguration(request(refused)), { code: 'ERR_API_INVALID' });
  t.is(await configurationOf(node.directory), refused);
  await admin.applyConfiguration(request(root));
  t.is(await configurationOf(node.directory), root);
  t.is(node.configurator.active?.version, 8);
  // Keys that only an older version can read are not lost.
  const [kept = ''] = await readdir(join(node.directory, 'state', 'former'));
  t.is(await readFile(join(node.directory, 'state', 'former', kept), 'utf8'), refused);
});

test('without authorities anybody may see what is wrong, and nobody changes anything', async (t) => {
  for (const text of [
    'machine: [',
    'kind: Unheard\napiVersion: v1alpha1\n',
    root.replace(/crt: .*/u, 'crt: bm9uZQ=='),
  ]) {
    const node = await apiNode(t, { persisted: text });
    t.regex(node.reasons[0] ?? '', /the persisted configuration can not be used: config\.yaml:\d+:\d+/);
    const anybody = node.insecure();
    t.false((await anybody.version({})).version === '');
    await t.throwsAsync(anybody.applyConfiguration(request(root)), { code: 'ERR_API_DENIED' }, text);
    t.is(await configurationOf(node.directory), text);
  }
});

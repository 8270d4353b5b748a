import { output, privateNetwork, root, testWith, vethPair } from '@nodecore/testkit';
import test from 'ava';

import { renameInterface } from '@nodecore/sys';

test.before(async () => await privateNetwork());

testWith(root)('an interface that is down gets another name, unless somebody has it', async (t) => {
  await vethPair('left', 'right');
  await output(['ip', 'link', 'set', 'left', 'down']);
  await renameInterface('left', 'a-name-of-15-by');
  t.regex(await output(['ip', '-o', 'link', 'show', 'a-name-of-15-by']), /a-name-of-15-by@right/);
  await t.throwsAsync(renameInterface('a-name-of-15-by', 'right'), { message: /EEXIST/ });
  await t.throwsAsync(renameInterface('left', 'other'), { message: /ENODEV/ });
});

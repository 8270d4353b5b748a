import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import test from 'ava';

import { grubMediumMenu, grubMenu } from '../../src/grub/menu.ts';

/** GRUB's own judge of its language, which scripts/setup unpacked. */
const check = fileURLToPath(new URL('../../../../../.cache/grub/grub-script-check', import.meta.url));

test('GRUB finds no fault in its menus, and each start is counted before it is made', (t) => {
  t.true(existsSync(check), 'run scripts/setup');
  for (const menu of [grubMenu(), grubMediumMenu()]) t.notThrows(() => execFileSync(check, { input: menu }));
  const lines = grubMenu().split('\n');
  for (const slot of ['a', 'b'])
    t.true(lines.includes(`    if count_${slot}; then start_${slot}; fi`), 'not counted: not started');
  for (const slot of ['a', 'b'])
    t.true(
      lines.includes(`      if [ "$ready_${slot}" = "yes" ]; then boot; fi`),
      'half a file starts nothing',
    );
  t.notRegex(grubMediumMenu(), /save_env/u);
});

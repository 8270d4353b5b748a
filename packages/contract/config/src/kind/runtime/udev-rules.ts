import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { required } from '../../field/type.ts';
import { udevRule } from '../../type/udev-rule.ts';

/** `UdevRulesConfig`: permissions, links and names of devices. */
export const udevRules = document('UdevRulesConfig', 'permissions, links and names of devices', () => ({
  takesEffect: 'live',
  container: 'ignored',
  replaces: ['machine.udev.rules'],
  fields: {
    rules: required('rules in the words of udev; the later one wins', list(udevRule, { least: 1 })),
  },
  example: `rules:\n  - 'SUBSYSTEM=="drm", KERNEL=="renderD*", GROUP="44", MODE="0660"'\n`,
}));

import { document } from '../../document.ts';
import { atLeastOne, onlyWhere } from '../../field/rule.ts';
import { choice } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { optional } from '../../field/type.ts';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const name = text({
  longest: 253,
  pattern: {
    regex: new RegExp(String.raw`^${label}(?:\.${label})*$`, 'u'),
    code: 'hostname.invalid',
    message: 'must be labels of letters, digits and hyphens, 63 characters at most each, separated by dots',
  },
});

/** `HostnameConfig`: what the machine is called. */
export const hostname = document('HostnameConfig', 'what the machine is called', () => ({
  takesEffect: 'live',
  replaces: ['machine.network.hostname', 'machine.features.stableHostname'],
  fields: {
    auto: optional('stable: a name made from the identity of the node; off: none', choice('stable', 'off')),
    hostname: optional('the name, with its domain or without', name),
  },
  rules: [atLeastOne('auto', 'hostname'), onlyWhere('hostname', 'auto', ['off'], { unset: true })],
  example: 'hostname: node-1.example\n',
}));

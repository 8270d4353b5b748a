import { list } from '../../field/list.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { parsed } from '../../field/parsed.ts';
import { exactlyOne } from '../../field/rule.ts';
import { choice } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { optional, required, type Type, type ValueOf } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { byteSize } from '../../type/quantity.ts';

/** An absolute path without `.`, `..` and empty parts. */
export const absolutePath: Type<string> = parsed('an absolute path', {
  json: { pattern: '^/', maxLength: 4095 },
  parse: (value) =>
    value.length <= 4095 &&
    value.startsWith('/') &&
    !/\p{Cc}/u.test(value) &&
    (value === '/' ||
      value
        .slice(1)
        .split('/')
        .every((part) => part !== '' && part !== '.' && part !== '..'))
      ? value
      : new Mistake('path.absolute', 'must be an absolute path without . and ..'),
});

/** What hands the node over, or is the agent's own. */
const forbidden = ['/proc', '/sys', '/dev', '/system', '/run/nodeos'];

const hostSource: Type<string> = parsed('an absolute path', {
  json: absolutePath.json,
  parse: (value) =>
    forbidden.some((root) => value === root || value.startsWith(`${root}/`)) || value === '/'
      ? new Mistake('container.host_path', `must not be / or below ${forbidden.join(', ')}`)
      : value,
});

const options = optional(
  'how it is mounted',
  list(choice('ro', 'rw', 'noexec', 'nosuid', 'nodev', 'noatime', 'rbind', 'rshared'), { merge: 'replace' }),
);
const destination = required('where it is in the container', absolutePath);

const mount = object(
  {
    userVolume: optional(
      'a user volume; read-only unless options say rw',
      object({ name: required('its name', text({ longest: 253 })), destination, options }),
    ),
    tmpfs: optional(
      'files in memory',
      object({ destination, size: optional('the most that they take', byteSize), options }),
    ),
    hostPath: optional(
      'a directory of the node; read-only unless options say rw',
      object({
        source: required('the directory', {
          ...hostSource,
          read: (at: Place) => (absolutePath.read(at) === undefined ? undefined : hostSource.read(at)),
        }),
        destination,
        options,
      }),
    ),
  },
  { rules: [exactlyOne('userVolume', 'tmpfs', 'hostPath')] },
);

/** What a container sees of the node's storage. */
export const mounts: Type<readonly ValueOf<typeof mount>[]> = list(mount);

/** Reports destinations that two mounts have, and options that contradict each other. */
export function checkMounts(all: readonly ValueOf<typeof mount>[], at: Place): void {
  const seen = new Set<string>();
  for (const [index, one] of all.entries()) {
    const [kind, value] = Object.entries(one)[0] ?? [];
    if (kind === undefined || value === undefined) continue;
    const place = at.at(index, kind);
    if (value.destination === '/')
      place.at('destination').problem('container.root', 'is the root of the container');
    else if (seen.has(value.destination))
      place.at('destination').problem('container.destination', 'is where another mount is');
    seen.add(value.destination);
    const given = value.options ?? [];
    if (given.includes('ro') && given.includes('rw'))
      place.at('options').problem('container.options', 'has both ro and rw');
  }
}

import { documentWith } from '../../document.ts';
import { durationPattern } from '../../duration.ts';
import { object } from '../../field/object.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { anyText, items, sizeOrShare, textLike, withJson } from '../../field/shape.ts';
import { optional, required, type Type } from '../../field/type.ts';
import { shortName } from '../../type/short-name.ts';
import { readPressurePolicy } from '../../pressure-policy.ts';

const duration = textLike(durationPattern);
const usually = <T>(type: Type<T>, value: unknown): Type<T> => withJson(type, { default: value });
const cgroupClass = choice('Besteffort', 'Burstable', 'Guaranteed', 'Podruntime', 'System');

const trigger = object({
  resource: optional('what runs short', usually(choice('memory', 'io', 'cpu'), 'memory')),
  kind: optional(
    'some: at least one task waits; full: all that could run do',
    usually(choice('some', 'full'), 'some'),
  ),
  stall: optional('how much of the window somebody waits; 200ms unless given', duration),
  window: optional('500ms to 10s; 2s unless given', duration),
  cgroup: optional('whose pressure, as a path below the root; the machine by default', textLike('^/')),
});

const cgroup = object({
  match: required('path, with * for any part between slashes', textLike('^/.')),
  class: required('what it counts as', cgroupClass),
});

/** `OOMConfig`: who is acted on when a resource runs short, and how. */
export const oom = documentWith(
  'OOMConfig',
  'who is acted on when a resource runs short, and how',
  () => ({
    takesEffect: 'live',
    shortNames: true,
    fields: {
      name: optional('for every policy beside the first', shortName()),
      trigger: optional('what the kernel wakes the policy for', trigger),
      triggerExpression: optional(
        'CEL: whether the policy acts, asked as long as the pressure lasts',
        anyText,
      ),
      cgroupRankingExpression: optional(
        'CEL: a double for each cgroup; the largest above 0 is the victim',
        anyText,
      ),
      strictCgroupClassOrdering: optional(
        'the lowest class that has a candidate gives the victim',
        usually(boolean, true),
      ),
      sampleInterval: optional('between two looks while the pressure lasts; 500ms unless given', duration),
      cgroups: optional('cgroups that can be chosen, beside pods and services', items(cgroup)),
      protectedClasses: optional(
        'classes that are never chosen',
        usually(items(cgroupClass), ['System', 'Podruntime']),
      ),
      action: optional(
        'what is done',
        usually(choice('kill', 'freeze', 'memory.reclaim', 'memory.high'), 'kill'),
      ),
      size: optional(
        'of memory.current or in bytes: how much memory.reclaim takes (25%), what memory.high leaves (80%)',
        sizeOrShare,
      ),
      release: optional(
        'when freeze and memory.high are undone',
        object({
          after: optional(
            'how long there must be no pressure before it is undone; 10s unless given',
            duration,
          ),
          atLatest: optional('when it is undone whatever the pressure is; 10m unless given', duration),
        }),
      ),
      dryRun: optional('decide and tell, but do nothing', usually(boolean, false)),
    },
    example: 'trigger: {resource: memory, kind: full, stall: 100ms, window: 1s}\naction: kill\n',
  }),
  readPressurePolicy,
);

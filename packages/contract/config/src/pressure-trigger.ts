import { made } from './field/made.ts';
import { Mistake } from './field/mistake.ts';
import { object } from './field/object.ts';
import { choice } from './field/scalars.ts';
import { textLike, withJson } from './field/shape.ts';
import { optional, type Type } from './field/type.ts';
import { isCgroupPath } from './cgroup-path.ts';
import { nanoseconds } from './type/period.ts';
import { type PressureTriggerSettings } from './types.ts';

/** The limits of the kernel (Documentation/accounting/psi.rst). */
const shortestUs = 500_000;
const longestUs = 10_000_000;
const usual = { resource: 'memory', kind: 'some', stallUs: 200_000, windowUs: 2_000_000 } as const;

const microseconds: Type<number> = made(nanoseconds, (nanos) => Number(nanos / 1000n));

const stallWindow = made(microseconds, (us) =>
  us < shortestUs || us > longestUs
    ? new Mistake('trigger.window', 'must be 500ms to 10s: the kernel takes no other')
    : us,
);

const path = made(textLike('^/'), (text) =>
  isCgroupPath(text)
    ? text
    : new Mistake('cgroup.path', 'must be the path of a cgroup below the root, such as /kubepods'),
);

const block = object(
  {
    resource: optional(
      'what runs short',
      withJson(choice('memory', 'io', 'cpu'), { default: usual.resource }),
    ),
    kind: optional(
      'some: at least one task waits; full: all that could run do',
      withJson(choice('some', 'full'), { default: usual.kind }),
    ),
    stall: optional('how much of the window somebody waits; 200ms unless given', microseconds),
    window: optional('500ms to 10s; 2s unless given', stallWindow),
    cgroup: optional('whose pressure, as a path below the root; the machine by default', path),
  },
  {
    check: ({ stall = usual.stallUs, window = usual.windowUs }, at) => {
      if (stall < 1 || stall > window)
        (at.get('stall') ?? at.at('window')).problem(
          'trigger.stall',
          'stall must be more than 0 and no longer than the window',
        );
    },
  },
);

/** The `trigger` of a policy: how much stall, of what, within how much time. */
export const pressureTrigger: Type<PressureTriggerSettings> = made(
  block,
  ({ resource, kind, stall, window, cgroup }) => ({
    resource: resource ?? usual.resource,
    kind: kind ?? usual.kind,
    stallUs: stall ?? usual.stallUs,
    windowUs: window ?? usual.windowUs,
    ...(cgroup === undefined ? {} : { cgroup }),
  }),
);

/** What holds without one. */
export const usualTrigger: PressureTriggerSettings = usual;

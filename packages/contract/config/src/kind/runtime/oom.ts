import { isCgroupPath } from '../../cgroup-path.ts';
import { documentWith } from '../../document.ts';
import { made } from '../../field/made.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { anyText, items, sizeOrShare, textLike, withJson } from '../../field/shape.ts';
import { optional, required, type Type } from '../../field/type.ts';
import { pressureTrigger } from '../../pressure-trigger.ts';
import { compiledPolicy, defaultProtected, pressurePolicyOf, unnamedPolicy } from '../../pressure-policy.ts';
import { compileRanking } from '../../ranking-expression.ts';
import { isSizeMistake, parseSize } from '../../size.ts';
import { compileTrigger } from '../../trigger-expression.ts';
import { milliseconds, period } from '../../type/period.ts';
import { shortName } from '../../type/short-name.ts';

const usually = <T>(type: Type<T>, value: unknown): Type<T> => withJson(type, { default: value });
const cgroupClass = choice('Besteffort', 'Burstable', 'Guaranteed', 'Podruntime', 'System');

const policyName = made(shortName(), (name) =>
  name === unnamedPolicy
    ? new Mistake('name.reserved', `${unnamedPolicy} is the policy whose document has no name`)
    : name,
);

const cgroup = object({
  match: required(
    'path, with * for any part between slashes',
    made(textLike('^/.'), (path) =>
      isCgroupPath(path)
        ? path
        : new Mistake('cgroup.path', 'must be a path below the root, such as /batch/*'),
    ),
  ),
  class: required('what it counts as', cgroupClass),
});

const protectedClasses = made(items(cgroupClass), (classes, at) => {
  if (!classes.includes('System'))
    at.warning('protected_classes.system', 'services that the node lives on may be chosen: add System');
  return classes;
});

/** An empty text is no size. */
const size = made(sizeOrShare, (text) => {
  const found = text === '' ? undefined : parseSize(text);
  return found !== undefined && isSizeMistake(found)
    ? new Mistake(`size.${found.code}`, found.message)
    : found;
});

/** `OOMConfig`: who is acted on when a resource runs short, and how. */
export const oom = documentWith(
  'OOMConfig',
  'who is acted on when a resource runs short, and how',
  () => ({
    takesEffect: 'live',
    shortNames: true,
    fields: {
      name: optional('for every policy beside the first', policyName),
      trigger: optional('what the kernel wakes the policy for', pressureTrigger),
      triggerExpression: optional(
        'CEL: whether the policy acts, asked as long as the pressure lasts',
        made(anyText, compiledPolicy(compileTrigger)),
      ),
      cgroupRankingExpression: optional(
        'CEL: a double for each cgroup; the largest above 0 is the victim',
        made(anyText, compiledPolicy(compileRanking)),
      ),
      strictCgroupClassOrdering: optional(
        'the lowest class that has a candidate gives the victim',
        usually(boolean, true),
      ),
      sampleInterval: optional(
        'between two looks while the pressure lasts; 500ms unless given',
        period(100, 'sample_interval.short', 'must be at least 100ms'),
      ),
      cgroups: optional('cgroups that can be chosen, beside pods and services', items(cgroup)),
      protectedClasses: optional(
        'classes that are never chosen',
        usually(protectedClasses, defaultProtected),
      ),
      action: optional(
        'what is done',
        usually(choice('kill', 'freeze', 'memory.reclaim', 'memory.high'), 'kill'),
      ),
      size: optional(
        'of memory.current or in bytes: how much memory.reclaim takes (25%), what memory.high leaves (80%)',
        size,
      ),
      release: optional(
        'when freeze and memory.high are undone',
        object({
          after: optional(
            'how long there must be no pressure before it is undone; 10s unless given',
            milliseconds,
          ),
          atLatest: optional('when it is undone whatever the pressure is; 10m unless given', milliseconds),
        }),
      ),
      dryRun: optional('decide and tell, but do nothing', usually(boolean, false)),
    },
    example: 'trigger: {resource: memory, kind: full, stall: 100ms, window: 1s}\naction: kill\n',
  }),
  pressurePolicyOf,
);

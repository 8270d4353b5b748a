import type { Facts } from '../facts/facts.ts';
import { inspect } from './inspect.ts';
import { locate } from './locate.ts';
import { hasDevice } from '../spec.ts';
import { phaseOf } from '../status-change.ts';
import { survey } from './survey.ts';
import { inspectTarget } from './target.ts';
import type { Work } from '../work.ts';

/** The facts that cost reads of devices; gathered when the plan asks for them, and forgotten after each step. */
export type Seen = Pick<Facts, 'found' | 'candidates' | 'device' | 'target'>;

/** Reads the facts that the plan asks for. */
export async function observeVolume(at: 'locate' | 'survey' | 'inspect', work: Work): Promise<Seen> {
  const { spec, status, inventory, intents, effects, facts } = work;
  const { systemDisk } = facts;
  const record = intents.get(spec.id);
  if (at === 'locate') return { found: await locate(spec, { ...work, systemDisk, record }, work.reader) };
  if (at === 'survey') return { candidates: await survey(spec, { ...work, systemDisk }, work.reader) };
  const mounts = await effects.mounts(); // of one moment for both
  const target = await inspectTarget(spec, status.mountLocation, effects, mounts);
  if (!hasDevice(spec)) return { target };
  if (work.found === undefined) throw new TypeError(`volume ${spec.id} is inspected before it is located`);
  const device = await inspect(
    {
      spec,
      found: work.found,
      inventory,
      record,
      isInUse: phaseOf(status) === 'ready',
      made: facts.made,
      mounts,
    },
    work.reader,
  );
  return { device, target };
}

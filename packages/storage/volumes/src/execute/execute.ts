import type { Action } from '../plan/action.ts';
import { blank } from './blank.ts';
import {
  acceptMade,
  beginConstruction,
  finishConstruction,
  formatLuks,
  makeFilesystem,
  openMade,
  putMark,
  record,
  wipe,
  wipeMapping,
} from './content.ts';
import { checkFilesystem } from './check.ts';
import { adoptContent, adoptMount, changeMount, mount, openFound } from './mount.ts';
import { fillDevice, growPartition } from './grow.ts';
import { adopt, claimDisk, provisionPartition } from './place.ts';
import { exhausted } from '../exhausted.ts';
import { mappingName, useOf } from '../spec.ts';
import type { Result, Work } from '../work.ts';

/** Actions that change something: the machine, or what is known about the volume. */
export type Step = Exclude<
  Action,
  { readonly kind: 'locate' | 'survey' | 'inspect' | 'wait' | 'fail' | 'stay' }
>;

/** Carries out one action. */
export function execute(work: Work, step: Step): Promise<Result> | Result {
  switch (step.kind) {
    case 'adopt':
      return adopt(work, step.found);
    case 'adoptContent':
      return adoptContent(work, step.mountLocation);
    case 'adoptMount':
      return adoptMount(work);
    case 'handOver':
      return { status: { phase: 'ready' } };
    case 'provisionPartition':
      return provisionPartition(work, step.candidate);
    case 'claimDisk':
      return claimDisk(work, step.candidate);
    case 'beginConstruction':
      return beginConstruction(work);
    case 'closeMapping':
      return closeMapping(work);
    case 'putMark':
      return putMark(work);
    case 'wipe':
      return wipe(work);
    case 'formatLuks':
      return formatLuks(work);
    case 'openLuks':
      return work.facts.made === 'locked' ? openMade(work) : openFound(work);
    case 'wipeMapping':
      return wipeMapping(work);
    case 'blank':
      return blank(work);
    case 'makeFilesystem':
      return makeFilesystem(work);
    case 'finishConstruction':
      return finishConstruction(work);
    case 'acceptMade':
      return acceptMade(work);
    case 'record':
      return record(work);
    case 'checkFilesystem':
      return checkFilesystem(work, step.refused);
    case 'mount':
      return mount(work);
    case 'changeMount':
      return changeMount(work);
    case 'growPartition':
      return growPartition(work, step.size);
    case 'fillDevice':
      return fillDevice(work, step.size);
    default:
      return exhausted(step);
  }
}

/** What is being done, for a status; undefined for what takes no time. */
export function progressOf(work: Pick<Work, 'spec'>, step: Step): string | undefined {
  switch (step.kind) {
    case 'provisionPartition':
      return `create a partition on ${step.candidate.disk.devPath}`;
    case 'wipe':
      return 'wipe';
    case 'formatLuks':
      return 'format luks2';
    case 'openLuks':
      return 'unlock';
    case 'blank':
      return work.spec.blank === 'none' ? undefined : `make blank: ${work.spec.blank}`;
    case 'makeFilesystem':
      return `format ${work.spec.filesystem?.type}`;
    case 'checkFilesystem':
      return `check ${work.spec.filesystem?.type}`;
    case 'mount':
      return useOf(work.spec) === 'swap' ? 'take into use as swap' : `mount on ${work.spec.mount?.target}`;
    case 'growPartition':
    case 'fillDevice':
      return 'grow';
    case 'adopt':
    case 'adoptContent':
    case 'adoptMount':
    case 'handOver':
    case 'claimDisk':
    case 'beginConstruction':
    case 'putMark':
    case 'acceptMade':
    case 'closeMapping':
    case 'wipeMapping':
    case 'finishConstruction':
    case 'record':
    case 'changeMount':
      return undefined;
    default:
      return exhausted(step);
  }
}

async function closeMapping(work: Work): Promise<Result> {
  await work.effects.closeLuks(mappingName(work.spec.id));
  return { made: 'nothing' };
}

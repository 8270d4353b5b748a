import { z, type ZodType } from 'zod';

import { durationPattern } from '../duration.ts';
import { apiVersion, documentName, sizeOrShare } from './common.ts';

const duration = (description: string): z.ZodOptional<z.ZodString> =>
  z.string().optional().meta({ pattern: durationPattern, description });

const cgroupClass = z.enum(['Besteffort', 'Burstable', 'Guaranteed', 'Podruntime', 'System']);

const trigger = z.strictObject({
  resource: z.enum(['memory', 'io', 'cpu']).optional().meta({ default: 'memory' }),
  kind: z
    .enum(['some', 'full'])
    .optional()
    .meta({ default: 'some', description: 'some: at least one task waits; full: all that could run do' }),
  stall: duration('how much of the window somebody waits; 200ms unless given'),
  window: duration('500ms to 10s; 2s unless given'),
  cgroup: z
    .string()
    .optional()
    .meta({ pattern: '^/', description: 'whose pressure, as a path below the root; the machine by default' }),
});

/** Shape of an `OOMConfig`; expressions and the ranges of durations are checked by `readPressurePolicy`. */
export const oomSchema: ZodType = z.strictObject({
  apiVersion,
  kind: z.literal('OOMConfig'),
  name: documentName.optional().meta({ description: 'for every policy beside the first' }),
  trigger: trigger.optional().meta({ description: 'what the kernel wakes the policy for' }),
  triggerExpression: z
    .string()
    .optional()
    .meta({ description: 'CEL: whether the policy acts, asked as long as the pressure lasts' }),
  cgroupRankingExpression: z
    .string()
    .optional()
    .meta({ description: 'CEL: a double for each cgroup; the largest above 0 is the victim' }),
  strictCgroupClassOrdering: z
    .boolean()
    .optional()
    .meta({ default: true, description: 'the lowest class that has a candidate gives the victim' }),
  sampleInterval: duration('between two looks while the pressure lasts; 500ms unless given'),
  cgroups: z
    .array(
      z.strictObject({
        match: z.string().meta({ pattern: '^/.', description: 'path, with * for any part between slashes' }),
        class: cgroupClass,
      }),
    )
    .optional()
    .meta({ description: 'cgroups that can be chosen, beside pods and services' }),
  protectedClasses: z
    .array(cgroupClass)
    .optional()
    .meta({ default: ['System', 'Podruntime'], description: 'classes that are never chosen' }),
  action: z.enum(['kill', 'freeze', 'memory.reclaim', 'memory.high']).optional().meta({ default: 'kill' }),
  size: sizeOrShare.optional().meta({
    description:
      'of memory.current or in bytes: how much memory.reclaim takes (25%), what memory.high leaves (80%)',
  }),
  release: z
    .strictObject({
      after: duration('how long there must be no pressure before it is undone; 10s unless given'),
      atLatest: duration('when it is undone whatever the pressure is; 10m unless given'),
    })
    .optional()
    .meta({ description: 'when freeze and memory.high are undone' }),
  dryRun: z.boolean().optional().meta({ default: false, description: 'decide and tell, but do nothing' }),
});

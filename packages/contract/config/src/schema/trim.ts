import { z, type ZodType } from 'zod';

import { durationPattern } from '../duration.ts';
import { apiVersion } from './common.ts';

const interval: ZodType<string | undefined> = z
  .string()
  .optional()
  .meta({ pattern: durationPattern, description: 'how often, such as 168h; 10 seconds at least' });

/** The `trim` block of a volume. */
export const trim: ZodType = z
  .strictObject({
    enabled: z.boolean().optional().meta({ description: 'false: this volume is never trimmed by itself' }),
    interval,
  })
  .optional();

/** Shape of a `FilesystemTrimConfig`; an `interval` of 0 turns trims off, and none means once a week. */
export const filesystemTrimSchema: ZodType = z.strictObject({
  apiVersion,
  kind: z.literal('FilesystemTrimConfig'),
  interval,
});

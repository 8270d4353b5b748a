import { integer } from '../../field/scalars.ts';
import { fallback } from '../../field/type.ts';
import { duration } from '../../type/duration.ts';

/** Fields of every probe. */
export const probeFields = {
  interval: fallback('from one try to the next', duration({ least: '100ms', most: '24h' }), '1s'),
  failureThreshold: fallback('so many failures in a row are forgiven', integer(0, 1000), 0),
  timeout: fallback('how long an answer may take', duration({ least: '1ms', most: '1h' }), '10s'),
} as const;

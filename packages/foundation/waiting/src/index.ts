export { Backoff, type BackoffOptions } from './backoff.ts';
export { systemClock, type Clock } from './clock.ts';
export { within } from './deadline.ts';
export { Serial } from './serial.ts';

export { type ExitCode, type Terminal } from '@nodecore/cli';

export { exitCodes } from './exit.ts';
export { main, run } from './main.ts';

export { type ExitCode } from './exit-codes.ts';
export { exitCodes } from './exit.ts';
export { main, run } from './main.ts';
export { type Terminal } from './terminal.ts';

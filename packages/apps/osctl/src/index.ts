export { exitCodes, type ExitCode } from './exit.ts';
export { main, run } from './main.ts';
export { type Terminal } from './terminal.ts';

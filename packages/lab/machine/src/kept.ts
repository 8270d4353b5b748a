/** What is left of machines that others have switched on; without all that it takes to do so. */
export { consoleFile, consoleTail } from './console.ts';
export { endKept, MachineRecord, runsKept } from './machine-record.ts';

/** A keeper: opens the machine in the directory of its argument, switches it on, says its state, and waits to be killed. */
import { consoleSays, Machine } from '../src/index.ts';
import { tinyMachine } from './guests.ts';

const directory = process.argv[2] ?? '';
const spec = { ...(await tinyMachine(directory, 'obedient')), tpm: 'tis' } as const;
const machine = await Machine.open(spec, { directory, lifetime: 'kept' });
await machine.powerOn();
await consoleSays(directory, 'R');
console.log(machine.state);
setInterval(() => {}, 1 << 30);

/**
 * npm `cap` as a peer: `cap-receiver.ts MODULE INTERFACE`. One callback per packet, which finds its 5-tuple where the
 * module's one buffer has it. Prints `ready` when packets are taken, after SIGUSR2 what it got so far, and after SIGINT all
 * of it, as JSON. What it lost it does not know.
 */
import { createRequire } from 'node:module';

import { flow } from './flows.ts';

/** As much of the module as is used; it has no types of its own. */
type Cap = {
  open(device: string, filter: string, bufferBytes: number, buffer: Buffer): string;
  setMinBytes?(bytes: number): void;
  on(event: 'packet', listener: (bytes: number, truncated: boolean) => void): void;
  close(): void;
};
type CapModule = { readonly Cap: new () => Cap };

const [module = '', name = ''] = process.argv.slice(2);
const { Cap } = createRequire(import.meta.url)(module) as CapModule;
const buffer = Buffer.alloc(65_535);
const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
let packets = 0;

const cap = new Cap();
// As large a buffer as the other side's.
cap.open(name, '', 64 << 20, buffer);
cap.setMinBytes?.(0);
cap.on('packet', (bytes) => {
  packets += flow(view, 0, bytes);
});
const tell = (): void => console.log(JSON.stringify({ packets, dropped: 0 }));
process.on('SIGUSR2', tell);
process.once('SIGINT', () => {
  tell();
  process.exit(0); // its close() is known to corrupt the heap
});
console.log('ready');

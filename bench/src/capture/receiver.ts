/**
 * Our side of the capture benches, as a program: `receiver.ts KIND INTERFACE PATH FILTER`. Prints `ready` when packets
 * are taken, and after SIGINT what it got, as JSON.
 */
import { captureToFile, open, openRing } from '@nodecore/capture';

import { flowsOfBlock, flowsOfRecords } from './flows.ts';

const [kind = '', name = '', path = '', filter = ''] = process.argv.slice(2);
const ended = Promise.withResolvers<void>();
process.once('SIGINT', ended.resolve);

type Told = { readonly packets: number; readonly dropped: number };

console.log(JSON.stringify(await receive()));

async function receive(): Promise<Told> {
  switch (kind) {
    case 'file':
      return await toFile();
    case 'decode':
      return await decode();
    case 'lent':
      return await decodeLent();
    default:
      throw new TypeError(`no kind ${kind}`);
  }
}

function options(): { filter?: string } {
  return filter === '' ? {} : { filter };
}

async function toFile(): Promise<Told> {
  await using capture = await captureToFile(path, { interfaces: [name], ...options() });
  console.log('ready');
  await ended.promise;
  capture.stop();
  const { packets, statistics } = await capture.summary();
  return { packets: Number(packets), dropped: Number(statistics.dropped) };
}

async function decode(): Promise<Told> {
  await using capture = await open({ interfaces: [name], ...options() });
  console.log('ready');
  void ended.promise.then(() => capture.stop());
  let packets = 0;
  for await (const batch of capture) packets += flowsOfRecords(batch.bytes);
  return { packets, dropped: Number(capture.statistics().dropped) };
}

async function decodeLent(): Promise<Told> {
  await using capture = await openRing({ interface: name, ...options() });
  console.log('ready');
  void ended.promise.then(() => capture.stop());
  let packets = 0;
  for await (const block of capture) packets += flowsOfBlock(block.buffer, block.packets);
  return { packets, dropped: Number(capture.statistics().dropped) };
}

/**
 * Our side of the capture benches, as a program: `receiver.ts KIND INTERFACE PATH FILTER`. Prints `ready` when packets
 * are taken, after SIGUSR2 what it got so far, and after SIGINT all of it, as JSON.
 */
import { captureToFile, open, openRing } from '@nodecore/capture';

import { flowsOfBlock, flowsOfRecords } from './flows.ts';
import type { Told } from './protocol.ts';
import { Punctuality } from './punctuality.ts';

const [kind = '', name = '', path = '', filter = ''] = process.argv.slice(2);
const ended = Promise.withResolvers<void>();
process.once('SIGINT', ended.resolve);

console.log(JSON.stringify(await receive()));

async function receive(): Promise<Told> {
  switch (kind) {
    case 'write':
      return await toFile();
    case 'decode':
      return await decode();
    case 'lent':
      return await decodeLent();
    case 'prompt':
      return await promptly();
    case 'stop':
      return await stopped();
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

async function promptly(): Promise<Told> {
  using punctuality = new Punctuality();
  await using capture = await open({ interfaces: [name], latencyMs: 1, gatherMs: 0, ...options() });
  let packets = 0;
  const told = (): Told => ({
    packets,
    dropped: Number(capture.statistics().dropped),
    ...punctuality.take(),
  });
  process.on('SIGUSR2', () => console.log(JSON.stringify(told())));
  console.log('ready');
  void ended.promise.then(() => capture.stop());
  for await (const batch of capture) {
    punctuality.note(batch.bytes);
    packets += flowsOfRecords(batch.bytes);
  }
  return told();
}

async function stopped(): Promise<Told> {
  await using capture = await open({ interfaces: [name], ...options() });
  console.log('ready');
  let begun = 0;
  process.once('SIGINT', () => {
    begun = performance.now();
    capture.stop();
  });
  let packets = 0;
  for await (const batch of capture) packets += flowsOfRecords(batch.bytes);
  const stopMs = performance.now() - begun;
  return { packets, dropped: Number(capture.statistics().dropped), stopMs };
}

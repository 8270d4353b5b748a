import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';

import { Metadata } from '@grpc/grpc-js';
import { CaptureService } from '@nodecore/api/capture';
import { KvstoreService } from '@nodecore/api/kvstore';
import { batchHeadroomBytes } from '@nodecore/capture';
import { snapshotHeadroomBytes } from '@nodecore/kvstore';
import test from 'ava';

import { DirectAnswers, framed, sendDirectly } from '../src/server/direct-answers.ts';

const { snapshot } = KvstoreService;
const { capture } = CaptureService;

/** Some bytes with others in front of them, as `snapshotStream` and batches of packets have them. */
function piece(bytes: number, headroomBytes = snapshotHeadroomBytes): Uint8Array {
  const buffer = Buffer.alloc(headroomBytes + bytes, 'x').buffer;
  return new Uint8Array(buffer, headroomBytes, bytes);
}

/** A message as gRPC has it on a stream. */
function onStream(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

const sizes = [1, 127, 128, 16_383, 16_384, 600_000];

test('pieces of a snapshot and batches of packets are framed where they are, as gRPC and protobuf do it', (t) => {
  const cases = [
    { method: snapshot, headroomBytes: snapshotHeadroomBytes },
    { method: capture, headroomBytes: batchHeadroomBytes },
  ];
  for (const { method, headroomBytes } of cases) {
    for (const bytes of sizes) {
      const data = piece(bytes, headroomBytes);
      const expected = onStream(method.responseSerialize({ data }));
      const frame = framed(method.path, { data });
      t.true(frame?.equals(expected), `${method.path}: ${bytes} bytes`);
      t.is(frame?.buffer, data.buffer);
    }
  }
});

test('whatever else is sent is left to gRPC, and its memory as it is', (t) => {
  const left: [string, { readonly data?: Uint8Array | undefined }][] = [
    [snapshot.path, Object.assign({ data: piece(300) }, { totalBytes: 4_000n })],
    [snapshot.path, Object.assign({ data: undefined }, { totalBytes: 4_000n })],
    [snapshot.path, { data: Buffer.from('of somebody else') }],
    [snapshot.path, { data: new Uint8Array() }],
    [snapshot.path, {}],
    [capture.path, Object.assign({ data: piece(300, batchHeadroomBytes) }, { progress: { seen: 3n } })],
    [KvstoreService.status.path, { data: piece(300) }],
  ];
  for (const [path, message] of left) {
    const before = message.data === undefined ? undefined : Buffer.from(message.data.buffer.slice());
    t.is(framed(path, message), undefined);
    if (message.data !== undefined) t.deepEqual(Buffer.from(message.data.buffer), before);
  }
});

/** What of a stream is used: its headers are sent or not, and each write is answered by the test. */
class Answered extends EventEmitter {
  headersSent = true;
  readonly written: { readonly bytes: Buffer; readonly done: (error?: Error | null) => void }[] = [];

  write(bytes: Buffer, done: (error?: Error | null) => void): boolean {
    this.written.push({ bytes, done });
    return true;
  }

  get stream(): ServerHttp2Stream {
    return this as unknown as ServerHttp2Stream;
  }
}

test('an answer is sent when its stream has taken it, and never when that has ended', (t) => {
  const answered = new Answered();
  let sent = 0;
  const send = (): boolean =>
    sendDirectly(answered.stream, snapshot.path, { data: piece(300) }, () => (sent += 1));
  t.true(send());
  t.is(sent, 0);
  answered.written[0]!.done(null);
  t.is(sent, 1);
  t.true(send());
  answered.written[1]!.done(new Error('the stream is over'));
  t.is(sent, 1);
  answered.headersSent = false;
  t.false(send());
  t.is(answered.written.length, 2);
});

test('a stream is found by the mark that its call was given, for calls with large answers alone', (t) => {
  const answers = new DirectAnswers();
  const find = (headers: IncomingHttpHeaders): ServerHttp2Stream | undefined => {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(headers))
      if (!name.startsWith(':')) metadata.set(name, String(value));
    const found = answers.take(metadata);
    t.deepEqual(metadata.getMap(), {});
    return found;
  };
  const { stream } = new Answered();
  const headers: IncomingHttpHeaders = { ':path': snapshot.path };
  answers.look(stream, headers);
  t.is(find(headers), stream);
  const mark = Object.entries(headers).find(([name]) => !name.startsWith(':'))!;
  // A client that has heard of a mark gets nobody's stream by it.
  const foreign = { ':path': KvstoreService.status.path, [mark[0]]: mark[1] };
  answers.look(new Answered().stream, foreign);
  t.is(find(foreign), undefined);
  stream.emit('close');
  t.is(find(headers), undefined);
});

import test from 'ava';

import { encodeFrame, frameKind, FrameReader } from '../src/frames.ts';

test('frames come out as they went in, however the stream is cut', (t) => {
  const sent = [
    { kind: frameKind.start, id: 1, payload: Buffer.from(['/', '1', 'true', ''].join('\0')) },
    { kind: frameKind.inputEnd, id: 1, payload: Buffer.alloc(0) },
    { kind: frameKind.output, id: 70_000, payload: Buffer.from([0, 255, 10, 13]) },
  ];
  const stream = Buffer.concat(sent.map(({ kind, id, payload }) => encodeFrame(kind, id, payload)));
  for (let size = 1; size <= stream.length; size += 1) {
    const reader = new FrameReader();
    const received = [];
    for (let at = 0; at < stream.length; at += size)
      received.push(...reader.push(stream.subarray(at, at + size)));
    t.deepEqual(received, sent);
  }
});

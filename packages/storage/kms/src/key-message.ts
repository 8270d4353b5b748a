/**
 * The messages that carry keys, encoded where they can be overwritten: protobufjs encodes into a buffer that grows, and copies out of
 * it. https://protobuf.dev/programming-guides/encoding/
 */
import { Secret } from '@nodecore/sys';

import type { RequestInit } from '../gen/sidero-kms.js';

type Field = readonly [number: number, value: Uint8Array | undefined];

/** What `Request.encode` makes of it. The caller disposes it. */
export function encodeRequest({ nodeUuid, data, volume }: RequestInit): Secret {
  return encode([
    [1, Buffer.from(nodeUuid ?? '')],
    [2, data],
    [1001, Buffer.from(volume ?? '')],
  ]);
}

/** What `Response.encode` makes of it. The caller disposes it. */
export function encodeResponse(data: Uint8Array | undefined): Secret {
  return encode([[1, data]]);
}

/** Fields of bytes or text; empty ones are left out, as everywhere in proto3. */
function encode(fields: readonly Field[]): Secret {
  const parts = fields.flatMap(([number, value = new Uint8Array()]) =>
    value.length === 0 ? [] : [Buffer.from([...varint((number << 3) | 2), ...varint(value.length)]), value],
  );
  const message = Secret.zeros(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    message.bytes.set(part, at);
    at += part.length;
  }
  return message;
}

function varint(value: number): number[] {
  const bytes = [];
  let left = value;
  for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80);
  return [...bytes, left];
}

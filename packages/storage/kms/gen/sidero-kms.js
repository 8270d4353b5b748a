// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
import protobuf from 'protobufjs/minimal.js';

const toBits = (value) => ({ low: Number(value & 0xffffffffn), high: Number((value >> 32n) & 0xffffffffn) });

// The library's own reader gives other types where it does not find the package long.
function readUnsigned(reader) {
  let [low, high] = [0, 0];
  for (let shift = 0; shift < 70; shift += 7) {
    if (reader.pos >= reader.len) throw new RangeError('message ends inside a field');
    const byte = reader.buf[reader.pos++];
    if (shift < 32) low |= (byte & 127) << shift;
    if (shift > 28) high |= (byte & 127) << (shift - 32);
    else if (shift === 28) high |= (byte & 127) >> 4;
    if (byte < 128) return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }
  throw new RangeError('a number takes ten bytes at most');
}

const readSigned = (reader) => BigInt.asIntN(64, readUnsigned(reader));

function endOf(reader) {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError('message ends inside a field');
  return end;
}

function readEntry(reader, record) {
  const end = endOf(reader);
  let key = '';
  let value = '';
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) key = reader.string();
    else if (tag === 18) value = reader.string();
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  // Assignment would run the setter of a key like __proto__.
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}

export const Request = {
  name: 'sidero.kms.Request',
  encode: (message) => writeRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRequest(reader, reader.len); },
};

function writeRequest(message, writer) {
  if (!(message.nodeUuid === undefined || message.nodeUuid === '')) writer.uint32(10).string(message.nodeUuid);
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(18).bytes(message.data);
  if (!(message.volume === undefined || message.volume === '')) writer.uint32(8010).string(message.volume);
  return writer;
}

function readRequest(reader, end) {
  const message = { nodeUuid: '', data: new Uint8Array(), volume: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.nodeUuid = reader.string(); break;
      case 18: message.data = reader.bytes(); break;
      case 8010: message.volume = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Response = {
  name: 'sidero.kms.Response',
  encode: (message) => writeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readResponse(reader, reader.len); },
};

function writeResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readResponse(reader, end) {
  const message = { data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

const method = (path, requestStream, responseStream, request, response) => ({
  path,
  requestStream,
  responseStream,
  requestSerialize: request.encode,
  requestDeserialize: request.decode,
  responseSerialize: response.encode,
  responseDeserialize: response.decode,
});

export const KMSService = {
  seal: method('/sidero.kms.KMSService/Seal', false, false, Request, Response),
  unseal: method('/sidero.kms.KMSService/Unseal', false, false, Request, Response),
};

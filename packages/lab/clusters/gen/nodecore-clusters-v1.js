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

export const PingRequest = {
  name: 'nodecore.clusters.v1.PingRequest',
  encode: (message) => writePingRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPingRequest(reader, reader.len); },
};

function writePingRequest(message, writer) {
  return writer;
}

function readPingRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PingResponse = {
  name: 'nodecore.clusters.v1.PingResponse',
  encode: (message) => writePingResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPingResponse(reader, reader.len); },
};

function writePingResponse(message, writer) {
  if (!(message.serverVersion === undefined || message.serverVersion === '')) writer.uint32(10).string(message.serverVersion);
  if (!(message.hostArch === undefined || message.hostArch === '')) writer.uint32(18).string(message.hostArch);
  return writer;
}

function readPingResponse(reader, end) {
  const message = { serverVersion: '', hostArch: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.serverVersion = reader.string(); break;
      case 18: message.hostArch = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const StatArtifactRequest = {
  name: 'nodecore.clusters.v1.StatArtifactRequest',
  encode: (message) => writeStatArtifactRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readStatArtifactRequest(reader, reader.len); },
};

function writeStatArtifactRequest(message, writer) {
  if (!(message.sha256 === undefined || message.sha256 === '')) writer.uint32(10).string(message.sha256);
  return writer;
}

function readStatArtifactRequest(reader, end) {
  const message = { sha256: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.sha256 = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const StatArtifactResponse = {
  name: 'nodecore.clusters.v1.StatArtifactResponse',
  encode: (message) => writeStatArtifactResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readStatArtifactResponse(reader, reader.len); },
};

function writeStatArtifactResponse(message, writer) {
  if (!(message.exists === undefined || message.exists === false)) writer.uint32(8).bool(message.exists);
  return writer;
}

function readStatArtifactResponse(reader, end) {
  const message = { exists: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.exists = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const UploadArtifactRequest = {
  name: 'nodecore.clusters.v1.UploadArtifactRequest',
  encode: (message) => writeUploadArtifactRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readUploadArtifactRequest(reader, reader.len); },
};

function writeUploadArtifactRequest(message, writer) {
  if (!(message.sha256 === undefined || message.sha256 === '')) writer.uint32(10).string(message.sha256);
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(18).bytes(message.data);
  return writer;
}

function readUploadArtifactRequest(reader, end) {
  const message = { sha256: '', data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.sha256 = reader.string(); break;
      case 18: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const UploadArtifactResponse = {
  name: 'nodecore.clusters.v1.UploadArtifactResponse',
  encode: (message) => writeUploadArtifactResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readUploadArtifactResponse(reader, reader.len); },
};

function writeUploadArtifactResponse(message, writer) {
  return writer;
}

function readUploadArtifactResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RunRequest = {
  name: 'nodecore.clusters.v1.RunRequest',
  encode: (message) => writeRunRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRunRequest(reader, reader.len); },
};

function writeRunRequest(message, writer) {
  if (message.words !== undefined) for (const item of message.words) writer.uint32(10).string(item);
  if (message.arguments !== undefined) for (const item of message.arguments) writer.uint32(18).string(item);
  if (message.flags !== undefined) for (const item of message.flags) writeRunFlag(item, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readRunRequest(reader, end) {
  const message = { words: [], arguments: [], flags: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.words.push(reader.string()); break;
      case 18: message.arguments.push(reader.string()); break;
      case 26: message.flags.push(readRunFlag(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RunFlag = {
  name: 'nodecore.clusters.v1.RunFlag',
  encode: (message) => writeRunFlag(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRunFlag(reader, reader.len); },
};

function writeRunFlag(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.value === undefined || message.value === '')) writer.uint32(18).string(message.value);
  if (!(message.bare === undefined || message.bare === false)) writer.uint32(24).bool(message.bare);
  return writer;
}

function readRunFlag(reader, end) {
  const message = { name: '', value: '', bare: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 18: message.value = reader.string(); break;
      case 24: message.bare = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RunResponse = {
  name: 'nodecore.clusters.v1.RunResponse',
  encode: (message) => writeRunResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRunResponse(reader, reader.len); },
};

function writeRunResponse(message, writer) {
  if (!(message.out === undefined || message.out.length === 0)) writer.uint32(10).bytes(message.out);
  if (!(message.error === undefined || message.error.length === 0)) writer.uint32(18).bytes(message.error);
  if (!(message.archive === undefined || message.archive.length === 0)) writer.uint32(26).bytes(message.archive);
  if (!(message.end === undefined)) writeRunEnd(message.end, writer.uint32(34).fork()).ldelim();
  if (!(message.support === undefined || message.support.length === 0)) writer.uint32(42).bytes(message.support);
  return writer;
}

function readRunResponse(reader, end) {
  const message = { out: new Uint8Array(), error: new Uint8Array(), archive: new Uint8Array(), support: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.out = reader.bytes(); break;
      case 18: message.error = reader.bytes(); break;
      case 26: message.archive = reader.bytes(); break;
      case 34: message.end = readRunEnd(reader, endOf(reader)); break;
      case 42: message.support = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RunEnd = {
  name: 'nodecore.clusters.v1.RunEnd',
  encode: (message) => writeRunEnd(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRunEnd(reader, reader.len); },
};

function writeRunEnd(message, writer) {
  if (!(message.exitCode === undefined || message.exitCode === 0)) writer.uint32(8).int32(message.exitCode);
  if (!(message.clientConfig === undefined || message.clientConfig.length === 0)) writer.uint32(18).bytes(message.clientConfig);
  if (message.authorities !== undefined) for (const item of message.authorities) writer.uint32(26).string(item);
  return writer;
}

function readRunEnd(reader, end) {
  const message = { exitCode: 0, clientConfig: new Uint8Array(), authorities: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.exitCode = reader.int32(); break;
      case 18: message.clientConfig = reader.bytes(); break;
      case 26: message.authorities.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DoorRequest = {
  name: 'nodecore.clusters.v1.DoorRequest',
  encode: (message) => writeDoorRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDoorRequest(reader, reader.len); },
};

function writeDoorRequest(message, writer) {
  if (!(message.cluster === undefined || message.cluster === '')) writer.uint32(10).string(message.cluster);
  if (!(message.machine === undefined || message.machine === '')) writer.uint32(18).string(message.machine);
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(26).bytes(message.data);
  return writer;
}

function readDoorRequest(reader, end) {
  const message = { cluster: '', machine: '', data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.cluster = reader.string(); break;
      case 18: message.machine = reader.string(); break;
      case 26: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DoorResponse = {
  name: 'nodecore.clusters.v1.DoorResponse',
  encode: (message) => writeDoorResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDoorResponse(reader, reader.len); },
};

function writeDoorResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readDoorResponse(reader, end) {
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

export const RemoteProvision = {
  ping: method('/nodecore.clusters.v1.RemoteProvision/Ping', false, false, PingRequest, PingResponse),
  statArtifact: method('/nodecore.clusters.v1.RemoteProvision/StatArtifact', false, false, StatArtifactRequest, StatArtifactResponse),
  uploadArtifact: method('/nodecore.clusters.v1.RemoteProvision/UploadArtifact', true, false, UploadArtifactRequest, UploadArtifactResponse),
  run: method('/nodecore.clusters.v1.RemoteProvision/Run', false, true, RunRequest, RunResponse),
  door: method('/nodecore.clusters.v1.RemoteProvision/Door', true, true, DoorRequest, DoorResponse),
};

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

export const EventType = {
  UNSPECIFIED: 0,
  CREATED: 1,
  UPDATED: 2,
  DESTROYED: 3,
  BOOTSTRAPPED: 4,
  ERRORED: 5,
};

export const Phase = {
  UNSPECIFIED: 0,
  RUNNING: 1,
  TEARING_DOWN: 2,
};

export const RegisterPublicKeyRequest = {
  name: 'nodecore.fleet.v1.RegisterPublicKeyRequest',
  encode: (message) => writeRegisterPublicKeyRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRegisterPublicKeyRequest(reader, reader.len); },
};

function writeRegisterPublicKeyRequest(message, writer) {
  if (!(message.publicKey === undefined || message.publicKey === '')) writer.uint32(10).string(message.publicKey);
  if (!(message.identity === undefined || message.identity === '')) writer.uint32(18).string(message.identity);
  if (!(message.role === undefined || message.role === '')) writer.uint32(26).string(message.role);
  return writer;
}

function readRegisterPublicKeyRequest(reader, end) {
  const message = { publicKey: '', identity: '', role: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.publicKey = reader.string(); break;
      case 18: message.identity = reader.string(); break;
      case 26: message.role = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RegisterPublicKeyResponse = {
  name: 'nodecore.fleet.v1.RegisterPublicKeyResponse',
  encode: (message) => writeRegisterPublicKeyResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRegisterPublicKeyResponse(reader, reader.len); },
};

function writeRegisterPublicKeyResponse(message, writer) {
  if (!(message.loginUrl === undefined || message.loginUrl === '')) writer.uint32(10).string(message.loginUrl);
  if (!(message.keyId === undefined || message.keyId === '')) writer.uint32(18).string(message.keyId);
  return writer;
}

function readRegisterPublicKeyResponse(reader, end) {
  const message = { loginUrl: '', keyId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.loginUrl = reader.string(); break;
      case 18: message.keyId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AwaitPublicKeyConfirmationRequest = {
  name: 'nodecore.fleet.v1.AwaitPublicKeyConfirmationRequest',
  encode: (message) => writeAwaitPublicKeyConfirmationRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAwaitPublicKeyConfirmationRequest(reader, reader.len); },
};

function writeAwaitPublicKeyConfirmationRequest(message, writer) {
  if (!(message.keyId === undefined || message.keyId === '')) writer.uint32(10).string(message.keyId);
  return writer;
}

function readAwaitPublicKeyConfirmationRequest(reader, end) {
  const message = { keyId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.keyId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AwaitPublicKeyConfirmationResponse = {
  name: 'nodecore.fleet.v1.AwaitPublicKeyConfirmationResponse',
  encode: (message) => writeAwaitPublicKeyConfirmationResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAwaitPublicKeyConfirmationResponse(reader, reader.len); },
};

function writeAwaitPublicKeyConfirmationResponse(message, writer) {
  return writer;
}

function readAwaitPublicKeyConfirmationResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ConfirmPublicKeyRequest = {
  name: 'nodecore.fleet.v1.ConfirmPublicKeyRequest',
  encode: (message) => writeConfirmPublicKeyRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readConfirmPublicKeyRequest(reader, reader.len); },
};

function writeConfirmPublicKeyRequest(message, writer) {
  if (!(message.keyId === undefined || message.keyId === '')) writer.uint32(10).string(message.keyId);
  if (!(message.code === undefined || message.code === '')) writer.uint32(18).string(message.code);
  return writer;
}

function readConfirmPublicKeyRequest(reader, end) {
  const message = { keyId: '', code: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.keyId = reader.string(); break;
      case 18: message.code = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ConfirmPublicKeyResponse = {
  name: 'nodecore.fleet.v1.ConfirmPublicKeyResponse',
  encode: (message) => writeConfirmPublicKeyResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readConfirmPublicKeyResponse(reader, reader.len); },
};

function writeConfirmPublicKeyResponse(message, writer) {
  return writer;
}

function readConfirmPublicKeyResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RevokePublicKeyRequest = {
  name: 'nodecore.fleet.v1.RevokePublicKeyRequest',
  encode: (message) => writeRevokePublicKeyRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRevokePublicKeyRequest(reader, reader.len); },
};

function writeRevokePublicKeyRequest(message, writer) {
  if (!(message.keyId === undefined || message.keyId === '')) writer.uint32(10).string(message.keyId);
  return writer;
}

function readRevokePublicKeyRequest(reader, end) {
  const message = { keyId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.keyId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RevokePublicKeyResponse = {
  name: 'nodecore.fleet.v1.RevokePublicKeyResponse',
  encode: (message) => writeRevokePublicKeyResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRevokePublicKeyResponse(reader, reader.len); },
};

function writeRevokePublicKeyResponse(message, writer) {
  return writer;
}

function readRevokePublicKeyResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CreateWebLoginRequest = {
  name: 'nodecore.fleet.v1.CreateWebLoginRequest',
  encode: (message) => writeCreateWebLoginRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCreateWebLoginRequest(reader, reader.len); },
};

function writeCreateWebLoginRequest(message, writer) {
  return writer;
}

function readCreateWebLoginRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CreateWebLoginResponse = {
  name: 'nodecore.fleet.v1.CreateWebLoginResponse',
  encode: (message) => writeCreateWebLoginResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCreateWebLoginResponse(reader, reader.len); },
};

function writeCreateWebLoginResponse(message, writer) {
  if (!(message.url === undefined || message.url === '')) writer.uint32(10).string(message.url);
  return writer;
}

function readCreateWebLoginResponse(reader, end) {
  const message = { url: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.url = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MachineLogsRequest = {
  name: 'nodecore.fleet.v1.MachineLogsRequest',
  encode: (message) => writeMachineLogsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMachineLogsRequest(reader, reader.len); },
};

function writeMachineLogsRequest(message, writer) {
  if (!(message.machineId === undefined || message.machineId === '')) writer.uint32(10).string(message.machineId);
  if (!(message.follow === undefined || message.follow === false)) writer.uint32(16).bool(message.follow);
  if (!(message.tailLines === undefined)) writer.uint32(24).int32(message.tailLines);
  return writer;
}

function readMachineLogsRequest(reader, end) {
  const message = { machineId: '', follow: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.machineId = reader.string(); break;
      case 16: message.follow = reader.bool(); break;
      case 24: message.tailLines = reader.int32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MachineLogsResponse = {
  name: 'nodecore.fleet.v1.MachineLogsResponse',
  encode: (message) => writeMachineLogsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMachineLogsResponse(reader, reader.len); },
};

function writeMachineLogsResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readMachineLogsResponse(reader, end) {
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

export const SecurityReportRequest = {
  name: 'nodecore.fleet.v1.SecurityReportRequest',
  encode: (message) => writeSecurityReportRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSecurityReportRequest(reader, reader.len); },
};

function writeSecurityReportRequest(message, writer) {
  if (!(message.schematic === undefined || message.schematic === '')) writer.uint32(10).string(message.schematic);
  if (!(message.osVersion === undefined || message.osVersion === '')) writer.uint32(18).string(message.osVersion);
  if (!(message.architecture === undefined || message.architecture === '')) writer.uint32(26).string(message.architecture);
  if (!(message.report === undefined || message.report === '')) writer.uint32(34).string(message.report);
  return writer;
}

function readSecurityReportRequest(reader, end) {
  const message = { schematic: '', osVersion: '', architecture: '', report: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.schematic = reader.string(); break;
      case 18: message.osVersion = reader.string(); break;
      case 26: message.architecture = reader.string(); break;
      case 34: message.report = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SecurityReportResponse = {
  name: 'nodecore.fleet.v1.SecurityReportResponse',
  encode: (message) => writeSecurityReportResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSecurityReportResponse(reader, reader.len); },
};

function writeSecurityReportResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readSecurityReportResponse(reader, end) {
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

export const CreateJoinTokenRequest = {
  name: 'nodecore.fleet.v1.CreateJoinTokenRequest',
  encode: (message) => writeCreateJoinTokenRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCreateJoinTokenRequest(reader, reader.len); },
};

function writeCreateJoinTokenRequest(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.lifetimeMillis === undefined || message.lifetimeMillis === 0n)) writer.uint32(16).int64(toBits(message.lifetimeMillis));
  return writer;
}

function readCreateJoinTokenRequest(reader, end) {
  const message = { name: '', lifetimeMillis: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.lifetimeMillis = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CreateJoinTokenResponse = {
  name: 'nodecore.fleet.v1.CreateJoinTokenResponse',
  encode: (message) => writeCreateJoinTokenResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCreateJoinTokenResponse(reader, reader.len); },
};

function writeCreateJoinTokenResponse(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  if (!(message.joinUrl === undefined || message.joinUrl === '')) writer.uint32(18).string(message.joinUrl);
  return writer;
}

function readCreateJoinTokenResponse(reader, end) {
  const message = { id: '', joinUrl: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      case 18: message.joinUrl = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RevokeJoinTokenRequest = {
  name: 'nodecore.fleet.v1.RevokeJoinTokenRequest',
  encode: (message) => writeRevokeJoinTokenRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRevokeJoinTokenRequest(reader, reader.len); },
};

function writeRevokeJoinTokenRequest(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  return writer;
}

function readRevokeJoinTokenRequest(reader, end) {
  const message = { id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RevokeJoinTokenResponse = {
  name: 'nodecore.fleet.v1.RevokeJoinTokenResponse',
  encode: (message) => writeRevokeJoinTokenResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRevokeJoinTokenResponse(reader, reader.len); },
};

function writeRevokeJoinTokenResponse(message, writer) {
  return writer;
}

function readRevokeJoinTokenResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const GetMachineJoinConfigRequest = {
  name: 'nodecore.fleet.v1.GetMachineJoinConfigRequest',
  encode: (message) => writeGetMachineJoinConfigRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readGetMachineJoinConfigRequest(reader, reader.len); },
};

function writeGetMachineJoinConfigRequest(message, writer) {
  if (!(message.tokenId === undefined || message.tokenId === '')) writer.uint32(10).string(message.tokenId);
  return writer;
}

function readGetMachineJoinConfigRequest(reader, end) {
  const message = { tokenId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.tokenId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const GetMachineJoinConfigResponse = {
  name: 'nodecore.fleet.v1.GetMachineJoinConfigResponse',
  encode: (message) => writeGetMachineJoinConfigResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readGetMachineJoinConfigResponse(reader, reader.len); },
};

function writeGetMachineJoinConfigResponse(message, writer) {
  if (!(message.joinUrl === undefined || message.joinUrl === '')) writer.uint32(10).string(message.joinUrl);
  if (!(message.config === undefined || message.config === '')) writer.uint32(18).string(message.config);
  if (message.kernelArgs !== undefined) for (const item of message.kernelArgs) writer.uint32(26).string(item);
  return writer;
}

function readGetMachineJoinConfigResponse(reader, end) {
  const message = { joinUrl: '', config: '', kernelArgs: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.joinUrl = reader.string(); break;
      case 18: message.config = reader.string(); break;
      case 26: message.kernelArgs.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CreateServiceAccountRequest = {
  name: 'nodecore.fleet.v1.CreateServiceAccountRequest',
  encode: (message) => writeCreateServiceAccountRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCreateServiceAccountRequest(reader, reader.len); },
};

function writeCreateServiceAccountRequest(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.role === undefined || message.role === '')) writer.uint32(18).string(message.role);
  if (!(message.publicKey === undefined || message.publicKey === '')) writer.uint32(26).string(message.publicKey);
  return writer;
}

function readCreateServiceAccountRequest(reader, end) {
  const message = { name: '', role: '', publicKey: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 18: message.role = reader.string(); break;
      case 26: message.publicKey = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CreateServiceAccountResponse = {
  name: 'nodecore.fleet.v1.CreateServiceAccountResponse',
  encode: (message) => writeCreateServiceAccountResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCreateServiceAccountResponse(reader, reader.len); },
};

function writeCreateServiceAccountResponse(message, writer) {
  if (!(message.identity === undefined || message.identity === '')) writer.uint32(10).string(message.identity);
  if (!(message.keyId === undefined || message.keyId === '')) writer.uint32(18).string(message.keyId);
  if (!(message.expiresMillis === undefined || message.expiresMillis === 0n)) writer.uint32(24).int64(toBits(message.expiresMillis));
  return writer;
}

function readCreateServiceAccountResponse(reader, end) {
  const message = { identity: '', keyId: '', expiresMillis: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.identity = reader.string(); break;
      case 18: message.keyId = reader.string(); break;
      case 24: message.expiresMillis = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DestroyServiceAccountRequest = {
  name: 'nodecore.fleet.v1.DestroyServiceAccountRequest',
  encode: (message) => writeDestroyServiceAccountRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDestroyServiceAccountRequest(reader, reader.len); },
};

function writeDestroyServiceAccountRequest(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  return writer;
}

function readDestroyServiceAccountRequest(reader, end) {
  const message = { name: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DestroyServiceAccountResponse = {
  name: 'nodecore.fleet.v1.DestroyServiceAccountResponse',
  encode: (message) => writeDestroyServiceAccountResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDestroyServiceAccountResponse(reader, reader.len); },
};

function writeDestroyServiceAccountResponse(message, writer) {
  return writer;
}

function readDestroyServiceAccountResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WhoAmIRequest = {
  name: 'nodecore.fleet.v1.WhoAmIRequest',
  encode: (message) => writeWhoAmIRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWhoAmIRequest(reader, reader.len); },
};

function writeWhoAmIRequest(message, writer) {
  return writer;
}

function readWhoAmIRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WhoAmIResponse = {
  name: 'nodecore.fleet.v1.WhoAmIResponse',
  encode: (message) => writeWhoAmIResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWhoAmIResponse(reader, reader.len); },
};

function writeWhoAmIResponse(message, writer) {
  if (!(message.identity === undefined || message.identity === '')) writer.uint32(10).string(message.identity);
  if (!(message.role === undefined || message.role === '')) writer.uint32(18).string(message.role);
  if (!(message.keyId === undefined || message.keyId === '')) writer.uint32(26).string(message.keyId);
  return writer;
}

function readWhoAmIResponse(reader, end) {
  const message = { identity: '', role: '', keyId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.identity = reader.string(); break;
      case 18: message.role = reader.string(); break;
      case 26: message.keyId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const GetRequest = {
  name: 'nodecore.fleet.v1.GetRequest',
  encode: (message) => writeGetRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readGetRequest(reader, reader.len); },
};

function writeGetRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  return writer;
}

function readGetRequest(reader, end) {
  const message = { namespace: '', type: '', id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.id = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const GetResponse = {
  name: 'nodecore.fleet.v1.GetResponse',
  encode: (message) => writeGetResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readGetResponse(reader, reader.len); },
};

function writeGetResponse(message, writer) {
  if (!(message.resource === undefined)) writeResource(message.resource, writer.uint32(10).fork()).ldelim();
  if (!(message.bookmark === undefined)) writeBookmark(message.bookmark, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readGetResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.resource = readResource(reader, endOf(reader)); break;
      case 18: message.bookmark = readBookmark(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LabelTerm = {
  name: 'nodecore.fleet.v1.LabelTerm',
  encode: (message) => writeLabelTerm(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLabelTerm(reader, reader.len); },
};

function writeLabelTerm(message, writer) {
  if (!(message.label === undefined || message.label === '')) writer.uint32(10).string(message.label);
  if (message.values !== undefined) for (const item of message.values) writer.uint32(18).string(item);
  if (!(message.not === undefined || message.not === false)) writer.uint32(24).bool(message.not);
  return writer;
}

function readLabelTerm(reader, end) {
  const message = { label: '', values: [], not: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.label = reader.string(); break;
      case 18: message.values.push(reader.string()); break;
      case 24: message.not = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ListRequest = {
  name: 'nodecore.fleet.v1.ListRequest',
  encode: (message) => writeListRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readListRequest(reader, reader.len); },
};

function writeListRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (message.labels !== undefined) for (const item of message.labels) writeLabelTerm(item, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readListRequest(reader, end) {
  const message = { namespace: '', type: '', labels: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.labels.push(readLabelTerm(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ListResponse = {
  name: 'nodecore.fleet.v1.ListResponse',
  encode: (message) => writeListResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readListResponse(reader, reader.len); },
};

function writeListResponse(message, writer) {
  if (message.resources !== undefined) for (const item of message.resources) writeResource(item, writer.uint32(10).fork()).ldelim();
  if (!(message.bookmark === undefined)) writeBookmark(message.bookmark, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readListResponse(reader, end) {
  const message = { resources: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.resources.push(readResource(reader, endOf(reader))); break;
      case 18: message.bookmark = readBookmark(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WatchRequest = {
  name: 'nodecore.fleet.v1.WatchRequest',
  encode: (message) => writeWatchRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWatchRequest(reader, reader.len); },
};

function writeWatchRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  if (!(message.bookmark === undefined)) writeBookmark(message.bookmark, writer.uint32(34).fork()).ldelim();
  if (message.labels !== undefined) for (const item of message.labels) writeLabelTerm(item, writer.uint32(42).fork()).ldelim();
  return writer;
}

function readWatchRequest(reader, end) {
  const message = { namespace: '', type: '', id: '', labels: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.id = reader.string(); break;
      case 34: message.bookmark = readBookmark(reader, endOf(reader)); break;
      case 42: message.labels.push(readLabelTerm(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WatchResponse = {
  name: 'nodecore.fleet.v1.WatchResponse',
  encode: (message) => writeWatchResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWatchResponse(reader, reader.len); },
};

function writeWatchResponse(message, writer) {
  if (message.events !== undefined) for (const item of message.events) writeEvent(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readWatchResponse(reader, end) {
  const message = { events: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.events.push(readEvent(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CreateRequest = {
  name: 'nodecore.fleet.v1.CreateRequest',
  encode: (message) => writeCreateRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCreateRequest(reader, reader.len); },
};

function writeCreateRequest(message, writer) {
  if (!(message.resource === undefined)) writeResource(message.resource, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readCreateRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.resource = readResource(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CreateResponse = {
  name: 'nodecore.fleet.v1.CreateResponse',
  encode: (message) => writeCreateResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCreateResponse(reader, reader.len); },
};

function writeCreateResponse(message, writer) {
  if (!(message.resource === undefined)) writeResource(message.resource, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readCreateResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.resource = readResource(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const UpdateRequest = {
  name: 'nodecore.fleet.v1.UpdateRequest',
  encode: (message) => writeUpdateRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readUpdateRequest(reader, reader.len); },
};

function writeUpdateRequest(message, writer) {
  if (!(message.resource === undefined)) writeResource(message.resource, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readUpdateRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.resource = readResource(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const UpdateResponse = {
  name: 'nodecore.fleet.v1.UpdateResponse',
  encode: (message) => writeUpdateResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readUpdateResponse(reader, reader.len); },
};

function writeUpdateResponse(message, writer) {
  if (!(message.resource === undefined)) writeResource(message.resource, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readUpdateResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.resource = readResource(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TeardownRequest = {
  name: 'nodecore.fleet.v1.TeardownRequest',
  encode: (message) => writeTeardownRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTeardownRequest(reader, reader.len); },
};

function writeTeardownRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  return writer;
}

function readTeardownRequest(reader, end) {
  const message = { namespace: '', type: '', id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.id = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TeardownResponse = {
  name: 'nodecore.fleet.v1.TeardownResponse',
  encode: (message) => writeTeardownResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTeardownResponse(reader, reader.len); },
};

function writeTeardownResponse(message, writer) {
  if (!(message.ready === undefined || message.ready === false)) writer.uint32(8).bool(message.ready);
  if (message.finalizers !== undefined) for (const item of message.finalizers) writer.uint32(18).string(item);
  return writer;
}

function readTeardownResponse(reader, end) {
  const message = { ready: false, finalizers: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.ready = reader.bool(); break;
      case 18: message.finalizers.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DestroyRequest = {
  name: 'nodecore.fleet.v1.DestroyRequest',
  encode: (message) => writeDestroyRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDestroyRequest(reader, reader.len); },
};

function writeDestroyRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  return writer;
}

function readDestroyRequest(reader, end) {
  const message = { namespace: '', type: '', id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.id = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DestroyResponse = {
  name: 'nodecore.fleet.v1.DestroyResponse',
  encode: (message) => writeDestroyResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDestroyResponse(reader, reader.len); },
};

function writeDestroyResponse(message, writer) {
  return writer;
}

function readDestroyResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Event = {
  name: 'nodecore.fleet.v1.Event',
  encode: (message) => writeEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEvent(reader, reader.len); },
};

function writeEvent(message, writer) {
  if (!(message.type === undefined || message.type === 0)) writer.uint32(8).int32(message.type);
  if (!(message.resource === undefined)) writeResource(message.resource, writer.uint32(18).fork()).ldelim();
  if (!(message.bookmark === undefined)) writeBookmark(message.bookmark, writer.uint32(26).fork()).ldelim();
  if (!(message.error === undefined || message.error === '')) writer.uint32(34).string(message.error);
  return writer;
}

function readEvent(reader, end) {
  const message = { type: 0, error: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.type = reader.int32(); break;
      case 18: message.resource = readResource(reader, endOf(reader)); break;
      case 26: message.bookmark = readBookmark(reader, endOf(reader)); break;
      case 34: message.error = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Bookmark = {
  name: 'nodecore.fleet.v1.Bookmark',
  encode: (message) => writeBookmark(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readBookmark(reader, reader.len); },
};

function writeBookmark(message, writer) {
  if (!(message.epoch === undefined || message.epoch === '')) writer.uint32(10).string(message.epoch);
  if (!(message.revision === undefined || message.revision === 0n)) writer.uint32(16).uint64(toBits(message.revision));
  return writer;
}

function readBookmark(reader, end) {
  const message = { epoch: '', revision: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.epoch = reader.string(); break;
      case 16: message.revision = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Resource = {
  name: 'nodecore.fleet.v1.Resource',
  encode: (message) => writeResource(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readResource(reader, reader.len); },
};

function writeResource(message, writer) {
  if (!(message.metadata === undefined)) writeMetadata(message.metadata, writer.uint32(10).fork()).ldelim();
  if (!(message.spec === undefined || message.spec.length === 0)) writer.uint32(18).bytes(message.spec);
  return writer;
}

function readResource(reader, end) {
  const message = { spec: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.metadata = readMetadata(reader, endOf(reader)); break;
      case 18: message.spec = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Metadata = {
  name: 'nodecore.fleet.v1.Metadata',
  encode: (message) => writeMetadata(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMetadata(reader, reader.len); },
};

function writeMetadata(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  if (!(message.version === undefined || message.version === 0n)) writer.uint32(32).uint64(toBits(message.version));
  if (!(message.owner === undefined || message.owner === '')) writer.uint32(42).string(message.owner);
  if (!(message.phase === undefined || message.phase === 0)) writer.uint32(48).int32(message.phase);
  if (!(message.createdMillis === undefined || message.createdMillis === 0n)) writer.uint32(56).int64(toBits(message.createdMillis));
  if (!(message.updatedMillis === undefined || message.updatedMillis === 0n)) writer.uint32(64).int64(toBits(message.updatedMillis));
  if (message.labels !== undefined) for (const [key, item] of Object.entries(message.labels)) writer.uint32(74).fork().uint32(10).string(key).uint32(18).string(item).ldelim();
  if (message.annotations !== undefined) for (const [key, item] of Object.entries(message.annotations)) writer.uint32(82).fork().uint32(10).string(key).uint32(18).string(item).ldelim();
  if (message.finalizers !== undefined) for (const item of message.finalizers) writer.uint32(90).string(item);
  return writer;
}

function readMetadata(reader, end) {
  const message = { namespace: '', type: '', id: '', version: 0n, owner: '', phase: 0, createdMillis: 0n, updatedMillis: 0n, labels: {}, annotations: {}, finalizers: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.id = reader.string(); break;
      case 32: message.version = readUnsigned(reader); break;
      case 42: message.owner = reader.string(); break;
      case 48: message.phase = reader.int32(); break;
      case 56: message.createdMillis = readSigned(reader); break;
      case 64: message.updatedMillis = readSigned(reader); break;
      case 74: readEntry(reader, message.labels); break;
      case 82: readEntry(reader, message.annotations); break;
      case 90: message.finalizers.push(reader.string()); break;
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

export const AuthService = {
  registerPublicKey: method('/nodecore.fleet.v1.AuthService/RegisterPublicKey', false, false, RegisterPublicKeyRequest, RegisterPublicKeyResponse),
  awaitPublicKeyConfirmation: method('/nodecore.fleet.v1.AuthService/AwaitPublicKeyConfirmation', false, false, AwaitPublicKeyConfirmationRequest, AwaitPublicKeyConfirmationResponse),
  confirmPublicKey: method('/nodecore.fleet.v1.AuthService/ConfirmPublicKey', false, false, ConfirmPublicKeyRequest, ConfirmPublicKeyResponse),
  createWebLogin: method('/nodecore.fleet.v1.AuthService/CreateWebLogin', false, false, CreateWebLoginRequest, CreateWebLoginResponse),
  revokePublicKey: method('/nodecore.fleet.v1.AuthService/RevokePublicKey', false, false, RevokePublicKeyRequest, RevokePublicKeyResponse),
};

export const ManagementService = {
  machineLogs: method('/nodecore.fleet.v1.ManagementService/MachineLogs', false, true, MachineLogsRequest, MachineLogsResponse),
  createJoinToken: method('/nodecore.fleet.v1.ManagementService/CreateJoinToken', false, false, CreateJoinTokenRequest, CreateJoinTokenResponse),
  revokeJoinToken: method('/nodecore.fleet.v1.ManagementService/RevokeJoinToken', false, false, RevokeJoinTokenRequest, RevokeJoinTokenResponse),
  getMachineJoinConfig: method('/nodecore.fleet.v1.ManagementService/GetMachineJoinConfig', false, false, GetMachineJoinConfigRequest, GetMachineJoinConfigResponse),
  createServiceAccount: method('/nodecore.fleet.v1.ManagementService/CreateServiceAccount', false, false, CreateServiceAccountRequest, CreateServiceAccountResponse),
  destroyServiceAccount: method('/nodecore.fleet.v1.ManagementService/DestroyServiceAccount', false, false, DestroyServiceAccountRequest, DestroyServiceAccountResponse),
  securityReport: method('/nodecore.fleet.v1.ManagementService/SecurityReport', false, true, SecurityReportRequest, SecurityReportResponse),
  whoAmI: method('/nodecore.fleet.v1.ManagementService/WhoAmI', false, false, WhoAmIRequest, WhoAmIResponse),
};

export const StateService = {
  get: method('/nodecore.fleet.v1.StateService/Get', false, false, GetRequest, GetResponse),
  list: method('/nodecore.fleet.v1.StateService/List', false, true, ListRequest, ListResponse),
  watch: method('/nodecore.fleet.v1.StateService/Watch', false, true, WatchRequest, WatchResponse),
  create: method('/nodecore.fleet.v1.StateService/Create', false, false, CreateRequest, CreateResponse),
  update: method('/nodecore.fleet.v1.StateService/Update', false, false, UpdateRequest, UpdateResponse),
  teardown: method('/nodecore.fleet.v1.StateService/Teardown', false, false, TeardownRequest, TeardownResponse),
  destroy: method('/nodecore.fleet.v1.StateService/Destroy', false, false, DestroyRequest, DestroyResponse),
};

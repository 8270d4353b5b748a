import { type Chassis, ChassisControl, completion } from './chassis.ts';
import type { IpmiMessage } from './message.ts';
import { suites } from './suite.ts';

/** Network functions of commands. */
const functions = { chassis: 0, app: 6 } as const;
const commands = {
  deviceId: 0x01,
  systemGuid: 0x37,
  authentication: 0x38,
  privilege: 0x3b,
  close: 0x3c,
  suites: 0x54,
} as const;

const administrator = 4;
/** Names are needed, and sessions are of version 2.0. */
const capabilities = [0x80, 0x04, 0x02];
/** Version 2.0, and there is a chassis. */
const identity = [0x20, 1, 1, 0, 0x02, 0x80, 0, 0, 0, 0, 0];

/** What a client may ask before it has a session, and after. */
export type Standing = 'stranger' | 'administrator';

/** The management controller of one machine: answers commands, whichever way they came. */
export class ManagementController {
  readonly #chassis: ChassisControl;
  readonly #guid: Buffer;

  constructor(chassis: Chassis, guid: Buffer) {
    this.#chassis = new ChassisControl(chassis);
    this.#guid = guid;
  }

  /** Whether a command ends the session that it came in. */
  ends({ netFn, command }: IpmiMessage): boolean {
    return netFn === functions.app && command === commands.close;
  }

  /** @returns the answer: its completion code first */
  answer({ netFn, command, data }: IpmiMessage, standing: Standing): Buffer {
    if (netFn === functions.app && command === commands.authentication)
      return Buffer.from([completion.ok, 1, ...capabilities, 0, 0, 0, 0]);
    if (netFn === functions.app && command === commands.suites) return suiteList(data);
    if (netFn === functions.app && command === commands.systemGuid)
      return Buffer.concat([Buffer.from([completion.ok]), this.#guid]);
    if (standing === 'stranger') return Buffer.from([completion.privilege]);
    if (netFn === functions.chassis) return this.#chassis.answer(command, data);
    if (netFn !== functions.app) return Buffer.from([completion.unknown]);
    if (command === commands.deviceId) return Buffer.from([completion.ok, ...identity]);
    if (command === commands.privilege) return privilege(data);
    return Buffer.from([command === commands.close ? completion.ok : completion.unknown]);
  }
}

/** All fit into the first part of the list. */
function suiteList(data: Buffer): Buffer {
  if (data.length !== 3) return Buffer.from([completion.length]);
  const records = suites.flatMap(({ id, authentication, integrity }) => [
    0xc0,
    id,
    authentication,
    0x40 | integrity,
    0x80 | 1,
  ]);
  return Buffer.from([completion.ok, 1, ...((data.readUInt8(2) & 0x3f) === 0 ? records : [])]);
}

function privilege(data: Buffer): Buffer {
  if (data.length !== 1) return Buffer.from([completion.length]);
  const level = data.readUInt8() & 0x0f;
  if (level > administrator) return Buffer.from([completion.field]);
  return Buffer.from([completion.ok, level === 0 ? administrator : level]);
}

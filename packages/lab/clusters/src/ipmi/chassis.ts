import type { ResetType } from '../redfish/resources.ts';

/** The machine that a controller is of. */
export type Chassis = {
  readonly isOn: () => boolean;
  /** Whether the network has something to start from. */
  readonly hasNetworkImage: boolean;
  /** Begins it; how it went is not the client's business. @param fromNetwork it starts from the network this once */
  readonly reset: (type: ResetType, fromNetwork: boolean) => void;
};

/** How a command went (IPMI 2.0, table 5-2). */
export const completion = {
  ok: 0x00,
  unknown: 0xc1,
  length: 0xc7,
  parameter: 0x80,
  field: 0xcc,
  privilege: 0xd4,
  state: 0xd5,
} as const;

/** What chassis control asks for (28.3), in their order there; 4 is an interrupt, which nothing of ours listens to. */
const controls: readonly (ResetType | undefined)[] = [
  'ForceOff',
  'On',
  'PowerCycle',
  'ForceRestart',
  undefined,
  'GracefulShutdown',
];

const bootFlags = 5;
/** Others say how far somebody is with setting them. */
const otherParameters: readonly number[] = [0, 3, 4];
const valid = 0x80;
const forever = 0x40;
const devices = { usual: 0, network: 1, disk: 2 } as const;

/** Power, and what a machine starts from next, as commands of the chassis (28) have them. */
export class ChassisControl {
  readonly #chassis: Chassis;
  #fromNetwork = false;

  constructor(chassis: Chassis) {
    this.#chassis = chassis;
  }

  /** @returns the answer: its completion code first */
  answer(command: number, data: Buffer): Buffer {
    if (command === 0x00) return Buffer.from([completion.ok, 0, 0x20, 0x20, 0x20, 0x20]);
    if (command === 0x01) return Buffer.from([completion.ok, this.#chassis.isOn() ? 0x61 : 0x60, 0, 0]);
    if (command === 0x02) return this.#control(data);
    if (command === 0x08) return this.#setOption(data);
    return command === 0x09 ? this.#option(data) : Buffer.from([completion.unknown]);
  }

  #control(data: Buffer): Buffer {
    if (data.length !== 1) return Buffer.from([completion.length]);
    const type = controls[data.readUInt8() & 0x0f];
    if (type === undefined) return Buffer.from([completion.field]);
    const needsPower = type !== 'On' && type !== 'ForceOff';
    if (needsPower && !this.#chassis.isOn()) return Buffer.from([completion.state]);
    const starts =
      type === 'PowerCycle' || type === 'ForceRestart' || (type === 'On' && !this.#chassis.isOn());
    this.#chassis.reset(type, starts && this.#fromNetwork);
    if (starts) this.#fromNetwork = false;
    return Buffer.from([completion.ok]);
  }

  #setOption(data: Buffer): Buffer {
    if (data.length === 0) return Buffer.from([completion.length]);
    const parameter = data.readUInt8() & 0x7f;
    if (parameter !== bootFlags)
      return Buffer.from([otherParameters.includes(parameter) ? completion.ok : completion.parameter]);
    if (data.length !== 6) return Buffer.from([completion.length]);
    const [flags, device] = [data.readUInt8(1), (data.readUInt8(2) >> 2) & 0x0f];
    const known: readonly number[] = Object.values(devices);
    // What is on a disk is started before all else: this is how it always is.
    const wantsNetwork = (flags & valid) !== 0 && device === devices.network;
    if (!known.includes(device) || (wantsNetwork && (flags & forever) !== 0))
      return Buffer.from([completion.field]);
    if (wantsNetwork && !this.#chassis.hasNetworkImage) return Buffer.from([completion.state]);
    this.#fromNetwork = wantsNetwork;
    return Buffer.from([completion.ok]);
  }

  #option(data: Buffer): Buffer {
    if (data.length !== 3) return Buffer.from([completion.length]);
    const parameter = data.readUInt8() & 0x7f;
    if (parameter !== bootFlags && !otherParameters.includes(parameter))
      return Buffer.from([completion.parameter]);
    const head = Buffer.from([completion.ok, 1, parameter]);
    if (parameter !== bootFlags) return Buffer.concat([head, Buffer.alloc(parameter === 4 ? 2 : 1)]);
    const device = this.#fromNetwork ? devices.network : devices.usual;
    return Buffer.concat([head, Buffer.from([this.#fromNetwork ? valid : 0, device << 2, 0, 0, 0])]);
  }
}

import { RigError } from '../errors.ts';
import type { RigMachine } from '../rig-machine.ts';

/** Devices inside the machine: what is recorded, and where the record goes (a blank disk, larger than all writes). */
export type RecorderDevices = { readonly device: string; readonly log: string };

/**
 * Records every write to a device inside a machine, by the kernel's dm-log-writes (module `dm-log-writes` in the
 * machine's value). The record is on the log disk, and complete after `stop`.
 */
export class Recorder {
  /** The device to use in place of the recorded one. */
  static readonly path: string = '/dev/mapper/recorded';
  readonly #machine: RigMachine;

  private constructor(machine: RigMachine) {
    this.#machine = machine;
  }

  static async start(machine: RigMachine, { device, log }: RecorderDevices): Promise<Recorder> {
    const recorder = new Recorder(machine);
    const sectors = await recorder.#run('blockdev', '--getsz', device);
    const table = `0 ${sectors} log-writes ${device} ${log}`;
    await recorder.#run('dmsetup', 'create', 'recorded', '--table', table);
    return recorder;
  }

  /** Sets a mark, one word, after everything that was written until now. */
  async mark(text: string): Promise<void> {
    if (!/^\S+$/.test(text)) throw new TypeError(`the mark ${JSON.stringify(text)} is not one word`);
    await this.#run('sh', '-c', markCommand, 'sh', text);
  }

  /** Ends the record and makes sure that it is on the log disk. */
  async stop(): Promise<void> {
    await this.#run('dmsetup', 'remove', 'recorded');
    await this.#run('sync');
  }

  async #run(...argv: readonly [string, ...string[]]): Promise<string> {
    const { code, stdout, stderr } = await this.#machine.run(argv, { cwd: '/' });
    if (code === 0) return stdout.toString().trim();
    throw new RigError('ERR_RIG_RECORD', this.#machine.spec.name, `${argv.join(' ')}: ${stderr.toString()}`);
  }
}

/**
 * Sets the mark `$1`, one word, on the recorded device. What has not been flushed yet stands in no record, and would appear after
 * the mark.
 */
export const markCommand: string = `sync "${Recorder.path}" && dmsetup message recorded 0 mark "$1"`;

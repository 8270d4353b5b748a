import { access } from 'node:fs/promises';
import { uptime } from 'node:os';

import { TpmError } from './errors.ts';

const devices = ['/dev/tpmrm0', '/dev/tpm0'];

/** The kernel's resource manager, else the TPM itself. @throws {TpmError} `ERR_TPM_NOT_FOUND` */
export async function defaultTcti(): Promise<string> {
  for (const device of devices) if (await exists(device)) return `device:${device}`;
  throw absent({ uptimeSeconds: uptime(), isAnnounced: await exists('/sys/firmware/acpi/tables/TPM2') });
}

/** A driver that is a module, and a TPM that takes its time, come after those who need it. */
const patienceSeconds = 600;

/** Why there is no TPM: early after a start it may still come. */
export function absent(machine: {
  readonly uptimeSeconds: number;
  /** The firmware says that there is one. */
  readonly isAnnounced: boolean;
}): TpmError {
  const { uptimeSeconds, isAnnounced } = machine;
  const neither = `neither ${devices.join(' nor ')}`;
  const announced = isAnnounced ? 'the firmware announces one' : 'the firmware announces none';
  if (uptimeSeconds < patienceSeconds) {
    const until = `it is waited for until the machine has run for ${patienceSeconds / 60} minutes`;
    return new TpmError(
      'ERR_TPM_NOT_FOUND',
      `there is no TPM 2.0 yet, ${neither}: ${announced}, and ${until}`,
      {
        permanence: 'transient',
      },
    );
  }
  const advice = isAnnounced ? 'its driver is missing' : "it may be off in the firmware's set-up menu";
  return new TpmError(
    'ERR_TPM_NOT_FOUND',
    `this machine has no TPM 2.0, ${neither}: ${announced}, ${advice}`,
  );
}

/** TCTIs of libtss2, each in a library of its own; some have a chip's name behind theirs. */
const names = /^(?:device|swtpm|mssim|tabrmd|cmd|pcap|libtpms|i2c|spi|fuzzing)(?:-[a-z0-9]+)*$/;

/**
 * Refuses what names no TCTI. The library would look for one, and not find a TPM.
 *
 * @throws {TypeError} for what is no text; {TpmError} `ERR_TPM_UNSUPPORTED`
 */
export function checkTcti(tcti: string): void {
  if (typeof tcti !== 'string') throw new TypeError('tcti: a text such as device:/dev/tpmrm0');
  const name = tcti.split(':', 1)[0] ?? '';
  // A library may also be named by its file.
  if (names.test(name) || name.includes('.so')) return;
  const examples = 'device:/dev/tpmrm0 or swtpm:path=/run/tpm.sock';
  throw new TpmError(
    'ERR_TPM_UNSUPPORTED',
    `${JSON.stringify(tcti)} is no TCTI of libtss2; ${examples} is one`,
  );
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

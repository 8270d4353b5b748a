import { isIP } from 'node:net';

import { HostError } from './errors.ts';

/** Who says what the time is: servers of a network, or clocks of the machine. */
export type TimeSources = {
  /** By name or by address. */
  readonly servers: readonly string[];
  /** Only answers that are authenticated count (RFC 8915). */
  readonly isAuthenticated: boolean;
  /** Devices such as `/dev/ptp0`. */
  readonly clocks: readonly string[];
};

/** Where chronyd keeps what it needs; neither outlives the boot. */
export type ChronyPlaces = {
  /** Of its own: its socket, its process number, what it has learnt. */
  readonly directory: string;
  /** PEM of those who may vouch for a server. */
  readonly authorities: string;
};

/** The socket that chronyd answers chronyc at. */
export function chronySocket({ directory }: ChronyPlaces): string {
  return `${directory}/chronyd.sock`;
}

/**
 * What chronyd reads. It serves nobody, and hears of commands by its socket alone. The clock is stepped in the first three
 * corrections when it is wrong by more than a second, and slewed from then on. Until the first of them nobody asks how old a
 * certificate is: a machine whose battery is empty would find all of them not valid yet.
 *
 * @throws {HostError} `ERR_HOST_VALUE` for a server, a device or a path that is more than a word.
 */
export function chronyConfiguration(sources: TimeSources, places: ChronyPlaces): string {
  const { servers, isAuthenticated, clocks } = sources;
  const directory = word(places.directory, isPath);
  return [
    ...servers.map((server) => `server ${word(server, isHost)} iburst${isAuthenticated ? ' nts' : ''}`),
    ...clocks.map((clock) => `refclock PHC ${word(clock, isPath)} poll 2`),
    'makestep 1 3',
    'rtcsync',
    'port 0',
    'cmdport 0',
    `bindcmdaddress ${word(chronySocket(places), isPath)}`,
    `pidfile ${directory}/chronyd.pid`,
    `driftfile ${directory}/drift`,
    `ntsdumpdir ${directory}`,
    'nosystemcert',
    `ntstrustedcerts ${word(places.authorities, isPath)}`,
    'nocerttimecheck 1',
    '',
  ].join('\n');
}

function word(text: string, isFine: (text: string) => boolean): string {
  if (isFine(text)) return text;
  throw new HostError('ERR_HOST_VALUE', JSON.stringify(text), 'is no word of a configuration of chronyd');
}

function isHost(text: string): boolean {
  return (
    isIP(text) !== 0 || (text.length <= 253 && /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/u.test(text))
  );
}

function isPath(text: string): boolean {
  return /^(?:\/[A-Za-z0-9_.-]+)+$/u.test(text);
}

/** How the clock is kept. */
export type ClockTracking = {
  /** Whom it follows; undefined while it follows nobody. */
  readonly source: string | undefined;
  readonly stratum: number;
  /** By how much the clock is ahead (+) or behind (-) of what is believed, in seconds. */
  readonly offsetSeconds: number;
  /** By how much the clock of the machine is too fast (+) or too slow (-), in parts per million. */
  readonly frequencyPpm: number;
};

/** What `chronyc -c tracking` says; undefined for what is none of it. */
export function parseTracking(text: string): ClockTracking | undefined {
  const [id, name, stratum, , offset, , , frequency, , , , , , leap] = text.trim().split(',');
  const numbers = [stratum, offset, frequency].map(Number);
  if (leap === undefined || numbers.some((number) => !Number.isFinite(number))) return undefined;
  const [level = 0, behind = 0, ppm = 0] = numbers;
  const isFollowing = leap !== 'Not synchronised' && id !== '00000000';
  // chronyc gives by how much it would have to be set forward.
  return {
    source: isFollowing ? name : undefined,
    stratum: level,
    offsetSeconds: -behind,
    frequencyPpm: ppm,
  };
}

/** One who says what the time is, and how it does. */
export type ClockSource = {
  readonly name: string;
  readonly state: 'followed' | 'combined' | 'left out' | 'unreachable' | 'wrong' | 'unsteady';
  readonly stratum: number;
  /** Which of the last eight questions were answered, the newest in the lowest bit. */
  readonly reach: number;
};

const states: Readonly<Record<string, ClockSource['state']>> = {
  '*': 'followed',
  '+': 'combined',
  '-': 'left out',
  '?': 'unreachable',
  x: 'wrong',
  '~': 'unsteady',
};

/** What `chronyc -c sources` says, a line for each. */
export function parseClockSources(text: string): readonly ClockSource[] {
  return text.split('\n').flatMap((line) => {
    const [mode, state = '', name, stratum, , reach] = line.split(',');
    if (mode === undefined || name === undefined || reach === undefined) return [];
    return [
      {
        name,
        state: states[state] ?? 'unreachable',
        stratum: Number(stratum),
        reach: Number.parseInt(reach, 8),
      },
    ];
  });
}

import { type Configuration, trimIntervalMs } from '@nodecore/config';

/** How often each volume of a configuration is trimmed, in milliseconds; undefined: only when somebody asks. */
export function trimIntervals(
  configuration: Configuration,
  options: {
    /** False on a host that is not ours: there is no STATE and no EPHEMERAL. */ readonly systemDisk: boolean;
  },
): ReadonlyMap<string, number | undefined> {
  const names = options.systemDisk ? (['STATE', 'EPHEMERAL'] as const) : [];
  const volumes = [...names.map((name) => configuration.systemVolume(name)), ...configuration.userVolumes];
  return new Map(volumes.map(({ id, trim }) => [id, trimIntervalMs(trim, configuration.filesystemTrim)]));
}

import { type Configuration, trimIntervalMs } from '@nodecore/config';

/** How often each volume of a configuration is trimmed, in milliseconds; undefined: on request only. */
export function trimIntervals(
  configuration: Configuration,
  options: {
    /** False on a host that is not ours: there is no STATE and no EPHEMERAL. */ readonly systemDisk: boolean;
  },
): ReadonlyMap<string, number | undefined> {
  const names = options.systemDisk ? (['STATE', 'EPHEMERAL'] as const) : [];
  const dedicated = configuration
    .all('VolumeConfig')
    .filter(({ name, volumeType }) => options.systemDisk && volumeType === 'partition' && !isAlways(name));
  const volumes = [
    ...names.map((name) => configuration.systemVolume(name)),
    ...dedicated,
    ...configuration.all('UserVolumeConfig').filter(({ volumeType }) => volumeType !== 'directory'),
    ...configuration.all('ExistingVolumeConfig'),
  ];
  return new Map(
    volumes.map(({ id, trim }) => [id, trimIntervalMs(trim, configuration.get('FilesystemTrimConfig'))]),
  );
}

function isAlways(name: string): boolean {
  return name === 'STATE' || name === 'EPHEMERAL';
}

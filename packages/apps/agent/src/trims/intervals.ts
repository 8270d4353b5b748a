import { type Configuration, trimIntervalMs } from '@nodecore/config';

/** How often each volume of a configuration is trimmed, in milliseconds; undefined: on request only. */
export function trimIntervals(
  configuration: Configuration,
  options: {
    /** False on a host that is not ours: there is no STATE and no EPHEMERAL. */ readonly systemDisk: boolean;
  },
): ReadonlyMap<string, number | undefined> {
  const names = options.systemDisk ? (['STATE', 'EPHEMERAL'] as const) : [];
  const { userVolumes, existingVolumes } = configuration;
  const dedicated = configuration.systemVolumes.filter(
    ({ name, volumeType }) => options.systemDisk && volumeType === 'partition' && !isAlways(name),
  );
  const volumes = [
    ...names.map((name) => configuration.systemVolume(name)),
    ...dedicated,
    ...userVolumes.filter(({ volumeType }) => volumeType !== 'directory'),
    ...existingVolumes,
  ];
  return new Map(volumes.map(({ id, trim }) => [id, trimIntervalMs(trim, configuration.filesystemTrim)]));
}

function isAlways(name: string): boolean {
  return name === 'STATE' || name === 'EPHEMERAL';
}

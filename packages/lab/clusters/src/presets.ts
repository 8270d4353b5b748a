/** The ways of the first boot; a cluster has exactly one. */
export const bootPresets = ['iso', 'iso-secureboot', 'pxe', 'disk-image'] as const;

/** What may go with a way to boot. `secureboot`: UEFI begins without keys and takes those of the image; implies a TPM. `iso-secureboot` implies it. */
export const otherPresets = ['maintenance', 'secureboot'] as const;

/** What `--presets` names. */
export type Preset = (typeof bootPresets)[number] | (typeof otherPresets)[number];

/** Presets by their names; what is wrong with them goes to `problems`. */
export function readPresets(names: readonly string[], problems: string[]): readonly Preset[] {
  const known: readonly Preset[] = [...bootPresets, ...otherPresets];
  const presets: Preset[] = [];
  for (const name of names) {
    const preset = known.find((each) => each === name);
    if (preset === undefined) problems.push(`--presets: "${name}" is none of ${known.join(', ')}`);
    else presets.push(preset);
  }
  const boots = presets.filter((preset) => bootPresets.some((each) => each === preset));
  const [boot] = boots;
  if (presets.length < names.length) return presets;
  if (boot === undefined)
    problems.push(`--presets: at least one boot method preset of ${bootPresets.join(', ')}`);
  else if (boots.length > 1) problems.push(`--presets: multiple boot method presets: ${boots.join(', ')}`);
  else if (boot === 'pxe' && presets.includes('secureboot'))
    problems.push('--presets: pxe brings no keys of Secure Boot; iso-secureboot does');
  return presets;
}

/** Whether machines begin without keys of Secure Boot, and take those of their image. */
export function isSecure(presets: readonly Preset[]): boolean {
  return presets.includes('secureboot') || presets.includes('iso-secureboot');
}

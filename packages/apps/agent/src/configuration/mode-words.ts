import type { ApplyMode } from './request.ts';

/** One sentence for people about what an apply has done. */
export const happened: Readonly<Record<ApplyMode, string>> = {
  auto: 'Applied configuration without a reboot.',
  'no-reboot': 'Applied configuration without a reboot.',
  staged: 'Staged configuration to be applied after the next reboot.',
  try: 'Applied configuration on trial: it is rolled back unless it is applied again in time.',
};

/** The same for a dry run. */
export const wouldHappen: Readonly<Record<ApplyMode, string>> = {
  auto: 'the configuration would be applied without a reboot.',
  'no-reboot': 'the configuration would be applied without a reboot.',
  staged: 'the configuration would be staged until the next reboot.',
  try: 'the configuration would be applied on trial.',
};

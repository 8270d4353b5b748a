import { readPressure } from './read.ts';
import { watchPressure } from './watch.ts';

/** Pressure stall information of the machine and of cgroups: what is now, and being told when it is too much. */
export const pressure: { readonly read: typeof readPressure; readonly watch: typeof watchPressure } = {
  read: readPressure,
  watch: watchPressure,
};

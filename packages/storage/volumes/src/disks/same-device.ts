import type { Observations } from '../effects.ts';

/** Whether two paths name one block device now. */
export async function isSameDevice(
  left: string,
  right: string,
  effects: Pick<Observations, 'deviceNumber'>,
): Promise<boolean> {
  const number = await effects.deviceNumber(left);
  return number !== undefined && number === (await effects.deviceNumber(right));
}

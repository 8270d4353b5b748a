/** How far the clocks of two machines may be apart. */
export const maxSkewMs: number = 5 * 60_000;

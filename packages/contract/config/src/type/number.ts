import { integer } from '../field/scalars.ts';
import { type Type } from '../field/type.ts';

/** Whole numbers as wide as the kernel's fields that they go into. */
export const u8: Type<number> = integer(0, 0xff);
/** 16 bits. */
export const u16: Type<number> = integer(0, 0xffff);
/** 32 bits. */
export const u32: Type<number> = integer(0, 0xffff_ffff);

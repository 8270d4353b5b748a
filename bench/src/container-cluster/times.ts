/** Milliseconds. */
export type Times = { readonly create: number; readonly destroy: number };

/** Where something listens. */
export type Address = { readonly host: string; readonly port: number };

/** Attributes of UEFI variables (UEFI 2.10, 8.2). */
export const attributes = {
  nonVolatile: 0x1,
  bootService: 0x2,
  runtime: 0x4,
  /** Only who signs may change it: the value begins with EFI_VARIABLE_AUTHENTICATION_2. */
  timeBasedAuthenticated: 0x20,
} as const;

/** What PK, KEK, db and dbx have: kept, for boot and runtime, authenticated by time. */
export const keyVariable = 0x27;

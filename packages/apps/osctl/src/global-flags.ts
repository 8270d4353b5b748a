/** The global flags: accepted before the command and after it. */
export type GlobalFlags = {
  readonly cluster?: string;
  readonly context?: string;
  readonly endpoints?: readonly string[];
  readonly nodes?: readonly string[];
  readonly authv1KeysDir?: string;
  readonly osconfig?: string;
};

/** The flags of commands that also talk to a node without a configuration. */
export type MaintenanceFlags = { readonly insecure?: true; readonly certFingerprint?: readonly string[] };

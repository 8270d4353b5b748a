/** Where control planes sign the certificates of workers, unless the command line says otherwise. */
export const defaultSignerPort = 50_001;

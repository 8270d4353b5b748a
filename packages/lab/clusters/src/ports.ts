/** Port of a node's API. */
export const apiPort = 50_000;

/** Port of the gateway that takes the lines of logs. */
export const logSinkPort = 4003;

/** Port of the gateway where machines get their configurations. */
export const configurationPort = 8071;

/** Port where the host switches a machine by IPMI. */
export const ipmiPort = 623;

/** Port where the host switches machines by Redfish. */
export const redfishPort = 8443;

/** Port of the gateway where nodes have the keys of their volumes sealed. */
export const kmsPort = 4050;

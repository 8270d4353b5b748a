/**
 * Of layers of an installer image that was cut into parts: one behind the other they are its archive. Those that are files of a release
 * have the digests that were signed, and are the same for all schematics.
 */
export const installerPartType = 'application/vnd.nodecore.installer.part.v1';

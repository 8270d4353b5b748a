import type * as http from 'node:http';

const loaded = process.getBuiltinModule('node:http');

/**
 * `createServer` of `node:http`. An import of that module looks up every name it exports, and one of them loads a whole second
 * client, for which every program that starts takes 25 ms of processor time more. Types can be imported as ever.
 */
export const createServer: typeof http.createServer = loaded.createServer;

/** `request` of `node:http`; see {@link createServer}. */
export const request: typeof http.request = loaded.request;

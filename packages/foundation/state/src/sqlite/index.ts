export { sqliteState, type SqliteState, type SqliteStateOptions } from './sqlite-state.ts';

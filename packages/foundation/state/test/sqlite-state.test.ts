import { sqliteContract } from './sqlite-contract.ts';

sqliteContract('sqlite');

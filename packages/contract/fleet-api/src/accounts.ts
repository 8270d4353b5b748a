import { auditNamespace, defaultNamespace, type FleetDefinition, fleetType } from './definition.ts';

/** A token by which machines join. The id of the resource is the token. */
export type JoinTokenSpec = {
  readonly name: string;
  readonly revoked: boolean;
  /** ISO 8601; absent: never. */
  readonly expirationTime?: string;
};

/** The join tokens. Readers see them: who may look at the fleet may prepare a machine for it. */
export const joinTokens: FleetDefinition = {
  type: fleetType('JoinTokens'),
  displayType: 'JoinToken',
  description: 'Tokens by which machines join.',
  aliases: ['jt'],
  defaultNamespace,
  printColumns: [
    { name: 'Name', jsonPath: '$.name' },
    { name: 'Revoked', jsonPath: '$.revoked' },
    { name: 'Expires', jsonPath: '$.expirationTime' },
  ],
  sensitive: false,
  sealed: true,
  readers: 'Reader',
  writers: 'nobody',
};

/** The token that is used where none is named. */
export type DefaultJoinTokenSpec = { readonly tokenId: string };

/** One resource, `default`. */
export const defaultJoinTokens: FleetDefinition = {
  type: fleetType('DefaultJoinTokens'),
  displayType: 'DefaultJoinToken',
  description: 'The token that is used where none is named.',
  aliases: [],
  defaultNamespace,
  printColumns: [{ name: 'Token', jsonPath: '$.tokenId' }],
  sensitive: false,
  sealed: true,
  readers: 'Reader',
  writers: 'nobody',
};

/** Somebody who may do something. The id is random. */
export type UserSpec = { readonly role: string };

/** Users and service accounts. */
export const users: FleetDefinition = {
  type: fleetType('Users'),
  displayType: 'User',
  description: 'Users and service accounts, with what they may do.',
  aliases: ['user'],
  defaultNamespace,
  printColumns: [{ name: 'Role', jsonPath: '$.role' }],
  sensitive: true,
  readers: 'Admin',
  writers: 'nobody',
};

/** A name of a user: an e-mail address, or `NAME@serviceaccount.fleet`. The id is the name. */
export type IdentitySpec = { readonly userId: string };

/** The names of users. */
export const identities: FleetDefinition = {
  type: fleetType('Identities'),
  displayType: 'Identity',
  description: 'Names that users sign as.',
  aliases: ['identity'],
  defaultNamespace,
  printColumns: [{ name: 'User', jsonPath: '$.userId' }],
  sensitive: true,
  readers: 'Admin',
  writers: 'nobody',
};

/** A key that signs calls. The id is its fingerprint, hexadecimal in lower case. */
export type PublicKeySpec = {
  readonly identity: string;
  /** OpenPGP, armored. */
  readonly publicKey: string;
  /** The most that calls with this key may do; the user's own role limits them, too. */
  readonly role: string;
  /** ISO 8601. */
  readonly expiration: string;
};

/** Confirmed keys. One that is not confirmed is no resource. */
export const publicKeys: FleetDefinition = {
  type: fleetType('PublicKeys'),
  displayType: 'PublicKey',
  description: 'Keys that calls are signed with.',
  aliases: ['pk'],
  defaultNamespace,
  printColumns: [
    { name: 'Identity', jsonPath: '$.identity' },
    { name: 'Role', jsonPath: '$.role' },
    { name: 'Expires', jsonPath: '$.expiration' },
  ],
  sensitive: true,
  readers: 'Admin',
  writers: 'nobody',
};

/** One thing that was done, written together with it. Ids sort by time. */
export type AuditEventSpec = {
  /** `create`, `update`, `teardown`, `destroy`, or `os_access`. */
  readonly eventType: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /** Milliseconds since the epoch. */
  readonly eventTs: number;
  /** Who did it; empty: the fleet itself. */
  readonly actor: string;
  readonly role: string;
  /** Of the key that signed the call. */
  readonly fingerprint?: string;
  readonly detail?: string;
};

/** The record of what was done. */
export const auditEvents: FleetDefinition = {
  type: fleetType('AuditEvents'),
  displayType: 'AuditEvent',
  description: 'What was done, and by whom.',
  aliases: ['audit'],
  defaultNamespace: auditNamespace,
  printColumns: [
    { name: 'Event', jsonPath: '$.eventType' },
    { name: 'Type', jsonPath: '$.resourceType' },
    { name: 'Resource', jsonPath: '$.resourceId' },
    { name: 'Actor', jsonPath: '$.actor' },
  ],
  sensitive: true,
  readers: 'Auditor',
  writers: 'nobody',
};

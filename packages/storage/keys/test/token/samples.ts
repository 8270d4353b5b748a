/** The fields of systemd 252 to 256, all of them, and ours. */
export const tpm2Token = {
  type: 'systemd-tpm2',
  keyslots: ['1'],
  'tpm2-blob': Buffer.alloc(200, 1).toString('base64'),
  'tpm2-pcrs': [7, 11],
  'tpm2-pcr-bank': 'sha256',
  'tpm2-primary-alg': 'ecc',
  'tpm2-policy-hash': 'ab'.repeat(32),
  'tpm2-pin': false,
  tpm2_pubkey_pcrs: [11],
  tpm2_pubkey: Buffer.from('PEM').toString('base64'),
  tpm2_salt: Buffer.alloc(32, 2).toString('base64'),
  tpm2_srk: Buffer.alloc(60, 3).toString('base64'),
  'nodecore-key-name': Buffer.alloc(34, 4).toString('base64'),
  'nodecore-measured': {
    v: { '7': Buffer.alloc(32, 5).toString('base64url') },
    e: { '7': [['80000001', '0123456789abcdef', 'SecureBoot']] },
  },
};

export const talosToken = {
  type: 'talos-tpm2',
  keyslots: [],
  UserData: {
    keyslots: [1],
    sealed_blob_private: Buffer.from('0003aabbcc', 'hex').toString('base64'),
    sealed_blob_public: Buffer.from('0002ddee', 'hex').toString('base64'),
    pcrs: [7],
    pubkey_pcrs: [11],
    alg: 'sha256',
    encryption_version: '1',
    policy_hash: Buffer.alloc(32, 6).toString('base64'),
    key_name: Buffer.concat([Buffer.from([0, 34]), Buffer.alloc(34, 7)]).toString('base64'),
  },
};

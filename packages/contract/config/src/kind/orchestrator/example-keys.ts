// Made for the examples alone: every reader of this file has them.

/** Lines of a PEM text, as the body of a block scalar that is indented by `depth`. */
function indented(lines: readonly string[], depth: number): string {
  return lines.map((line) => `${' '.repeat(depth)}${line}\n`).join('');
}

/** The certificate of an authority. */
export function exampleCertificate(depth: number): string {
  return indented(
    [
      '-----BEGIN CERTIFICATE-----',
      'MIIBIDCB06ADAgECAhEAyC+gup0rQ6CtKw4TCzItsjAFBgMrZXAwDzENMAsGA1UE',
      'ChMEdGVzdDAgFw0yNTEyMzEyMzAwMDBaGA8yMTI1MTIwODAwMDAwMFowDzENMAsG',
      'A1UEChMEdGVzdDAqMAUGAytlcAMhAMSCbI3jMGl4RvyJjzHhLPiMENUxciqqjWV7',
      'gS6r9LJTo0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIChDAdBgNV',
      'HQ4EFgQUs+yNmCW/AeOldIzhy5IHjnk6nKowBQYDK2VwA0EAjCE1FfMy3Iaqx3/4',
      'R00g8LzejD2Q505NXoRuXW16Fp49NH/X5PdVwG5+RG6b6tsRCX7aXP7VJ6WYUS8q',
      'CiIDBA==',
      '-----END CERTIFICATE-----',
    ],
    depth,
  );
}

/** Its key. */
export function exampleKey(depth: number): string {
  return indented(
    [
      '-----BEGIN PRIVATE KEY-----',
      'MC4CAQAwBQYDK2VwBCIEIAHgVF/gHU3A9iR22XQ7iQPkm875xMxAkQk/ZEwSci2p',
      '-----END PRIVATE KEY-----',
    ],
    depth,
  );
}

/** A key of an elliptic curve. */
export function exampleSigningKey(depth: number): string {
  return indented(
    [
      '-----BEGIN PRIVATE KEY-----',
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3nfv5GooH2mqVkoK',
      'Rt2WDNQ+C3ysbjp4nG2MBdbBb++hRANCAAQg3feDuSRc6F3Tc0OR3NDCPkhW+fdN',
      'gekzox5ZkZyM8eohrQ4dg/SaUZaLv9au5xZnpOB4EXBvWRCiRWPAONC9',
      '-----END PRIVATE KEY-----',
    ],
    depth,
  );
}

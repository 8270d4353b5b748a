import { document } from '../../document.ts';
import { required } from '../../field/type.ts';
import { authorities } from '../../type/authorities.ts';
import { volumeName } from '../storage/volume-blocks.ts';

/** `TrustedRootsConfig`: authorities that are trusted beside the public ones. */
export const trustedRoots = document(
  'TrustedRootsConfig',
  'authorities that are trusted beside the public ones',
  () => ({
    takesEffect: 'live',
    shortNames: true,
    fields: {
      name: { ...volumeName, about: 'a word for them' },
      certificates: required(
        'PEM certificates of authorities that are trusted beside the public ones; # begins a comment',
        authorities,
      ),
    },
    example: `name: company
certificates: |
  -----BEGIN CERTIFICATE-----
  MIIBIDCB06ADAgECAhEAyC+gup0rQ6CtKw4TCzItsjAFBgMrZXAwDzENMAsGA1UE
  ChMEdGVzdDAgFw0yNTEyMzEyMzAwMDBaGA8yMTI1MTIwODAwMDAwMFowDzENMAsG
  A1UEChMEdGVzdDAqMAUGAytlcAMhAMSCbI3jMGl4RvyJjzHhLPiMENUxciqqjWV7
  gS6r9LJTo0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIChDAdBgNV
  HQ4EFgQUs+yNmCW/AeOldIzhy5IHjnk6nKowBQYDK2VwA0EAjCE1FfMy3Iaqx3/4
  R00g8LzejD2Q505NXoRuXW16Fp49NH/X5PdVwG5+RG6b6tsRCX7aXP7VJ6WYUS8q
  CiIDBA==
  -----END CERTIFICATE-----
`,
  }),
);

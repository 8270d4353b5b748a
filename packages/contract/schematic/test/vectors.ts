/** Canonical texts and the IDs that every factory gives them. */
export const vectors: readonly (readonly [text: string, id: string])[] = [
  ['customization: {}\n', '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'],
  [
    'customization:\n    extraKernelArgs:\n        - noapic\n        - nolapic\n',
    '9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c',
  ],
  [
    'customization:\n    meta:\n        - key: 10\n          value: foo\n',
    'd308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f',
  ],
  [
    'overlay:\n    image: siderolabs/sbc-raspberrypi\n    name: rpi_generic\ncustomization: {}\n',
    'ee21ef4a5ef808a9b7484cc0dda0f25075021691c8c09a276591eedb638ea1f9',
  ],
  [
    'customization:\n    secureboot:\n        includeWellKnownCertificates: true\n',
    'fa8e05f142a851d3ee568eb0a8e5841eaf6b0ebc8df9a63df16ac5ed2c04f3e6',
  ],
  [
    'customization:\n    diskImage:\n        sectorSize: 4096\n',
    '92833e9ddd9bb9e11b2464fa5525429f01866306d52ebd882ee08d7918f6d1ea',
  ],
  [
    'customization:\n    embeddedMachineConfiguration: |-\n        apiVersion: v1alpha1\n        kind: HostnameConfig\n        hostname: worker-33\n',
    '02f29f9a702fceec4fc2e2e51314d63710fc1b192ebb1629ac12301949d49c8c',
  ],
  [
    'customization:\n    extraKernelArgs:\n        - console=ttyS0\n',
    'ab1024449cff00f2e27caee13298635e8fd178c6079d4de34a9370a55a54b938',
  ],
  ['owner: alice\ncustomization: {}\n', '325e789382e85e76ab77e38cb320a816e2c9550cb5afe960b21f75e06605e2e9'],
  [
    'customization:\n    secureboot:\n        enrollKeys: "off"\n',
    '27e859ebfe0bd0bb6c9a53595770359cbafaa9fc7ef0059c046435c91e0db8c4',
  ],
  [
    'customization:\n    bootloader: sd-boot\n',
    '9ed5fecdacb36b5c5427b87d409f1065cfb2df69b0f71c58b868d9d466d8dab3',
  ],
  [
    "customization:\n    meta:\n        - key: 10\n          value: '{}'\n",
    'de3de71abf5a50551986885ddf49ce25e86459a502da360255704ecffdec2e35',
  ],
  [
    'customization:\n    systemExtensions:\n        officialExtensions:\n            - os/btrfs\n            - os/drbd\n',
    '5b7bf6917614df70b93e908635aa67246f1a5b22bb24c19fd095afcdf92c0273',
  ],
  [
    'owner: alice\noverlay:\n    image: i\n    name: "n"\n    options:\n        a:\n            - x\n            - z: true\n        b: 1\ncustomization:\n    embeddedMachineConfiguration: |\n        a: 1\n    extraKernelArgs:\n        - "5"\n        - "yes"\n    meta:\n        - key: 0\n          value: ""\n    systemExtensions:\n        officialExtensions:\n            - os/btrfs\n    bootloader: grub\n    secureboot:\n        enrollKeys: force\n        includeWellKnownCertificates: true\n    diskImage:\n        sectorSize: 4096\n',
    'a489bde6f92c0a52c33c0057dd527e30a91feeaab80d8ce2ecdd6e0adcbbf9c7',
  ],
];

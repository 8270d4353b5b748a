import { loadLibrary } from '@nodecore/sys';
import test from 'ava';

import { allLinkTypes, linkType, linkTypeOfDlt, linkTypeOfFile } from '../src/index.ts';

test('libpcap knows every link type by the same name and number', (t) => {
  const library = loadLibrary('libpcap.so.0.8', { debian: 'libpcap0.8', fedora: 'libpcap' });
  const nameOf = library.func('const char *pcap_datalink_val_to_name(int dlt)');
  for (const { name, dlt } of allLinkTypes()) t.is(nameOf(dlt), name);
});

test('a link type is found by name, by DLT and by its number in files', (t) => {
  for (const type of allLinkTypes()) {
    t.is(linkType(type.name), type);
    t.is(linkTypeOfDlt(type.dlt), type);
    t.is(linkTypeOfFile(type.fileNumber), type);
  }
  t.like(linkType('dlt_raw'), { name: 'RAW', dlt: 12, fileNumber: 101 });
  t.is(linkType('LINKTYPE_ETHERNET'), linkType('EN10MB'));
  t.is(linkTypeOfDlt(100_000), undefined);
  t.is(linkTypeOfFile(-1), undefined);
  t.throws(() => linkType('nosuch'), { code: 'ERR_BPF_LINK_TYPE' });
});

import {
  completes,
  destroyingOption,
  listOption,
  parseDuration,
  parseSize,
  refuseOthers,
  type Terminal,
} from '@nodecore/cli';
import { InvalidArgumentError, Option, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { interfaceNames } from '../nodes/completers.ts';
import type { PcapFlags } from './options.ts';
import { talkerKinds } from './talkers.ts';

/** Flags about files on the node; `keepFiles` refuses more than one of them. */
const onNode = ['listOnNode', 'fetchFromNode', 'removeOnNode', 'writeOnNode'];

/** `osctl pcap` counts `-v` in this call, so a process parses one command line with it; needs os:capture or os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  let verbosity = 0;
  command
    .description(
      'Captures packets of network interfaces: as lines, into files here, or into files on the node. Needs os:admin or os:capture.',
    )
    .addOption(
      completes(
        listOption('-i, --interface <names>', 'interfaces, or any for all of them (default: eth0)'),
        interfaceNames,
      ),
    )
    .option(
      '-o, --output <file>',
      'write a capture file; - writes it to standard output (default: a line per packet)',
    )
    .option(
      '--bpf-filter <filter>',
      'pcap-filter(7) text, or instructions as tcpdump -d, -dd, -ddd or bpf_asm write them; @<file> reads it',
    )
    .addOption(
      new Option('--duration <duration>', 'end after this time (default: when interrupted)').argParser(
        parseDuration,
      ),
    )
    .option('--promiscuous', 'also packets for other machines')
    .addOption(new Option('--count <packets>', 'end after so many packets').argParser(parseCount))
    .addOption(
      new Option('-s, --snaplen <bytes>', 'keep so much of each packet (default: all)').argParser(parseCount),
    )
    .addOption(
      new Option('--direction <direction>', 'seen from the node')
        .choices(['in', 'out', 'both'])
        .default('both'),
    )
    .option('--include-api-traffic', "also packets of the node's API, this capture's own among them")
    .option('--pcapng', 'write pcapng (default: pcap for one interface, pcapng for several)')
    .addOption(
      new Option(
        '--file-size <size>',
        'go on in the next file before one is larger: <name>-00000.pcap',
      ).argParser(parseSize),
    )
    .addOption(new Option('--keep <files>', 'with --file-size: keep only the newest').argParser(parseCount))
    .option('--write-on-node <name>', 'write the file on the node, in its directory for captures')
    .option('--list-on-node', 'print the files that captures have left on the node')
    .option('--fetch-from-node <name>', 'copy one of them to -o <file>, or to standard output with -o -')
    .addOption(destroyingOption('--remove-on-node <name>', 'remove one of them'))
    .addOption(destroyingOption('--force', 'with -o: replace files that are there'))
    .option('-v, --verbose', 'more of each packet, and what the kernel runs; twice: all that is decoded')
    .option('--json', 'one JSON object per packet; with --list-on-node a list')
    .option('--owners', 'say of each packet whose it is: process and container, as its comment in pcapng')
    .addOption(
      new Option(
        '--by <what>',
        'count packets and bytes in place of showing them; -o is table, json, yaml or jsonpath=<expression>',
      ).choices(talkerKinds),
    )
    .on('option:verbose', () => (verbosity += 1))
    .addHelpText(
      'after',
      `
Ctrl-C ends a capture in order. At the end standard error says what was received and what was lost.

Examples:
  osctl pcap -i eth0 --bpf-filter 'tcp port 443' --duration 10s
  osctl pcap -i eth0,eth1 -o both.pcapng
  osctl pcap -i any --by process --duration 10s
  osctl pcap -i any -o - | tshark -r -
  osctl pcap -i eth0 -o ring.pcap --file-size 10MB --keep 5
  osctl pcap --fetch-from-node dns.pcap -o dns.pcap`,
    );
  callsMethods(command, 'CaptureService/Capture');
  addGlobalFlags(command);
  command.action(async (flags: PcapFlags) => {
    if (flags.listOnNode ?? flags.fetchFromNode ?? flags.removeOnNode) {
      const read =
        flags.fetchFromNode !== undefined
          ? [...onNode, 'output', 'force']
          : [...onNode, ...(flags.listOnNode === true ? ['json'] : [])];
      refuseOthers(command, read, 'nothing is captured with --list-, --fetch- or --remove-on-node');
      const { keepFiles } = await import('./node-files.ts');
      return await keepFiles({ ...globalFlagsOf(command), ...flags }, terminal);
    }
    const { capturePackets } = await import('./pcap.ts');
    const verbose = verbosity > 1 ? 2 : verbosity > 0 ? 1 : 0;
    await capturePackets({ ...globalFlagsOf(command), ...flags }, verbose, terminal);
  });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,9}$/.test(text) || count === 0)
    throw new InvalidArgumentError('Expected a whole number above 0.');
  return count;
}

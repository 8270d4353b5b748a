import { destroyingOption, formatOption, jsonOption, listOption, type Terminal } from '@nodecore/cli';
import { Option, type Command } from 'commander';

import { addGenConfig } from './config-command.ts';
import type { WriteOptions } from './files.ts';
import { examples } from '../examples.ts';
import { hoursToMs } from './hours.ts';

/** The subcommands of `osctl gen` call no node; each takes `--force` before its name and after it. */
export function configure(command: Command, terminal: Terminal): void {
  command.addOption(destroyingOption('-f, --force', 'replace files that exist'));
  addCA(command, terminal);
  addKey(command, terminal);
  addCSR(command, terminal);
  addCrt(command, terminal);
  addKeypair(command, terminal);
  addSecrets(command, terminal);
  addGenConfig(command, 'config', terminal);
  addSecureBoot(command, terminal);
}

/**
 * A subcommand of gen: its action gets the command with its flags, and how to write files. Where `-o` names the files, `--json`
 * tells programs of them, otherwise `-o json` does.
 */
function add(
  gen: Command,
  terminal: Terminal,
  [name, summary, tells = 'output']: readonly [name: string, summary: string, tells?: 'json' | 'output'],
  action: (command: Command, options: WriteOptions) => Promise<void>,
): Command {
  return gen
    .command(name)
    .description(summary)
    .addOption(destroyingOption('-f, --force', 'replace files that exist'))
    .addOption(tells === 'json' ? jsonOption() : formatOption())
    .action(async (...parameters: unknown[]) => {
      const command = parameters.at(-1) as Command;
      const { force, json, output } = command.optsWithGlobals<{ force?: true; json?: true; output?: string }>();
      const format = tells === 'json' ? (json === true ? 'json' : 'table') : (output ?? 'table');
      await action(command, { force: force === true, format, terminal });
    });
}

function addCA(gen: Command, terminal: Terminal): void {
  type Flags = { organization: string; hours: number };
  const summary = 'make a self-signed authority: <organization>.crt, .sha256 and .key';
  add(gen, terminal, ['ca', summary], async (command, options) => {
    const { hours, ...flags } = command.opts<Flags>();
    const { genCA } = await import('./authority.ts');
    await genCA({ ...flags, ...options, lifetimeMs: hours });
  })
    .requiredOption('--organization <name>', 'organization of its subject, and base name of the files')
    .addOption(hoursOption(87_600))
    .addHelpText('after', examples('osctl gen ca --organization demo'));
}

function addKey(gen: Command, terminal: Terminal): void {
  add(gen, terminal, ['key', 'make an Ed25519 private key: <name>.key'], async (command, options) => {
    const { genKey } = await import('./key.ts');
    await genKey({ ...command.opts<{ name: string }>(), ...options });
  })
    .requiredOption('--name <name>', 'base name of the file')
    .addHelpText('after', examples('osctl gen key --name admin'));
}

function addCSR(gen: Command, terminal: Terminal): void {
  type Flags = { key: string; ip: string; roles?: readonly string[] };
  const summary = 'make a certificate request: <base name of the key>.csr';
  add(gen, terminal, ['csr', summary], async (command, options) => {
    const { genCSR } = await import('./request.ts');
    const flags = command.opts<Flags>();
    await genCSR({ ...flags, ...options, roles: flags.roles ?? ['os:admin'] });
  })
    .requiredOption('--key <file>', 'private key that signs the request')
    .requiredOption('--ip <address>', 'IP address that the certificate names')
    .addOption(listOption('--roles <roles>', 'roles, which become organizations (default: os:admin)'))
    .addHelpText('after', examples('osctl gen csr --key admin.key --ip 10.0.0.9 --roles os:reader'));
}

function addCrt(gen: Command, terminal: Terminal): void {
  type Flags = { name: string; ca: string; csr: string; hours: number };
  const summary = 'sign a certificate request for a client: <name>.crt';
  add(gen, terminal, ['crt', summary], async (command, options) => {
    const { hours, ...flags } = command.opts<Flags>();
    const { genCrt } = await import('./request.ts');
    await genCrt({ ...flags, ...options, lifetimeMs: hours });
  })
    .requiredOption('--name <name>', 'base name of the file')
    .requiredOption('--ca <name>', 'base name of the authority: <name>.crt and <name>.key')
    .requiredOption('--csr <file>', 'the request')
    .addOption(hoursOption(24))
    .addHelpText('after', examples('osctl gen crt --name admin --ca demo --csr admin.csr --hours 24'));
}

function addKeypair(gen: Command, terminal: Terminal): void {
  type Flags = { organization: string; ip?: string };
  const summary = 'make a self-signed pair: <organization>.crt and .key';
  add(gen, terminal, ['keypair', summary], async (command, options) => {
    const { genKeypair } = await import('./authority.ts');
    await genKeypair({ ...command.opts<Flags>(), ...options });
  })
    .requiredOption('--organization <name>', 'organization of its subject, and base name of the files')
    .option('--ip <address>', 'IP address that the certificate names')
    .addHelpText('after', examples('osctl gen keypair --organization local --ip 127.0.0.1'));
}

function addSecrets(gen: Command, terminal: Terminal): void {
  type Flags = {
    outputFile: string;
    fromControlplaneConfig?: string;
    fromOrchPki?: string;
    orchBootstrapToken?: string;
    osVersion?: string;
    fill?: true;
  };
  const summary = 'make the secrets of a cluster, from which its configurations are generated';
  add(gen, terminal, ['secrets', summary, 'json'], async (command, options) => {
    const { genSecrets } = await import('./gen-secrets.ts');
    await genSecrets({ ...command.opts<Flags>(), ...options });
  })
    .option('-o, --output-file <file>', 'file to write, or -', 'secrets.yaml')
    .option('--from-controlplane-config <file>', 'take them from this configuration')
    .option('--fill', 'make anew what the configuration lacks')
    .option('-p, --from-orch-pki <directory>', "take the orchestrator's from its directory of certificates")
    .option('-t, --orch-bootstrap-token <token>', 'joins machines to the orchestrator (default: random)')
    .option('--os-version <version>', 'for nodes of this version (default: that of osctl)')
    .addHelpText('after', examples('osctl gen secrets -o secrets.yaml'));
}

function addSecureBoot(gen: Command, terminal: Terminal): void {
  const group = gen.command('secureboot').description('make the keys of Secure Boot and of signed PCR values');
  addUki(group, terminal);
  addPcr(group, terminal);
  addDatabase(group, terminal);
}

function addUki(group: Command, terminal: Terminal): void {
  const summary = 'make the key that signs boot loaders and kernel images: uki-signing-key.pem, -cert.pem and -cert.der';
  add(group, terminal, ['uki', summary, 'json'], async (command, options) => {
    const { genUki } = await import('./secure-boot.ts');
    await genUki({ ...command.opts<{ commonName: string; output: string }>(), ...options });
  })
    .option('--common-name <name>', 'name in the certificate', 'Test UKI Signing Key')
    .option(...outputFlag)
    .addHelpText('after', examples('osctl gen secureboot uki --common-name Example'));
}

function addPcr(group: Command, terminal: Terminal): void {
  const summary = 'make the key that signs TPM PCR values: pcr-signing-key.pem';
  add(group, terminal, ['pcr', summary, 'json'], async (command, options) => {
    const { genPcr } = await import('./secure-boot.ts');
    await genPcr({ ...command.opts<{ output: string }>(), ...options });
  })
    .option(...outputFlag)
    .addHelpText('after', examples('osctl gen secureboot pcr'));
}

function addDatabase(group: Command, terminal: Terminal): void {
  type Flags = {
    enrolledCertificate: readonly string[];
    signingCertificate: string;
    signingKey: string;
    output: string;
  };
  const summary = 'make what enrols the keys in firmware: PK.auth, KEK.auth and db.auth';
  add(group, terminal, ['database', summary, 'json'], async (command, options) => {
    const { genDatabase } = await import('./secure-boot.ts');
    await genDatabase({ ...command.opts<Flags>(), ...options });
  })
    .addOption(
      new Option('--enrolled-certificate <file>', 'certificate that images are signed with; once for each')
        .argParser<readonly string[]>((file, files) => (files === enrolledByItself ? [file] : [...files, file]))
        .default(enrolledByItself, ownCertificate),
    )
    .option('--signing-certificate <file>', 'certificate that owns the machine', ownCertificate)
    .option('--signing-key <file>', 'its key', '_out/uki-signing-key.pem')
    .option(...outputFlag)
    .addHelpText('after', examples('osctl gen secureboot database'));
}

const ownCertificate = '_out/uki-signing-cert.pem';
const enrolledByItself: readonly string[] = [ownCertificate];

const outputFlag = ['-o, --output <directory>', 'where to write', '_out'] as const;

function hoursOption(hours: number): Option {
  return new Option('--hours <hours>', 'how long it is valid')
    .argParser(hoursToMs)
    .default(hours * 3_600_000, String(hours));
}

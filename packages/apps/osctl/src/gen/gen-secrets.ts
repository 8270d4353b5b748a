import { print, UsageError } from '@nodecore/cli';

import { readContract } from './contract.ts';
import { writeFiles, type WriteOptions } from './files.ts';
import { SecretsError } from './secrets-error.ts';
import { assemble, type FoundSecrets, secretsText } from './secrets-file.ts';
import { secretsOfConfiguration, secretsOfPki } from './secrets-from.ts';
import { type ClusterSecrets, createSecrets, tokenForm } from './secrets.ts';

export type SecretsOptions = WriteOptions & {
  /** Path, or `-` for standard output. */
  readonly outputFile: string;
  readonly fromControlplaneConfig?: string;
  /** Directory with the orchestrator's certificates. */
  readonly fromOrchPki?: string;
  readonly orchBootstrapToken?: string;
  readonly osVersion?: string;
  /** What a configuration lacks is made anew. */
  readonly fill?: boolean;
};

/**
 * Writes a secrets file: of new secrets, of those of a configuration, or of an orchestrator that other tools began.
 *
 * @throws {UsageError} for flags that make no sense together; {SecretsError} with what is missing or wrong.
 */
export async function genSecrets(options: SecretsOptions): Promise<void> {
  const { orchBootstrapToken: token, fromControlplaneConfig, fromOrchPki, outputFile } = options;
  if (token !== undefined && !tokenForm.test(token))
    throw new UsageError('--orch-bootstrap-token is six letters or digits, a dot, and sixteen; small letters only');
  if (fromControlplaneConfig !== undefined && fromOrchPki !== undefined)
    throw new UsageError('--from-controlplane-config and --from-orch-pki name two sources; give one of them');
  if (options.fill === true && fromControlplaneConfig === undefined)
    throw new UsageError('--fill would be ignored: it goes with --from-controlplane-config');
  const text = secretsText(await wanted(options));
  if (outputFile === '-') await print(options.terminal.out, text);
  else await writeFiles([{ path: outputFile, content: text, secret: true }], options);
}

async function wanted(options: SecretsOptions): Promise<ClusterSecrets> {
  const { orchBootstrapToken: token, fromControlplaneConfig: configuration, fromOrchPki: directory } = options;
  const contract = readContract(options.osVersion);
  const create = (): Promise<ClusterSecrets> =>
    createSecrets({ contract, ...(token === undefined ? {} : { bootstrapToken: token }) });
  if (configuration === undefined && directory === undefined) return await create();
  const given = new Map(
    configuration === undefined ? await secretsOfPki(directory ?? '') : await secretsOfConfiguration(configuration),
  );
  if (token !== undefined) given.set('secrets.bootstraptoken', token);
  const mayFill = directory !== undefined || options.fill === true;
  const { secrets, missing, wrong } = assemble(given);
  const file = configuration ?? directory ?? '';
  if (wrong.length > 0) throw new SecretsError(file, wrong);
  if (secrets !== undefined) return secrets;
  if (!mayFill)
    throw new SecretsError(
      file,
      missing.map((path) => `${path} is missing`),
      '; --fill makes anew what is missing',
    );
  const filled = assemble(completed(given, missing, await create())).secrets;
  if (filled === undefined) throw new TypeError('made secrets are not whole');
  return filled;
}

/** What is given, and for what is missing what was made. */
function completed(given: FoundSecrets, missing: readonly string[], made: ClusterSecrets): FoundSecrets {
  const whole = new Map(given);
  for (const path of missing) {
    const [group = '', name = ''] = path.split('.');
    const below = made[group as keyof ClusterSecrets] as Readonly<Record<string, unknown>>;
    // Which secret of encryption it is depends on the version.
    if (name === 'secretboxencryptionsecret')
      for (const [one, value] of Object.entries(below))
        if (one.endsWith('encryptionsecret')) whole.set(`${group}.${one}`, value);
    if (below[name] !== undefined) whole.set(path, below[name]);
  }
  return whole;
}

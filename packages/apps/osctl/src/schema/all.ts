import { type Answers, documentOf, fileOf, lines } from './answer.ts';
import { configurationAnswers } from './answers/configuration.ts';
import { errorShape } from './answers/errors.ts';
import { fileAnswers } from './answers/files.ts';
import { kvstoreAnswers } from './answers/kvstore.ts';
import { machineAnswers } from './answers/machines.ts';
import { resourceAnswers } from './answers/resources.ts';
import { storageAnswers } from './answers/storage.ts';
import { workloadAnswers } from './answers/workload.ts';

/** What every command says as JSON. */
export const answers: Answers = {
  ...configurationAnswers,
  ...fileAnswers,
  ...kvstoreAnswers,
  ...machineAnswers,
  ...resourceAnswers,
  ...storageAnswers,
  ...workloadAnswers,
};

/** What any command says on standard error; no command has this name. */
export const errors = 'error';

/** The published files by name. */
export function schemaFiles(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries({ ...answers, [errors]: lines(errorShape) }).map(([command, answer]) => [
      fileOf(command),
      `${JSON.stringify(documentOf(command, answer), undefined, 2)}\n`,
    ]),
  );
}

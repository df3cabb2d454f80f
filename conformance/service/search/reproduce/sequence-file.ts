import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document } from 'yaml';
import { InvalidFile } from '../../../../scenarios/format/invalid-file.js';
import { findPackageRoot } from '../../../../scenarios/format/library/package-root.js';
import { Source } from '../../../../scenarios/format/load/source.js';
import { operations } from '../../../../spec/generated/operations.js';
import { createValidator } from '../../../../spec/json-schema/evaluate.js';
import { findViolations, type Violation } from '../../../../spec/json-schema/violations.js';
import type { Command } from '../../operations/command.js';
import type { FoundSequence } from '../found-sequence.js';
import { describeSequence, type ReplayedSequence, RUNS_AGAIN } from '../results.js';
import { listCommands, type SequenceStep } from '../sequence/sequence.js';

/** The file format of a failing sequence. */
export interface SequenceFile extends ReplayedSequence {
  title?: string;
  message?: string;
  shown?: string;
  seed?: number | string;
}

const SCHEMA = 'conformance/service/search/reproduce/sequence.schema.json';

/** `again`: the command line that reproduces the failure. */
export function writeSequence(
  found: FoundSequence,
  { dialect, seed, again }: Pick<SequenceFile, 'dialect' | 'seed'> & { again: string },
): string {
  const { key, finding, sequence, shown } = found;
  const file: SequenceFile = {
    title: describeSequence(sequence),
    failure: key,
    requirement: finding.requirement,
    message: finding.message,
    shown: `${shown} of ${RUNS_AGAIN} more runs`,
    ...(seed !== undefined && { seed }),
    ...(dialect && { dialect }),
    steps: [...sequence],
  };
  const document = new Document(file, { aliasDuplicateObjects: false });
  document.commentBefore = ` Found by taskdouble conform --search. To see it again:\n ${again}`;
  return document.toString({ lineWidth: 0 });
}

/** Throws InvalidFile with every problem, each with its line and column. */
export function readSequence(text: string, file: string): SequenceFile {
  const { source, problems } = Source.read(text, file);
  if (!source || problems.length > 0) throw new InvalidFile(problems);
  const schema = JSON.parse(readFileSync(join(findPackageRoot(), SCHEMA), 'utf8')) as object;
  const violations = findViolations(createValidator(schema), source.value);
  if (violations.length > 0) throw new InvalidFile(source.toProblems(violations));
  const read = source.value as SequenceFile;
  const unknown = read.steps.flatMap((step, index): Violation[] => {
    const wrong = listCommands(step).find(({ operation }) => !Object.hasOwn(operations, operation));
    const message = `operation: expected an operation of the API, found ${JSON.stringify(wrong?.operation)}`;
    return wrong ? [{ path: ['steps', index], message }] : [];
  });
  if (unknown.length > 0) throw new InvalidFile(source.toProblems(unknown));
  return { ...read, steps: read.steps.map(addCondition) };
}

function addCondition(step: SequenceStep): SequenceStep {
  if ('wait_ms' in step) return step;
  const complete = (command: Command): Command => ({ ...command, condition: command.condition ?? 'plain' });
  return 'together' in step ? { together: step.together.map(complete) } : complete(step);
}

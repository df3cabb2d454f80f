import type { Finding } from '../../../spec/vocabulary.js';
import { readField, show, toFields } from '../../conversation/json.js';
import type { Job } from '../types.js';
import { hasExpectedValue, isDefault, isEmpty } from './field-values.js';
import { describeRequest, type ObservedRun } from './observed-run.js';
import { createFailure } from './run-rules.js';

/** What a job took from another one of the same process: its API key, or a field of its request. */
export function checkOtherJob({ exchanges, creates, run }: ObservedRun, other: Job): Finding[] {
  const misdirected = exchanges.find(({ exchange }) => exchange.organisation === 'another key');
  if (misdirected) {
    const message = `${describeRequest(misdirected)} has another key than the job. Each job has the key of its own.`;
    return [createFailure('create/other-job', message, [misdirected.seq], { requirement: 'AUTH-01' })];
  }
  const create = creates.findLast(({ record }) => record !== undefined) ?? creates[0];
  const taken = Object.entries(toFields(create?.requestJson) ?? {}).find(([name, value]) =>
    isTaken(name, value, run.job, other),
  );
  if (!create || !taken) return [];
  const [name, value] = taken;
  const message = `POST /task has ${show(value)} for "${name}", as the other job has, and its own job does not. Build each request from its own job alone.`;
  return [createFailure('create/other-job', message, [create.seq])];
}

function isTaken(name: string, value: unknown, { request: own }: Job, { request: other }: Job): boolean {
  if (name === 'custom_tools') {
    const [sent, its, wanted] = [value, other[name], own[name]].map(listNames) as [
      string[],
      string[],
      string[],
    ];
    return sent.some((tool) => its.includes(tool) && !wanted.includes(tool));
  }
  if (!isEmpty(own[name]) || isEmpty(value) || isEmpty(other[name]) || isDefault(name, value)) return false;
  return hasExpectedValue(name, other[name], value);
}

function listNames(tools: unknown): string[] {
  return Array.isArray(tools) ? tools.map((tool) => String(readField(tool, 'name'))) : [];
}

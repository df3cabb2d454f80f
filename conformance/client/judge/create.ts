import { LISTED_FIELDS } from '../../../scenarios/format/needs.js';
import type { Finding } from '../../../spec/vocabulary.js';
import { readField, show, showDifference, toFields } from '../../conversation/json.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import type { ClientRun, Job } from '../types.js';
import { hasExpectedValue, isBlank, isDefault, isEmpty, isEquivalent } from './field-values.js';
import { createFailure } from './findings.js';
import type { GiveUpReasons } from './give-up-reasons.js';
import { describeRequest, type ObservedRun } from './observed-run.js';

/** Requests to paths outside of the API do not count. */
export function checkAnyRequest({ exchanges, run }: ObservedRun): Finding[] {
  if (run.end === 'not-started' || exchanges.some(({ operation }) => operation !== undefined)) return [];
  const [first] = exchanges;
  const message = first
    ? `The client made no request of this API: ${describeRequest(first)} is none. Paths are those below TASKDOUBLE_BASE_URL/api/v1.`
    : 'The client made no request. Read the address of the service from TASKDOUBLE_BASE_URL (a function from `baseUrl`), and use its `fetch`.';
  return [createFailure('run/requests', message, listFirstSeqs(exchanges))];
}

/** One job is one task. */
export function checkTaskCreation(
  { creates, exchanges }: ObservedRun,
  { onTheWay, isBadEnd }: GiveUpReasons,
): Finding[] {
  if (creates.length === 0) {
    const message =
      'The client never sent POST /task. The job\'s "request" is the body to start the task with.';
    return [createFailure('run/requests', message, listFirstSeqs(exchanges))];
  }
  const created = creates.filter(({ record }) => record !== undefined);
  const isClear = created.length === creates.length || !(onTheWay || isBadEnd);
  if (created.length < 2 || !isClear) return [];
  const seqs = created.map(({ seq }) => seq);
  const message = `The job is one task, and the client created ${created.length} although no request failed. Wait for the response to the first, exchange ${seqs[0]}, before you retry.`;
  return [createFailure('create/once', message, seqs)];
}

function listFirstSeqs(exchanges: readonly { seq: number }[]): number[] {
  return exchanges.slice(0, 3).map(({ seq }) => seq);
}

/**
 * The body of POST /task, compared with the job. Reports the first field that differs. A client may add fields that the API description
 * does not list, and defaults.
 */
export function checkRequestBody({ creates, run }: ObservedRun): Finding[] {
  const create = creates.findLast(({ record }) => record !== undefined) ?? creates[0];
  const body = toFields(create?.requestJson);
  if (!create || !body) return [];
  // Fast path: most clients send the request unchanged.
  if (create.exchange.request.body === JSON.stringify(run.job.request)) return [];
  for (const name of new Set([...Object.keys(run.job.request), ...LISTED_FIELDS])) {
    const value = run.job.request[name];
    const sent = readField(body, name);
    if (value === undefined && isBlank(sent)) continue;
    if ((sent ?? null) === null && run.job.optional_fields.includes(name)) {
      const missing = checkMissingOption(name, value, create.seq, run);
      if (missing.length > 0) return missing;
      continue;
    }
    const expected = name === 'custom_tools' ? selectRequiredTools(value, sent, run.job) : value;
    // An absent field has its default.
    const wanted = isEmpty(expected) ? sent : expected;
    if ((isEmpty(expected) || isEmpty(sent)) && (isEmpty(wanted) || isDefault(name, wanted))) continue;
    // In `task` null means a session. In other fields it means absent.
    if (name === 'task' ? isEquivalent(name, expected, sent) : hasExpectedValue(name, expected, sent))
      continue;
    const [shown, wantedShown] = showDifference(sent, expected);
    const message = isEmpty(sent)
      ? `POST /task leaves out "${name}", and the request of the job has ${show(expected)} there. Send every field of the request.`
      : value === undefined
        ? `POST /task has ${shown} for "${name}", and the request of the job does not have this field. Leave it out: nothing of another job or of the library's own choice belongs into the request.`
        : `POST /task has ${shown} for "${name}", and the request of the job has ${wantedShown}. Send each field as the job has it.`;
    return [createFailure('create/matches-job', message, [create.seq])];
  }
  return [];
}

/** A library that lacks an optional field never sends it. One that has it may not take `false` or 0 for absent. */
function checkMissingOption(name: string, value: unknown, seq: number, run: ClientRun): Finding[] {
  const scenario = run.sentFields?.get(name);
  if (scenario === undefined || (value !== false && value !== 0) || isDefault(name, value)) return [];
  const message = `POST /task leaves out "${name}", which is ${show(value)} in the request of the job. The client does have this field: it sent it in ${scenario}. Send \`false\` and 0, too: left out, the field has its default. To see it again, play both scenarios.`;
  return [createFailure('create/matches-job', message, [seq])];
}

/** Adds the fields of the run's POST /task to those of earlier runs. */
export function recordSentFields({ exchanges, scenario }: ClientRun, sentFields: Map<string, string>): void {
  for (const exchange of exchanges) {
    const create = new ReadExchange(exchange);
    if (!create.is('createTask')) continue;
    for (const [name, value] of Object.entries(toFields(create.requestJson) ?? {}))
      if (value !== null && !sentFields.has(name)) sentFields.set(name, scenario.name);
  }
}

/** In many libraries a tool includes its function: tools that the client cannot run need not be registered. */
function selectRequiredTools(tools: unknown, sent: unknown, job: Job): unknown {
  if (!Array.isArray(tools)) return tools;
  const readToolName = (tool: unknown) => String(readField(tool, 'name'));
  const registered = Array.isArray(sent) ? sent.map(readToolName) : [];
  return tools.filter(
    (tool) => Object.hasOwn(job.tools, readToolName(tool)) || registered.includes(readToolName(tool)),
  );
}

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

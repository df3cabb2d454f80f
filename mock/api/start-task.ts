import type { Scenario } from '../../scenarios/format/types.js';
import { nearest } from '../../spec/nearest.js';
import { quote } from '../../spec/show.js';
import type { Generators } from '../engine/organisation.js';
import { type Organisation, planOf } from '../engine/organisation.js';
import { hasFile } from '../engine/resources/files.js';
import { newProfile } from '../engine/resources/profiles.js';
import { isOpenable } from '../engine/tasks/action-check.js';
import { createTask, toolNames } from '../engine/tasks/lifecycle.js';
import type { Task } from '../engine/tasks/task.js';
import type { LateNote } from '../journal/journal-entry.js';
import { ApiError, type InputProblem, InvalidInput } from '../pipeline/errors.js';

/** What starting a task needs of a request. */
export interface Start {
  organisation: Organisation;
  scenario?: string | undefined;
  note(text: string): void;
  concerns?(task: string): void;
  noteLater?(make: LateNote, request: Readonly<Record<string, unknown>>): void;
}

interface StartOptions {
  /** Without a scenario, the task does nothing until `APPROVAL_GATE` is open. */
  waitsForApproval?: boolean;
}

/**
 * Starts a task for POST /task, a chat or an automation: whether the organisation may, whether the request holds
 * together, which timeline it follows. Throws ApiError with 403, 404, 422 or 429.
 */
export function startTask(
  start: Start,
  request: Readonly<Record<string, unknown>>,
  { waitsForApproval = false }: StartOptions = {},
): Task {
  const { organisation } = start;
  checkUrl(organisation, request.url);
  checkAllowance(organisation);
  checkReferences(organisation, request);
  if (request.custom_tools || request.response_model) checkDefinitions(organisation, request);
  const scenario = chooseScenario(start, request);
  const task = createTask(organisation, request, scenario, waitsForApproval);
  start.concerns?.(task.id);
  return task;
}

/** The field `url` of a body. Throws InvalidInput. */
export function checkUrl(organisation: Organisation, url: unknown): void {
  if (typeof url !== 'string' || isOpenable(organisation, url)) return;
  const msg = 'Expected a URL with a scheme, such as https://example.com.';
  throw new InvalidInput([{ loc: ['body', 'url'], msg, type: 'url_parsing' }]);
}

/** Tools and schemas that come with the request. */
function checkDefinitions(organisation: Organisation, request: Readonly<Record<string, unknown>>): void {
  const problems = [
    ...checkTools(organisation, request),
    ...checkSchemas(organisation.setup.generators(), request),
  ];
  if (problems.length > 0) throw new InvalidInput(problems);
}

function checkAllowance(organisation: Organisation): void {
  const { account } = organisation;
  if (account.credits <= 0) {
    throw new ApiError(429, 'The credits are used up: buy some with POST /topup?amount=100 to go on.');
  }
  const most = planOf(account.plan).concurrent;
  if (organisation.dialect['limits.concurrent-sessions'] === 'by-plan' && organisation.activeTasks >= most) {
    throw new ApiError(
      429,
      `The plan "${account.plan}" allows ${most} tasks at a time: wait for one to finish.`,
    );
  }
  if (organisation.activeTasks >= organisation.setup.limits.activeTasks) {
    throw new ApiError(
      429,
      `This mock keeps ${organisation.setup.limits.activeTasks} active tasks in one organisation, and no more.`,
    );
  }
}

/** Profiles and files that the request names must be there; profiles need a paid plan. */
function checkReferences(organisation: Organisation, request: Readonly<Record<string, unknown>>): void {
  const profile = request.profile_id;
  if (typeof profile === 'string') {
    const { records, account } = organisation;
    if (!planOf(account.plan).premium) throw premiumOnly('Browser profiles');
    if (!records.profiles.has(profile)) {
      if (organisation.dialect['profile.unknown-in-task'] !== 'made') {
        throw new ApiError(404, `There is no profile ${quote(profile)}: create it first (POST /profile).`);
      }
      records.profiles.set(profile, newProfile(profile));
    }
  }
  const { dialect } = organisation;
  if (dialect['file.unknown-in-task'] !== 'ignored') {
    const file = missing(request.files, (id) => hasFile(organisation, id));
    if (file !== undefined)
      throw new ApiError(404, `There is no file ${quote(file)}: upload it first (POST /file).`);
  }
  if (dialect['extension.unknown-in-task'] !== 'ignored') {
    const extension = missing(request.extensions, (id) => organisation.records.extensions.has(id));
    if (extension !== undefined)
      throw new ApiError(
        404,
        `There is no extension ${quote(extension)}: upload it first (POST /extension).`,
      );
  }
}

/** The first of these ids that is not there. */
function missing(ids: unknown, isThere: (id: string) => boolean): string | undefined {
  return Array.isArray(ids) ? ids.map(String).find((id) => !isThere(id)) : undefined;
}

/** What a free plan has not got. */
export function premiumOnly(feature: string): ApiError {
  return new ApiError(
    403,
    `${feature} are a premium feature: not available on the free plan. Change it with POST /plan.`,
  );
}

function checkTools(organisation: Organisation, request: Readonly<Record<string, unknown>>): InputProblem[] {
  const names = toolNames(request);
  const most = Number(organisation.dialect['limits.custom-tools']);
  if (most > 0 && names.length > most) {
    return [
      {
        loc: ['body', 'custom_tools'],
        msg: `Expected at most ${most} tools, got ${names.length}.`,
        type: 'too_long',
      },
    ];
  }
  const seen = new Set<string>();
  const problems: InputProblem[] = [];
  names.forEach((name, index) => {
    if (seen.has(name)) {
      const msg = `Tool names are unique; "${name}" is there twice.`;
      problems.push({ loc: ['body', 'custom_tools', index, 'name'], msg, type: 'duplicate' });
    }
    seen.add(name);
  });
  return problems;
}

/** Looks at the schemas that a task request carries: `response_model` and the `inputs` of its tools. */
export function checkSchemas(
  generators: Generators,
  request: Readonly<Record<string, unknown>>,
): InputProblem[] {
  const problems: InputProblem[] = [];
  const look = (loc: (string | number)[], schema: unknown) => {
    const problem = generators.problem(schema);
    if (problem !== undefined)
      problems.push({ loc, msg: `Not a schema this service can use: ${problem}`, type: 'schema' });
  };
  const { response_model, custom_tools } = request;
  if (response_model !== null && response_model !== undefined)
    look(['body', 'response_model'], response_model);
  if (Array.isArray(custom_tools)) {
    custom_tools.forEach((tool, index) => {
      look(['body', 'custom_tools', index, 'inputs'], tool?.inputs);
    });
  }
  return problems;
}

/**
 * Which timeline a task follows, first hit wins: the header, a queued choice, a scenario that matches; otherwise
 * undefined, and the agent improvises.
 */
export function chooseScenario(
  start: Start,
  request: Readonly<Record<string, unknown>>,
): Scenario | undefined {
  const { organisation } = start;
  if (start.scenario !== undefined) {
    const named = byName(organisation, start.scenario);
    if (!named) {
      const meant = nearest(
        start.scenario,
        organisation.sources.flatMap((source) => source.names()),
      );
      throw new ApiError(
        400,
        `Header x-taskdouble-scenario names "${start.scenario.slice(0, 200)}", and no such scenario is loaded.${meant ? ` Did you mean ${meant}?` : ''} GET /__admin/scenarios lists them all.`,
      );
    }
    start.note(`follows scenario ${named.name} (header)`);
    return named;
  }
  const queued = organisation.queued.shift();
  if (queued !== undefined) {
    const named = byName(organisation, queued);
    if (named) {
      start.note(`follows scenario ${named.name} (queued)`);
      return named;
    }
    start.note(`the queued scenario ${queued} is not loaded any more`);
  }
  for (const source of organisation.sources) {
    const found = source.choose(request);
    if (found) {
      start.note(`follows scenario ${found.name} (match)`);
      return found;
    }
  }
  start.noteLater?.(organisation.explainMiss, request);
  return undefined;
}

function byName(organisation: Organisation, name: string): Scenario | undefined {
  for (const source of organisation.sources) {
    const found = source.byName(name);
    if (found) return found;
  }
  return undefined;
}

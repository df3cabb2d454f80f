import { listToolNames } from '../../scenarios/format/library/task-request.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { findNearest } from '../../spec/nearest.js';
import { quote } from '../../spec/show.js';
import { type Generators, type Organisation, readPlan } from '../engine/organisation.js';
import { addProfile } from '../engine/resources/profiles.js';
import { isOpenable } from '../engine/tasks/client-events.js';
import { createTask } from '../engine/tasks/lifecycle.js';
import { isServiceStep, type Misfit, type Task } from '../engine/tasks/task.js';
import { describeMisfits } from '../engine/tasks/view.js';
import { ApiError, createInputError, type InputProblem, InvalidInput } from '../exchange/errors.js';
import type { RequestContext } from '../pipeline/context.js';
import { hasFile } from './files.js';

type TaskParameters = Readonly<Record<string, unknown>>;

interface StartOptions {
  /** Default: that of the request. */
  organisation?: Organisation;
  /** Without a scenario, the task does nothing until `APPROVAL_GATE` is open. */
  waitsForApproval?: boolean;
}

/**
 * Starts a task for POST /task, a chat or an automation. Checks the permissions of the organisation and the
 * request, and chooses the timeline. Throws ApiError with 403, 404, 422 or 429.
 */
export function startTask(
  context: RequestContext,
  request: TaskParameters,
  { organisation = context.organisation, waitsForApproval = false }: StartOptions = {},
): Task {
  checkUrl(organisation, request.url);
  checkAllowance(organisation);
  checkProfile(organisation, request.profile_id);
  if (request.files || request.extensions) checkUploads(organisation, request);
  if (request.custom_tools || request.response_model) {
    const problems = [...checkTools(organisation, request), ...checkSchemas(organisation, request)];
    if (problems.length > 0) throw new InvalidInput(problems);
  }
  const { scenario, isNamed } = chooseScenario(context, organisation, request);
  const task = createTask(organisation, request, scenario, waitsForApproval);
  context.assignTask(task.id);
  const misfits = isNamed ? findMisfits(scenario, request, organisation.setup.getGenerators().isValid) : [];
  if (misfits.length > 0) {
    task.misfits = misfits;
    context.note(describeMisfits(task)!);
  }
  return task;
}

export function checkUrl(organisation: Organisation, url: unknown): void {
  if (typeof url !== 'string' || isOpenable(organisation, url)) return;
  const msg = 'Expected a URL with a scheme, such as https://example.com.';
  throw createInputError(['body', 'url'], msg, 'url_parsing');
}

function checkAllowance({ account, dialect, activeTasks, setup: { limits } }: Organisation): void {
  if (account.credits <= 0)
    throw new ApiError(429, 'The credits are used up: buy some with POST /topup?amount=100 to go on.');
  const most = readPlan(account.plan).concurrent;
  if (dialect['limits.concurrent-sessions'] === 'by-plan' && activeTasks >= most) {
    const detail = `The plan "${account.plan}" allows ${most} tasks at a time: wait for one to finish.`;
    throw new ApiError(429, detail);
  }
  if (activeTasks >= limits.activeTasks) {
    const detail = `This mock keeps ${limits.activeTasks} active tasks in one organisation, and no more.`;
    throw new ApiError(429, detail);
  }
}

function checkProfile(organisation: Organisation, id: unknown): void {
  if (typeof id !== 'string') return;
  checkPremium(organisation);
  if (organisation.records.profiles.has(id)) return;
  if (organisation.dialect['profile.unknown-in-task'] !== 'made')
    throw new ApiError(404, `There is no profile ${quote(id)}: create it first (POST /profile).`);
  addProfile(organisation, id);
}

function checkUploads(organisation: Organisation, request: TaskParameters): void {
  const check = (kind: 'file' | 'extension', ids: unknown, has: (id: string) => boolean) => {
    if (!Array.isArray(ids) || organisation.dialect[`${kind}.unknown-in-task`] === 'ignored') return;
    const missing = ids.map(String).find((id) => !has(id));
    if (missing !== undefined)
      throw new ApiError(404, `There is no ${kind} ${quote(missing)}: upload it first (POST /${kind}).`);
  };
  check('file', request.files, (id) => hasFile(organisation, id));
  check('extension', request.extensions, (id) => organisation.records.extensions.has(id));
}

/** Throws ApiError 403 on a plan without `feature` (open point `errors.premium-features`). */
export function checkPremium({ account }: Organisation, feature = 'Browser profiles'): void {
  if (readPlan(account.plan).premium) return;
  const detail = `${feature} are a premium feature: not available on the free plan. Change it with POST /plan.`;
  throw new ApiError(403, detail);
}

function checkTools({ dialect }: Organisation, request: TaskParameters): InputProblem[] {
  const names = listToolNames(request);
  const most = Number(dialect['limits.custom-tools']);
  if (most > 0 && names.length > most) {
    const msg = `Expected at most ${most} tools, got ${names.length}.`;
    return [{ loc: ['body', 'custom_tools'], msg, type: 'too_long' }];
  }
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (seen.size < seen.add(name).size) return [];
    const msg = `Tool names are unique; "${name}" is there twice.`;
    return [{ loc: ['body', 'custom_tools', index, 'name'], msg, type: 'duplicate' }];
  });
}

/** Checks the schemas in a task request: `response_model` and the `inputs` of its tools. */
function checkSchemas(
  { setup }: Organisation,
  { response_model, custom_tools }: TaskParameters,
): InputProblem[] {
  const check = (schema: unknown, loc: InputProblem['loc'], type?: 'object'): InputProblem[] => {
    const problem = setup.getGenerators().findProblem(schema, type);
    if (problem === undefined) return [];
    const why = type === 'object' ? '. The input of a tool call is an object' : '';
    return [{ loc, msg: `Not a schema this service can use: ${problem}${why}.`, type: 'schema' }];
  };
  const hasModel = response_model !== null && response_model !== undefined;
  const tools = Array.isArray(custom_tools) ? custom_tools : [];
  return [
    ...(hasModel ? check(response_model, ['body', 'response_model']) : []),
    ...tools.flatMap((tool, index) =>
      check(tool?.inputs, ['body', 'custom_tools', index, 'inputs'], 'object'),
    ),
  ];
}

type ScenarioChoice =
  | { scenario: Scenario; isNamed: true }
  | { scenario: Scenario | undefined; isNamed: false };

/**
 * Chooses the scenario of a task; the first hit wins: the header, a queued choice, a matching scenario.
 * Undefined: the agent improvises.
 */
function chooseScenario(
  context: RequestContext,
  organisation: Organisation,
  request: TaskParameters,
): ScenarioChoice {
  const { sources, queued } = organisation;
  const find = (get: (source: (typeof sources)[number]) => Scenario | undefined, how: string) => {
    for (const source of sources) {
      const found = get(source);
      if (!found) continue;
      context.note(`follows scenario ${found.name} (${how})`);
      return found;
    }
    return undefined;
  };
  const { scenario: header } = context;
  if (header !== undefined) {
    const named = find((source) => source.findByName(header), 'header');
    if (named) return { scenario: named, isNamed: true };
    const all = sources.flatMap((source) => source.listNames());
    const meant = findNearest(header, all);
    const advice = `${meant ? ` Did you mean ${meant}?` : ''} GET /__admin/scenarios lists them all.`;
    const detail = `Header x-taskdouble-scenario names "${header.slice(0, 200)}", and no such scenario is loaded.${advice}`;
    throw new ApiError(400, detail);
  }
  const next = queued.shift();
  if (typeof next === 'object') {
    context.note(`follows scenario ${next.name} (queued)`);
    return { scenario: next, isNamed: true };
  }
  if (next !== undefined) {
    const named = find((source) => source.findByName(next), 'queued');
    if (named) return { scenario: named, isNamed: true };
    context.note(`the queued scenario ${next} is not loaded any more`);
  }
  const matching = find((source) => source.choose(request), 'match');
  if (!matching) context.noteLater(organisation.explainMiss, request);
  return { scenario: matching, isNamed: false };
}

function findMisfits(
  { request: own, timeline }: Scenario,
  request: Readonly<Record<string, unknown>>,
  fits: Generators['isValid'],
): Misfit[] {
  const misfits: Misfit[] = [];
  const add = (requirement: string, problem: string, remedy: string) =>
    misfits.push({ requirement, message: `${problem}: ${remedy}, or choose another scenario.` });

  const isSession = typeof request.task !== 'string';
  if (typeof own.task === 'string' && isSession)
    add('TASK-10', 'it is for a task with a text, and the request opens a session', 'send a text in "task"');
  if (typeof own.task !== 'string' && !isSession)
    add('TASK-10', 'it is for a session, and the request has a text in "task"', 'send null in "task"');

  const registered = listToolNames(request);
  // A client made for such a scenario does not register the tool.
  const unknown = timeline.flatMap((step) =>
    'client' in step && step.client === 'reply' && step.unknown_tool ? [step.to] : [],
  );
  const calls = timeline.filter((step) => isServiceStep(step, 'tool_call'));
  const called = calls.flatMap(({ id, tool }) => (id !== undefined && unknown.includes(id) ? [] : [tool]));
  const missing = [...new Set(called)].filter((tool) => !registered.includes(tool));
  if (missing.length > 0) {
    const tools = registered.map(quote).join(', ') || 'none';
    const problem = `it calls ${missing.map(quote).join(', ')}, and the tools of the request are: ${tools}`;
    add('TOOL-11', problem, 'register what it calls in "custom_tools"');
  }

  const model = request.response_model ?? undefined;
  const finishes = timeline.filter((step) => isServiceStep(step, 'finish'));
  const outputs = finishes.filter(({ status = 'done' }) => status === 'done');
  // The values of templates depend on the client.
  const isFixed = outputs.every((step) => 'output' in step && !JSON.stringify(step.output).includes('{{'));
  if (
    model !== undefined &&
    outputs.length > 0 &&
    isFixed &&
    !outputs.some(({ output }) => fits(model, output))
  )
    add(
      'TASK-04',
      'its output does not satisfy the "response_model" of the request',
      'send the "response_model" of the scenario',
    );
  return misfits;
}

import { parseDuration } from '../../../spec/duration.js';
import { validators } from '../../../spec/generated/validators.js';
import { findByPointer } from '../../../spec/json.js';
import { parsePath } from '../../../spec/json-schema/violations.js';
import { compilePattern } from '../../../spec/linear-pattern.js';
import { formatSuggestion } from '../../../spec/nearest.js';
import { show } from '../../../spec/show.js';
import { checkActs, checkTimeline } from '../check/check-timeline.js';
import { checkFrame, checkStep, type RawStep } from '../check/schema-check.js';
import { deriveMatch, listToolNames, type TaskRequest } from '../library/task-request.js';
import { buildRule } from '../network/rule.js';
import type { Problem, Scenario, Step, Trigger } from '../types.js';
import { expandReferences, type ReferenceReader } from './references.js';
import { Source, type Violation } from './source.js';

/** Options for loading a scenario from its text. */
export interface LoadOptions {
  /** Path of the file, for messages. */
  file: string;
  /** Address of the scenario: `tool-calls/corrected-input`. */
  name: string;
  /** Loads the target of a `$ref`. Without it, a `$ref` is a problem. */
  read?: ReferenceReader;
  /** Ids that `covers` may name; any without it. */
  requirements?: ReadonlySet<string>;
  /** The text represents an object: problems contain the path in it. */
  isObject?: boolean;
}

const MOST_PROBLEMS = 100;

/**
 * Reads one scenario from YAML or JSON. Without a `scenario`, `problems` lists every problem in the order of the file. Other
 * files are read only through `read`.
 */
export function loadScenarioText(
  text: string,
  options: LoadOptions,
): { scenario?: Scenario; problems: Problem[] } {
  const { source, problems } = Source.read(text, options.file, options.isObject);
  if (!source || problems.length > 0) return { problems };
  const raw = source.value;
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) {
    return { problems: source.toProblems(checkFrame(raw)) };
  }
  const given = raw as Record<string, unknown>;
  const { value: request, problems: unread } = expandReferences(
    source,
    ['request'],
    given.request,
    options.read,
  );
  const frame = { ...given, ...('request' in given && { request }) };
  const steps: unknown[] = Array.isArray(given.timeline) ? given.timeline : [];
  const violations = [
    ...checkFrame(frame),
    ...checkMatch(given.match),
    ...checkCovers(given.covers, options.requirements),
  ];
  // Otherwise the API's schema would repeat the problems of the file's schema.
  if ('request' in given && unread.length === 0 && !violations.some(({ path }) => path[0] === 'request'))
    violations.push(...checkRequest(request));
  const accepted = steps.map((step, index) => {
    const found = checkStep(step, ['timeline', index]);
    violations.push(...found);
    return found.length === 0 ? (step as RawStep) : undefined;
  });
  const tools = unread.length === 0 ? listToolNames((request ?? {}) as TaskRequest) : undefined;
  violations.push(...checkTimeline(accepted, steps, tools), ...checkActs(accepted, request));
  const all = [...unread, ...source.toProblems(violations)];
  if (all.length > 0) return { problems: sortProblems(all, options.file) };
  return { scenario: buildScenario(source, frame, accepted as RawStep[], options), problems: [] };
}

function buildScenario(
  source: Source,
  raw: Record<string, unknown>,
  steps: RawStep[],
  { file, name }: LoadOptions,
): Scenario {
  const {
    title,
    description,
    covers = [],
    match,
    request,
    task_id,
    asks,
    exposes,
    optional_fields,
    other_job,
    reproduces,
  } = raw as unknown as Scenario;
  const usedIds = new Set(steps.map((step) => step.id));
  let count = 0;
  const createId = () => {
    do count++;
    while (usedIds.has(`action-${count}`));
    return `action-${count}`;
  };
  return {
    name,
    title,
    ...(description !== undefined && { description: description.trim() }),
    covers,
    match: match ?? deriveMatch(request),
    request,
    ...(task_id !== undefined && { task_id }),
    ...(asks && { asks }),
    ...(exposes && { exposes }),
    ...(optional_fields && { optional_fields }),
    ...(other_job && { other_job }),
    ...(reproduces && { reproduces }),
    timeline: steps.map((step, index) => buildStep(step, source.locate(['timeline', index]).line, createId)),
    file,
  };
}

/** Converts a valid step to its loaded form: shorthands expanded, durations in ms. */
export function buildStep(raw: RawStep, line: number, createId: () => string): Step {
  const step: Record<string, unknown> = { ...('network' in raw ? buildRule(raw) : raw) };
  if (raw.after !== undefined) step.after = buildTrigger(raw.after);
  if (raw.if !== undefined) {
    const { reply, code } = raw.if as { reply: string; code: unknown };
    step.if = { reply, code: [code].flat() };
  }
  // Actions of the client are identified by the id of their step.
  if (raw.client === 'action' || raw.client === 'close') step.id ??= createId();
  step.line = line;
  return step as unknown as Step;
}

function buildTrigger(after: unknown): Trigger {
  if (typeof after === 'string' || typeof after === 'number') {
    const polls = /^(\d+) polls?$/.exec(String(after));
    return polls ? { polls: Number(polls[1]) } : { time_ms: parseDuration(after)! };
  }
  const { time, ...rest } = after as Trigger & { time?: unknown };
  return time === undefined ? rest : { time_ms: parseDuration(time)!, ...rest };
}

/** Problems that the API would refuse with 422: schema TaskRequest, and unique names of tools. */
function checkRequest(request: unknown): Violation[] {
  const [problem] = validators.TaskRequest(request) ?? [];
  if (!problem) return checkToolNames(request);
  const path = ['request', ...parsePath(problem.instancePath)];
  const allowed = (problem.params.allowedValues as unknown[] | undefined)?.map(String).join(', ');
  const expected = `${problem.message}${allowed === undefined ? '' : `: ${allowed}`}`;
  const found = show(findByPointer(request, problem.instancePath));
  return [{ path, message: `${path.join('.')}: the API refuses this: ${expected}; found ${found}` }];
}

function checkToolNames(request: unknown): Violation[] {
  const tools = (request as { custom_tools?: { name: string }[] | null }).custom_tools ?? [];
  return tools.flatMap(({ name }, index) => {
    if (tools.findIndex((other) => other.name === name) === index) return [];
    const message = `name: expected a name of its own, found "${name}", which another tool above has already`;
    return [{ path: ['request', 'custom_tools', index, 'name'], message }];
  });
}

function checkMatch(match: unknown): Violation[] {
  const pattern = (match as { task?: { pattern?: unknown } } | undefined)?.task?.pattern;
  if (typeof pattern !== 'string') return [];
  const compiled = compilePattern(pattern);
  if (typeof compiled !== 'string') return [];
  const message = `match.task.pattern: expected a regular expression in linear-time syntax (no look-around, no back-references), found ${JSON.stringify(pattern)}: ${compiled}`;
  return [{ path: ['match', 'task', 'pattern'], message }];
}

function checkCovers(covers: unknown, requirements: ReadonlySet<string> | undefined): Violation[] {
  if (!requirements || !Array.isArray(covers)) return [];
  return covers.flatMap((id, index) => {
    if (typeof id !== 'string' || requirements.has(id)) return [];
    const advice = formatSuggestion(id, requirements, 'see requirements.yaml');
    return [{ path: ['covers', index], message: `covers: there is no requirement "${id}"${advice}` }];
  });
}

function sortProblems(problems: Problem[], file: string): Problem[] {
  const rank = (problem: Problem) => (problem.file === file ? 0 : 1);
  problems.sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
  const left = problems.splice(MOST_PROBLEMS);
  return left[0] ? [...problems, { ...left[0], message: `and ${left.length} problems more` }] : problems;
}

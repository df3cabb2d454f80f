import { Document, type Node, visit } from 'yaml';
import { formatDuration } from '../../spec/duration.js';
import { deriveMatch } from './library/task-request.js';
import { writeRule } from './network/rule.js';
import type { Scenario, ServiceStep, Step, Trigger } from './types.js';

/** Quoted texts stay on one line: a blank at the beginning of a continuation line would be lost. */
const IN_LINES = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY };

type WrittenStep = Record<string, unknown>;

/** A value in a step is written on one line up to this length as JSON, in characters. */
const LONGEST_ON_A_LINE = 90;

/** Comments of a file. */
export interface WriteOptions {
  /** Comes first. */
  comment?: string;
  /** Above steps, by their index in the timeline. */
  stepComments?: ReadonlyMap<number, string>;
}

/**
 * Writes a YAML file that loads as the same scenario: `$ref`s are expanded, durations have units. A scenario that matches every
 * request (`match: {}`, which files do not support) is written without a match.
 */
export function writeScenario(scenario: Scenario, { comment, stepComments }: WriteOptions = {}): string {
  const { title, description, reproduces, covers, match, request, task_id, timeline } = scenario;
  const isDerived = isSameJson(match, deriveMatch(request)) || (match !== 'never' && isEmpty(match));
  const document = new Document(
    {
      title,
      description,
      reproduces,
      covers: covers.length === 0 ? undefined : covers,
      match: isDerived ? undefined : match,
      request,
      task_id,
      asks: scenario.asks,
      exposes: scenario.exposes,
      optional_fields: scenario.optional_fields,
      other_job: scenario.other_job,
      timeline: timeline.map(writeStep),
    },
    // Write each value in place, also if two are the same object in memory.
    { aliasDuplicateObjects: false },
  );
  layOut(document);
  for (const [index, text] of stepComments ?? []) {
    const node = document.getIn(['timeline', index], true) as Node;
    node.commentBefore = text.replace(/^/gm, ' ');
  }
  const head = comment?.split(/\r\n|[\r\n]/).map((line) => `# ${line}`.trimEnd());
  return [...(head ?? []), document.toString(IN_LINES)].join('\n');
}

function writeStep(step: Step): WrittenStep {
  const { id, after, if: condition, meanwhile, line: _line, ...rest } = step;
  const actor = 'service' in step ? 'service' : 'client' in step ? 'client' : 'network';
  const { [actor]: verb, ...keys } = rest as WrittenStep;
  return {
    [actor]: verb,
    id,
    ...(actor === 'network' ? writeRule(keys) : keys),
    after: after && writeTrigger(after),
    if: condition && { ...condition, code: condition.code.length === 1 ? condition.code[0] : condition.code },
    meanwhile,
  };
}

function writeTrigger({ time_ms, ...rest }: Trigger): unknown {
  const { polls } = rest;
  const isPlain = isEmpty({ ...rest, polls: undefined });
  if (time_ms === undefined && isPlain) return polls && `${polls} ${polls === 1 ? 'poll' : 'polls'}`;
  if (time_ms === undefined) return rest;
  return isEmpty(rest) ? formatDuration(time_ms) : { time: formatDuration(time_ms), ...rest };
}

/** Writes ids and short mappings and lists on one line, but for the request, the timeline and its steps. */
function layOut(document: Document): void {
  const [request, timeline, covers] = ['request', 'timeline', 'covers'].map((key) => document.get(key, true));
  visit(document, {
    Collection(_key, node, path) {
      const isFrame = [document.contents, request, timeline].includes(node) || path.at(-1) === timeline;
      if (isFrame) return undefined;
      const isLong = JSON.stringify(node.toJS(document)).length > LONGEST_ON_A_LINE;
      if (isLong && node !== covers) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
}

function isEmpty(value: object): boolean {
  return Object.values(value).every((each) => each === undefined);
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Adds an id to every service step without one, so that a network step can name it: `call-get_weather`, `result-open`, `finish`,
 * with a number if the id is taken.
 */
export function addStepIds(scenario: Scenario): Scenario {
  const usedIds = new Set<unknown>(
    scenario.timeline.flatMap((step) => [step.id, 'event_id' in step ? step.event_id : undefined]),
  );
  const timeline = scenario.timeline.map((step): Step => {
    if (!('service' in step) || step.id !== undefined) return step;
    const name = formatStepId(step)
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .slice(0, LONGEST);
    let id = name;
    for (let n = 2; usedIds.has(id); n++) id = `${name}-${n}`;
    usedIds.add(id);
    return { ...step, id };
  });
  return { ...scenario, timeline };
}

/** Below what the format allows, with room for a number. */
const LONGEST = 90;

function formatStepId(step: ServiceStep): string {
  switch (step.service) {
    case 'tool_call':
      return `call-${step.tool}`;
    case 'result':
      return `result-${step.to}`;
    case 'status':
      return step.status;
    case 'open':
      return `open-${step.gate}`;
    default:
      return step.service;
  }
}

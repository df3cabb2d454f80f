import { formatSuggestion } from '../../../spec/nearest.js';
import { ACTIONS } from '../../../spec/vocabulary.js';
import type { Path, Violation } from '../load/source.js';
import { checkRule, listTargets, readSubjectKind } from '../network/check-rule.js';
import { type RawStep, StepIndex, type StepKind } from './schema-check.js';

/**
 * Checks beyond the schema: names refer to something, no step waits for one that cannot happen,
 * tools are registered. `steps`: the valid steps, undefined for others; `all` includes the invalid ones, so
 * that their ids are known. Without `tools`, names of tools are not checked.
 */
export function checkTimeline(
  steps: readonly (RawStep | undefined)[],
  all: readonly unknown[],
  tools: readonly string[] | undefined,
): Violation[] {
  const known = new StepIndex(all);
  const violations = [...known.duplicates, ...findUnreachable(steps)];
  for (const [index, step] of steps.entries()) {
    if (!step) continue;
    const path = ['timeline', index];
    violations.push(...checkNames(step, index, path, known));
    if (step.service === 'tool_call' && tools) violations.push(...checkTool(step, path, tools));
    if (step.network !== undefined)
      violations.push(...checkRule(step, path), ...checkTargets(step, path, known));
    if (step.service === undefined) continue;
    for (const key of ['input', 'output', 'payload'])
      violations.push(...checkTemplates(step[key], [...path, key], known));
  }
  return violations;
}

function checkNames(step: RawStep, index: number, path: Path, known: StepIndex): Violation[] {
  const check = (id: unknown, kind: StepKind, ...keys: string[]): Violation[] => {
    const violations = known.check(id, kind, [...path, ...keys]);
    if (violations.length > 0 || step.meanwhile === true || !known.isBelow(id, index)) return violations;
    const message = `${keys.join('.')}: step "${id}" stands below this one, which would wait for it for ever; move it up, or make this step \`meanwhile: true\``;
    return [{ path: [...path, ...keys], message }];
  };
  const after = (step.after ?? {}) as RawStep;
  return [
    ...(step.client === 'reply' ? check(step.to, 'call', 'to') : []),
    ...(step.service === 'result' ? check(step.to, 'action', 'to') : []),
    ...check(after.reply, 'call', 'after', 'reply'),
    ...check(after.step, 'any', 'after', 'step'),
    ...check((step.if as RawStep | undefined)?.reply, 'call', 'if', 'reply'),
  ];
}

function checkTargets(step: RawStep, path: Path, known: StepIndex): Violation[] {
  const until = step.until as RawStep | undefined;
  const violations = known.check(until?.step, 'any', [...path, 'until', 'step']);
  for (const { target, at } of listTargets(step, path)) {
    const { reply, action, step: event } = target as RawStep;
    violations.push(...known.check(reply, 'call', [...at, 'reply']));
    violations.push(...known.check(event, readSubjectKind(step), [...at, 'step']));
    if (!Object.hasOwn(ACTIONS, String(action)))
      violations.push(...known.check(action, 'action', [...at, 'action']));
  }
  return violations;
}

function checkTool({ tool }: RawStep, path: Path, tools: readonly string[]): Violation[] {
  if (tools.includes(String(tool))) return [];
  const available = tools.length === 0 ? 'there are none' : `there are ${tools.join(', ')}`;
  const advice = formatSuggestion(tool, tools, available);
  const message = `tool: expected one of request.custom_tools, found "${tool}"${advice}`;
  return [{ path: [...path, 'tool'], message }];
}

/** Service steps that can follow the end of a task: late addresses and gates. */
const ALLOWED_AFTER_FINISH = ['recording_url', 'downloads_url', 'open'];

function findUnreachable(steps: readonly (RawStep | undefined)[]): Violation[] {
  const end = steps.findIndex((step) => step !== undefined && isEndingStep(step));
  if (end < 0) return [];
  const what = String(steps[end]!.service ?? steps[end]!.client);
  return steps.flatMap((step, index) => {
    if (
      !step ||
      index <= end ||
      step.service === undefined ||
      ALLOWED_AFTER_FINISH.includes(String(step.service))
    )
      return [];
    const message = `step service: ${String(step.service)} can never happen: the ${what} above it ends the task; remove it, move it up, or give the ${what} an \`if\``;
    return [{ path: ['timeline', index], message }];
  });
}

function isEndingStep(step: RawStep): boolean {
  if (step.meanwhile === true || step.if !== undefined) return false;
  return (
    step.service === 'finish' || step.client === 'cancel' || (step.client === 'close' && step.by === 'delete')
  );
}

const TEMPLATE = /\{\{\s*([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)[\w.-]*\s*\}\}/g;
const FIELDS = { call: ['code', 'output'], action: ['name', 'input'] } as const;

/** Templates like `{{first.output.temp_c}}` in what the service sends must lead to a call's reply or to an action. */
function checkTemplates(value: unknown, path: Path, known: StepIndex): Violation[] {
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, item]) => checkTemplates(item, [...path, key], known));
  if (typeof value !== 'string') return [];
  return [...value.matchAll(TEMPLATE)].flatMap(([template, id = '', field = '']) => {
    const kind = (['call', 'action'] as const).find((each) => known.listIds(each).includes(id));
    const fields: readonly string[] = kind ? FIELDS[kind] : [];
    if (fields.includes(field)) return [];
    const advice = formatSuggestion(
      id,
      [...known.listIds('call'), ...known.listIds('action')],
      'give that step this `id`',
    );
    const problem = kind
      ? `expected ${fields.join(' or ')} after "${id}.", found "${field}"`
      : `expected the id of a tool_call or an action before the dot, found "${id}"${advice}`;
    return [{ path, message: `${template}: ${problem}` }];
  });
}

/** Reports session actions in the timeline of a one-shot task: the API responds to them with 400. */
export function checkActs(steps: readonly (RawStep | undefined)[], request: unknown): Violation[] {
  const task = (request as { task?: unknown } | null | undefined)?.task;
  if (typeof task !== 'string') return [];
  return steps.flatMap((step, index) => {
    const isAct = step?.client === 'action' || (step?.client === 'close' && step.by !== 'delete');
    if (!isAct) return [];
    const instead = step.client === 'close' ? '; to stop the task write client: cancel' : '';
    const message = `step client: ${String(step.client)} belongs to sessions, and this is a one-shot task: the API responds with 400. Set request.task to null for a session${instead}`;
    return [{ path: ['timeline', index], message }];
  });
}

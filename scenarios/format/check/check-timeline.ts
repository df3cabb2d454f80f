import { nearest } from '../../../spec/nearest.js';
import { ACTIONS } from '../../../spec/vocabulary.js';
import type { Path, Violation } from '../load/source.js';
import { type RawStep, type StepKind, Steps } from '../load/steps.js';
import { checkRule, subjectOf, targetsOf } from '../network/check-rule.js';
import { checkTemplates } from './check-templates.js';

/**
 * What no schema can say about a timeline: that names lead somewhere, that no step waits for one that cannot come, that
 * tools are registered. `steps` are those that their schema has accepted, the others undefined; `all` has these too, so
 * that their ids are known. Without `tools` their names are not looked at.
 */
export function checkTimeline(
  steps: readonly (RawStep | undefined)[],
  all: readonly unknown[],
  tools: readonly string[] | undefined,
): Violation[] {
  const known = new Steps(all);
  const violations = [...known.duplicates(), ...findUnreachable(steps)];
  steps.forEach((step, index) => {
    if (!step) return;
    const path = ['timeline', index];
    violations.push(...checkNames(step, index, path, known));
    if (step.service === 'tool_call' && tools) violations.push(...checkTool(step, path, tools));
    if (step.network !== undefined)
      violations.push(...checkRule(step, path), ...checkTargets(step, path, known));
    violations.push(...checkTemplates(step, path, known));
  });
  return violations;
}

function checkNames(step: RawStep, index: number, path: Path, known: Steps): Violation[] {
  const violations: Violation[] = [];
  const look = (id: unknown, kind: StepKind, keys: Path, mustPrecede: boolean) => {
    if (typeof id !== 'string') return;
    const at = [...path, ...keys];
    const violation = known.find(id, kind, at);
    if (violation) violations.push(violation);
    else if (mustPrecede && known.isBelow(id, index)) {
      const message = `${keys.join('.')}: step "${id}" stands below this one, which would wait for it for ever; move it up, or make this step \`meanwhile: true\``;
      violations.push({ path: at, message });
    }
  };
  const inOrder = step.meanwhile !== true;
  const after = (step.after ?? {}) as Record<string, unknown>;
  if (step.client === 'reply') look(step.to, 'call', ['to'], inOrder);
  if (step.service === 'result') look(step.to, 'action', ['to'], inOrder);
  look(after.reply, 'call', ['after', 'reply'], inOrder);
  look(after.step, 'any', ['after', 'step'], inOrder);
  look((step.if as Record<string, unknown> | undefined)?.reply, 'call', ['if', 'reply'], inOrder);
  return violations;
}

function checkTargets(step: RawStep, path: Path, known: Steps): Violation[] {
  const violations: (Violation | undefined)[] = [];
  const until = step.until as Record<string, unknown> | undefined;
  if (typeof until?.step === 'string')
    violations.push(known.find(until.step, 'any', [...path, 'until', 'step']));
  for (const { target, at } of targetsOf(step, path)) {
    const { reply, action, step: event } = target as Record<string, unknown>;
    if (typeof reply === 'string') violations.push(known.find(reply, 'call', [...at, 'reply']));
    if (typeof event === 'string') violations.push(known.find(event, subjectOf(step), [...at, 'step']));
    if (typeof action === 'string' && !Object.hasOwn(ACTIONS, action)) {
      violations.push(known.find(action, 'action', [...at, 'action']));
    }
  }
  return violations.filter((violation) => violation !== undefined);
}

function checkTool(step: RawStep, path: Path, tools: readonly string[]): Violation[] {
  const tool = String(step.tool);
  if (tools.includes(tool)) return [];
  const meant = nearest(tool, tools);
  const there = tools.length === 0 ? 'there are none' : `there are ${tools.join(', ')}`;
  const advice = meant === undefined ? there : `did you mean ${meant}?`;
  return [
    {
      path: [...path, 'tool'],
      message: `tool: expected one of request.custom_tools, found "${tool}"; ${advice}`,
    },
  ];
}

/** Steps that a task which has ended still performs: addresses that come late, what goes wrong, what the client does. */
const AFTER_THE_END = ['recording_url', 'downloads_url', 'open'];

function findUnreachable(steps: readonly (RawStep | undefined)[]): Violation[] {
  const end = steps.findIndex((step) => step !== undefined && ends(step));
  if (end < 0) return [];
  const what =
    steps[end]!.service !== undefined ? 'finish' : steps[end]!.client === 'close' ? 'close' : 'cancel';
  return steps.flatMap((step, index) => {
    if (!step || index <= end || step.service === undefined || AFTER_THE_END.includes(String(step.service)))
      return [];
    const message = `step service: ${String(step.service)} can never happen: the ${what} above it ends the task; remove it, move it up, or give the ${what} an \`if\``;
    return [{ path: ['timeline', index], message }];
  });
}

function ends(step: RawStep): boolean {
  if (step.meanwhile === true || step.if !== undefined) return false;
  return (
    step.service === 'finish' || step.client === 'cancel' || (step.client === 'close' && step.by === 'delete')
  );
}

import { formatDuration } from '../../spec/duration.js';
import { listToolNames } from './library/task-request.js';
import { describeRule } from './network/rule.js';
import { drawMermaid, type SequenceLine } from './sequence-diagram.js';
import type { ClientStep, Scenario, ServiceStep, Step, Trigger } from './types.js';

/** A Mermaid sequence diagram of a scenario. */
export function draw(scenario: Scenario): string {
  return drawMermaid(buildSequenceLines(scenario), { title: scenario.title });
}

/** The lines of the diagram: requests and events in order, conditions, and network rules. */
export function buildSequenceLines(scenario: Scenario): SequenceLine[] {
  const lines: SequenceLine[] = [
    { kind: 'request', text: describeRequest(scenario.request) },
    { kind: 'response', text: 'task accepted' },
  ];
  let condition: string | undefined;
  for (const step of scenario.timeline) {
    const wanted = step.if && `reply to ${step.if.reply} has code ${step.if.code.join(' or ')}`;
    if (wanted !== condition) {
      if (condition !== undefined) lines.push({ kind: 'end' });
      if (wanted !== undefined) lines.push({ kind: 'if', text: wanted });
      condition = wanted;
    }
    lines.push(...buildStepLines(step, scenario));
  }
  if (condition !== undefined) lines.push({ kind: 'end' });
  return lines;
}

function buildStepLines(step: Step, scenario: Scenario): SequenceLine[] {
  const wait = [step.meanwhile ? 'meanwhile' : '', step.after ? describeTrigger(step.after) : '']
    .filter(Boolean)
    .join(', ');
  if ('network' in step) {
    const text = `network: ${describeRule(step)}`;
    return [{ kind: 'note', over: 'both', text: wait ? `${text} (${wait})` : text }];
  }
  const isService = 'service' in step;
  const line: SequenceLine = isService
    ? buildServiceLine(step, scenario)
    : { kind: 'request', text: describeClient(step, scenario) };
  return wait === '' ? [line] : [{ kind: 'note', over: isService ? 'service' : 'client', text: wait }, line];
}

/** The client reads events with its next poll. */
function buildServiceLine(step: ServiceStep, { timeline }: Scenario): SequenceLine {
  const toEvent = (text: string): SequenceLine => ({ kind: 'event', text });
  const toNote = (text: string): SequenceLine => ({ kind: 'note', over: 'service', text });
  switch (step.service) {
    case 'status':
      return toNote(`status ${step.status}`);
    case 'tool_call':
      return toEvent(`tool_call ${step.tool}${formatJson(step.input)}`);
    case 'result':
      return toEvent(
        `result ${step.code ?? 200} of ${formatStepName(step.to, timeline)}${formatJson(step.output)}`,
      );
    case 'event':
      return toEvent(`event ${step.name}${formatJson(step.payload)}`);
    case 'live_url':
    case 'recording_url':
    case 'downloads_url':
      return toNote(`${step.service} ${(step.value ?? 'not ready') || 'not available'}`);
    case 'open':
      return toNote(`gate ${step.gate} opens`);
    case 'finish':
      return toEvent(`task ${step.status ?? 'done'}${formatJson(step.output)}`);
  }
}

function describeClient(step: ClientStep, { timeline }: Scenario): string {
  switch (step.client) {
    case 'reply': {
      const unknown = step.unknown_tool ? ' (a tool that it does not have)' : '';
      const to = `to ${formatStepName(step.to, timeline)}${formatJson(step.output)}${unknown}`;
      return step.code === undefined ? `reply ${to}` : `reply ${step.code} ${to}`;
    }
    case 'action':
      return `${step.name}${formatJson(step.input)}`;
    case 'close':
      return step.by === 'delete' ? 'close (DELETE)' : 'close';
    case 'cancel':
      return 'cancel (DELETE)';
    case 'poll':
      return step.times === undefined || step.times === 1 ? 'poll' : `poll, ${step.times} times`;
  }
}

/** What the step of this id calls or does, with the id where that is not clear. */
function formatStepName(id: string, timeline: readonly Step[]): string {
  const step = timeline.find((each) => each.id === id);
  const what = step && findSubject(step);
  if (what === undefined) return id;
  return timeline.filter((each) => findSubject(each) === what).length > 1 ? `${what} (${id})` : what;
}

/** The tool that a step calls, or the action that it is. */
function findSubject(step: Step): string | undefined {
  if ('service' in step) return step.service === 'tool_call' ? step.tool : undefined;
  if (!('client' in step)) return undefined;
  return step.client === 'action' ? step.name : step.client === 'close' ? 'close' : undefined;
}

function describeTrigger(after: Trigger): string {
  const parts: string[] = [];
  if (after.time_ms !== undefined) parts.push(`${formatDuration(after.time_ms)} later`);
  if (after.polls !== undefined) parts.push(`after ${after.polls} ${after.polls === 1 ? 'poll' : 'polls'}`);
  if (after.gate !== undefined) parts.push(`once gate ${after.gate} is open`);
  if (after.reply !== undefined) parts.push(`once ${after.reply} has its reply`);
  if (after.step !== undefined) parts.push(`once ${after.step} has happened`);
  return parts.join(', ');
}

function describeRequest(request: Readonly<Record<string, unknown>>): string {
  const what = typeof request.task === 'string' ? JSON.stringify(request.task) : 'session';
  const url = typeof request.url === 'string' ? ` at ${request.url}` : '';
  const tools = listToolNames(request);
  return `POST /task ${what}${url}${tools.length > 0 ? ` with ${tools.join(', ')}` : ''}`;
}

function formatJson(value: unknown): string {
  return value === undefined ? '' : ` ${JSON.stringify(value)}`;
}

import { formatDuration } from './duration.js';
import { toolNames } from './library/match.js';
import { describeRule } from './network/rule.js';
import { drawMermaid, type SequenceLine } from './sequence-diagram.js';
import type { ClientStep, Scenario, ServiceStep, Step, Trigger } from './types.js';

/** A Mermaid sequence diagram of a scenario. */
export function draw(scenario: Scenario): string {
  return drawMermaid(sequenceLinesOf(scenario), { title: scenario.title });
}

/** The lines of the diagram: requests and events in order, conditions, and network rules. */
export function sequenceLinesOf(scenario: Scenario): SequenceLine[] {
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
    lines.push(...linesOfStep(step, scenario));
  }
  if (condition !== undefined) lines.push({ kind: 'end' });
  return lines;
}

function linesOfStep(step: Step, scenario: Scenario): SequenceLine[] {
  const wait = [step.meanwhile ? 'meanwhile' : '', step.after ? describeTrigger(step.after) : '']
    .filter(Boolean)
    .join(', ');
  if ('network' in step) {
    const text = `network: ${describeRule(step)}`;
    return [{ kind: 'note', over: 'both', text: wait ? `${text} (${wait})` : text }];
  }
  const isService = 'service' in step;
  const line: SequenceLine = isService
    ? lineOfService(step, scenario)
    : { kind: 'request', text: describeClient(step, scenario) };
  return wait === '' ? [line] : [{ kind: 'note', over: isService ? 'service' : 'client', text: wait }, line];
}

/** The client reads events with its next poll. */
function lineOfService(step: ServiceStep, { timeline }: Scenario): SequenceLine {
  const event = (text: string): SequenceLine => ({ kind: 'event', text });
  const inside = (text: string): SequenceLine => ({ kind: 'note', over: 'service', text });
  switch (step.service) {
    case 'status':
      return inside(`status ${step.status}`);
    case 'tool_call':
      return event(`tool_call ${step.tool}${json(step.input)}`);
    case 'result':
      return event(`result ${step.code ?? 200} of ${nameOf(step.to, timeline)}${json(step.output)}`);
    case 'event':
      return event(`event ${step.name}${json(step.payload)}`);
    case 'live_url':
    case 'recording_url':
    case 'downloads_url':
      return inside(`${step.service} ${(step.value ?? 'not ready') || 'not available'}`);
    case 'open':
      return inside(`gate ${step.gate} opens`);
    case 'finish':
      return event(`task ${step.status ?? 'done'}${json(step.output)}`);
  }
}

function describeClient(step: ClientStep, { timeline }: Scenario): string {
  switch (step.client) {
    case 'reply': {
      const unknown = step.unknown_tool ? ' (a tool that it has not got)' : '';
      const to = `to ${nameOf(step.to, timeline)}${json(step.output)}${unknown}`;
      return step.code === undefined ? `reply ${to}` : `reply ${step.code} ${to}`;
    }
    case 'action':
      return `${step.name}${json(step.input)}`;
    case 'close':
      return step.by === 'delete' ? 'close (DELETE)' : 'close';
    case 'cancel':
      return 'cancel (DELETE)';
    case 'poll':
      return step.times === undefined || step.times === 1 ? 'poll' : `poll, ${step.times} times`;
  }
}

/** What the step of this id calls or does, with the id where that is not clear. */
function nameOf(id: string, timeline: readonly Step[]): string {
  const step = timeline.find((each) => each.id === id);
  const what = step && subjectOf(step);
  if (what === undefined) return id;
  return timeline.filter((each) => subjectOf(each) === what).length > 1 ? `${what} (${id})` : what;
}

/** The tool that a step calls, or the action that it is. */
function subjectOf(step: Step): string | undefined {
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
  const tools = toolNames(request);
  return `POST /task ${what}${url}${tools.length > 0 ? ` with ${tools.join(', ')}` : ''}`;
}

function json(value: unknown): string {
  return value === undefined ? '' : ` ${JSON.stringify(value)}`;
}

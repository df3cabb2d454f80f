import type { NetworkStep, Scenario, Step, Trigger } from '../../../scenarios/format/types.js';
import { formatCount } from '../../common/text.js';
import type { RepetitionStatus } from './network-rules.js';
import type { ActionPart, CallPlan, CallsPart, ConversationPlan, PlanPart, ToolPlan } from './plan.js';
import { inferSchema, isNameable } from './values.js';

const OF_ANOTHER_CLIENT = {
  service: 'event',
  name: 'browser_action',
  payload: { code: 200, output: 'The result of an action that another client has sent.' },
} as const;

export function toScenario(plan: ConversationPlan, name: string): Scenario {
  const timeline = new TimelineBuilder(plan).build();
  const tools = plan.tools.flatMap((tool) => (tool.isUnknown ? [] : createToolDefinition(tool, plan)));
  return {
    name,
    title: formatTitle(plan),
    covers: [],
    match: 'never',
    request: {
      task: plan.task,
      ...plan.fields,
      ...(plan.isStructured && { response_model: inferSchema(plan.ending.output ?? null) }),
      ...(tools.length > 0 && { custom_tools: tools }),
    },
    ...(plan.task_id !== undefined && { task_id: plan.task_id }),
    ...(plan.asks && { asks: plan.asks }),
    timeline,
  };
}

/** The schema accepts every input of the tool's calls. */
function createToolDefinition({ name, description, output }: ToolPlan, plan: ConversationPlan) {
  const inputs = collectCalls(plan).flatMap((call) => (call.tool === name ? [call.input] : []));
  return { name, description, inputs: createInputSchema(inputs), output };
}

function createInputSchema(inputs: readonly Record<string, unknown>[]): Record<string, unknown> {
  const [first] = inputs;
  const names = [...new Set(inputs.flatMap(Object.keys))].filter(isNameable);
  const required = names.filter((name) => inputs.every((each) => Object.hasOwn(each, name)));
  // One call may have a narrow schema. Several calls need one that accepts all of them.
  if (inputs.length === 1) return inferSchema(first);
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required };
}

function collectCalls({ parts }: ConversationPlan): CallPlan[] {
  return parts.flatMap((part) => {
    if (part.kind === 'calls') return part.calls;
    return part.kind === 'action' ? (part.during ?? []).flatMap(({ calls }) => calls) : [];
  });
}

function formatTitle({ task, parts, ending, cancel_ms, network }: ConversationPlan): string {
  const countParts = (kind: PlanPart['kind']) => parts.filter((part) => part.kind === kind).length;
  const [actions, rounds] = [countParts('action'), countParts('calls')];
  const events = [
    ...(actions > 0 ? [formatCount(actions, 'action')] : []),
    ...(rounds > 0 ? [`${formatCount(rounds, 'round')} of calls`] : []),
  ];
  const end = cancel_ms === undefined ? `the end ${ending.status}` : `a cancel after ${cancel_ms} ms`;
  const verbs = new Set(network.map((rule) => rule.network));
  const faults = verbs.size > 0 ? `; ${[...verbs].join(', ')}` : '';
  return `A ${task === null ? 'session' : 'task'} with ${[...events, end].join(', ')}${faults}`;
}

class TimelineBuilder {
  readonly #steps: Step[] = [];
  /** Replies that follow the next part. */
  #later: Step[] = [];

  constructor(private readonly plan: ConversationPlan) {}

  build(): Step[] {
    const { network, cancel_ms, parts, ending } = this.plan;
    this.#steps.push(...(network as NetworkStep[]));
    if (cancel_ms !== undefined)
      this.#steps.push({ client: 'cancel', after: { time_ms: cancel_ms }, meanwhile: true });
    const ended = parts.findIndex((part) => part.kind === 'action' && part.result === undefined);
    const before = ended === -1 ? parts : parts.slice(0, ended + 1);
    for (const part of before) this.#add(part);
    this.#addReplies();
    this.#addEnding(ended !== -1);
    // The job has these actions too, but the session ends before them.
    for (const part of parts.slice(before.length)) if (part.kind === 'action') this.#addAction(part);
    if (ended !== -1 && ending.close) this.#steps.push({ client: 'close', id: 'close', by: ending.close });
    // A scenario has one step at least.
    return this.#steps.length > 0 ? this.#steps : [{ client: 'poll' }];
  }

  #add(part: PlanPart): void {
    const waiting = this.#later;
    this.#later = [];
    if (part.kind === 'status')
      this.#steps.push({ service: 'status', status: part.status, ...createTrigger(part.after_ms) });
    else if (part.kind === 'calls') this.#addCalls(part);
    else if (part.kind === 'address') this.#steps.push(part.step);
    else {
      const id = this.#addAction(part);
      if (part.isAccompanied) this.#steps.push({ ...OF_ANOTHER_CLIENT, event_id: `another-${id}` });
      for (const calls of part.during ?? []) this.#addCalls(calls);
      if (part.result) {
        const { after_ms, ...result } = part.result;
        this.#steps.push({ service: 'result', to: id, ...result, ...createTrigger(after_ms) });
        this.#addReplies();
      }
    }
    this.#steps.push(...waiting);
  }

  #addAction({ id, name, input, isStructured, result }: ActionPart): string {
    const createSchema = () => inferSchema(result?.code === 200 ? result.output : {});
    this.#steps.push({
      ...{ client: 'action' as const, id, name },
      input: {
        ...input,
        ...(name === 'extract' && { schema: createSchema() }),
        ...(isStructured && { response_model: createSchema() }),
      },
    });
    return id;
  }

  #addCalls({ calls, after_ms, isSameInstant, isOverlapping, isAbandoned }: CallsPart): void {
    const replies: Step[] = [];
    const known = calls.filter(({ tool }) => this.plan.tools.some(({ name }) => name === tool));
    if (isSameInstant)
      for (const { id } of known.slice(1)) this.#steps.push({ network: 'same-instant', of: { step: id } });
    for (const [index, { id, tool, input, event_id, reply, repetition }] of known.entries()) {
      const isUnknown = this.plan.tools.some(({ name, isUnknown: itIs }) => itIs && name === tool);
      this.#steps.push({
        // Only a plain event can call a tool that is not registered.
        ...(isUnknown
          ? { service: 'event' as const, id, name: 'tool_call' as const, payload: { name: tool, input } }
          : { service: 'tool_call' as const, id, tool, input }),
        ...(event_id !== undefined && { event_id }),
        ...(index === 0 && createTrigger(after_ms)),
      });
      if (repetition) this.#steps.push(...refuseRepetition(id, repetition));
      replies.push({ client: 'reply', to: id, ...(isUnknown ? { code: 400 } : reply) });
    }
    if (isAbandoned) return;
    if (isOverlapping) this.#later.push(...replies);
    else this.#steps.push(...replies);
  }

  #addReplies(): void {
    this.#steps.push(...this.#later);
    this.#later = [];
  }

  /** `isEarly`: the service ends the session before the client does. */
  #addEnding(isEarly: boolean): void {
    const { task, ending } = this.plan;
    const { close, after_ms, later = [], isEndless, ...finish } = ending;
    if (isEndless) return;
    if (task === null && close && !isEarly) {
      this.#steps.push({ client: 'close', id: 'close', by: close });
      if (close === 'delete') return;
      this.#steps.push({ service: 'result', to: 'close', output: true });
    }
    this.#steps.push({ service: 'finish', ...finish, ...createTrigger(after_ms) }, ...later);
  }
}

/** The refusal of a repetition does not undo the first try. */
function refuseRepetition(call: string, status: RepetitionStatus): NetworkStep[] {
  const target = { of: { reply: call }, side: 'response' } as const;
  return [
    { network: 'drop', ...target },
    { network: 'fail', status, ...target, skip: 1, times: 100 },
  ];
}

function createTrigger(time_ms: number | undefined): { after?: Trigger } {
  return time_ms === undefined || time_ms === 0 ? {} : { after: { time_ms } };
}

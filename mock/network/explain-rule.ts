import { describeTarget, type RuleTarget } from '../../scenarios/verbs/target.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { ActiveRule } from './active-rule.js';
import type { NetworkedOrganisation } from './network.js';
import { asText, isMatch, type NetworkRequest, readField, readPath } from './network-request.js';
import { type ListedRule, toListedRule } from './rule-book.js';

/** Why a rule acted or did not. */
export interface RuleExplanation {
  organisation: string;
  id: string;
  state: ListedRule['state'];
  /** A sentence. */
  why: string;
  /** The recorded request that is nearest to what the rule is about. */
  nearest?: { organisation: string; seq: number };
}

/** Explains the rules of an organisation, or one of them. `all`: the organisations in which it looks for matching requests. */
export function explainRules(
  organisation: NetworkedOrganisation,
  all: readonly NetworkedOrganisation[],
  id?: string,
): RuleExplanation[] {
  const rules = organisation.network.listRules().filter((rule) => id === undefined || rule.id === id);
  return rules.map((rule) => {
    const { state } = toListedRule(rule, organisation.now);
    return { organisation: organisation.name, id: rule.id, state, ...explainRule(rule, organisation, all) };
  });
}

type Explained = Pick<RuleExplanation, 'why' | 'nearest'>;

function explainRule(
  rule: ActiveRule,
  organisation: NetworkedOrganisation,
  all: readonly NetworkedOrganisation[],
): Explained {
  const { fired, passed, times } = rule;
  const acted = `It has acted ${formatTimes(fired)}`;
  if (rule.isOff) return { why: fired > 0 ? `It is switched off. ${acted}.` : 'It is switched off.' };
  if (rule.isSpent()) {
    const total = `It acts ${formatTimes(times)}`;
    if (!rule.together) return { why: `${acted}. ${total}.` };
    return {
      why: `${total} in all organisations together, and has acted ${formatTimes(fired)} in this one.`,
    };
  }
  if (fired > 0) return { why: `${acted}${rule.isExpired(organisation.now) ? '. Its time is over' : ''}.` };
  const unmet = passed > 0 ? explainPassed(rule) : explainUnmatched(rule, organisation, all);
  if (!rule.isExpired(organisation.now)) return unmet;
  return { ...unmet, why: `Its time is over. ${unmet.why}` };
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function explainPassed({ passed, rule: { skip = 0, probability } }: ActiveRule): Explained {
  const matched = `${passed === 1 ? '1 request has' : `${passed} requests have`} matched`;
  if (passed <= skip) return { why: `${matched}: it lets the first ${skip} pass.` };
  if (probability !== undefined)
    return { why: `${matched}: by chance (probability ${probability}) none was affected.` };
  return { why: `${matched}: there was nothing that it could change.` };
}

interface Candidate {
  organisation: NetworkedOrganisation;
  exchange: Exchange;
  /** What the request is, and the conditions that it does not meet. */
  is: string;
  unmet: string[];
}

function explainUnmatched(
  rule: ActiveRule,
  organisation: NetworkedOrganisation,
  all: readonly NetworkedOrganisation[],
): Explained {
  const own = findNearest(rule, organisation, rule.afterSeq);
  const foreign = all
    .filter((each) => each !== organisation)
    .map((each) => findNearest(rule, each, 0))
    .find((each) => each?.unmet.length === 0);
  if (foreign && own?.unmet.length !== 0) {
    const { name } = foreign.organisation;
    return toExplained(
      foreign,
      `No request of ${organisation.name} matches. Request ${foreign.exchange.seq} of ${name} does, and the rule is of ${organisation.name} alone.`,
    );
  }
  if (!own) return { why: 'No request has arrived since it was set.' };
  const { exchange, is, unmet } = own;
  const not = unmet.length === 0 ? '' : `, not ${unmet.join(' and ')}`;
  return toExplained(own, `No request has matched. The nearest is ${exchange.seq}: it is ${is}${not}.`);
}

function toExplained({ organisation, exchange }: Candidate, why: string): Explained {
  return { why, nearest: { organisation: organisation.name, seq: exchange.seq } };
}

/** The latest of the requests since the rule was set that meet the most of its conditions. */
function findNearest(
  rule: ActiveRule,
  organisation: NetworkedOrganisation,
  afterSeq: number,
): Candidate | undefined {
  const counts = new Map<string, number>();
  let nearest: Candidate | undefined;
  for (const exchange of organisation.journal.read()) {
    const request = readRequest(exchange, organisation);
    const counted = `${request.kind} ${request.kind === 'create' ? '' : exchange.task}`;
    request.ordinal = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, request.ordinal);
    const isEarlier = exchange.seq <= afterSeq || exchange.request.at < rule.since;
    if (isEarlier || exchange.operation === undefined) continue;
    const unmet = listUnmet(rule, request, organisation);
    if (nearest && nearest.unmet.length < unmet.length) continue;
    nearest = { organisation, exchange, is: describeRequest(request), unmet };
  }
  return nearest;
}

/** The conditions of a rule that a request does not meet, in words. */
function listUnmet(
  { rule: { of = {} }, onlyTask }: ActiveRule,
  request: NetworkRequest,
  { network }: NetworkedOrganisation,
): string[] {
  const run = request.task && network.counts.findRun(request.task);
  const unmet = Object.entries(of).flatMap(([name, value]) => {
    const condition = { [name]: value } as RuleTarget;
    return isMatch(condition, request, run) ? [] : [describeTarget(condition)];
  });
  return onlyTask === undefined || request.task?.id === onlyTask ? unmet : [...unmet, `of task ${onlyTask}`];
}

function describeRequest({ kind, ordinal, action, operation, event }: NetworkRequest): string {
  if (kind === 'create' || kind === 'poll' || kind === 'cancel') return `${kind} ${ordinal}`;
  if (kind === 'action') return `action ${action}`;
  return kind === 'reply' ? `reply to ${event}` : operation;
}

function readRequest(exchange: Exchange, organisation: NetworkedOrganisation): NetworkRequest {
  const { kind, seq, operation = '', request } = exchange;
  const isEvent = kind === 'reply' || kind === 'action';
  const body = isEvent ? parseBody(request.body) : undefined;
  return {
    ...{ kind, seq, name: kind, operation, method: request.method, path: readPath(request.url) },
    task: organisation.tasks.get(exchange.task ?? ''),
    ordinal: 0,
    event: asText(readField(body, 'id')),
    action: kind === 'action' ? asText(readField(readField(body, 'payload'), 'name')) : undefined,
    step: undefined,
  };
}

function parseBody(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

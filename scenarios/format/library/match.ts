import { createLinearPattern } from '../../../spec/linear-pattern.js';
import { quote } from '../../../spec/show.js';
import type { Match, Scenario } from '../types.js';
import { listToolNames, type TaskRequest } from './task-request.js';

/** Chooses among many scenarios. Task texts and start pages of sessions are indexed. */
export class Matcher {
  readonly #byText = new Map<string, MatchEntry[]>();
  readonly #others: MatchEntry[] = [];
  /** The words of each task text: a task that no scenario fits is compared with all of them. */
  #words: ReadonlyMap<Scenario, ReadonlySet<string>> | undefined;

  constructor(private readonly scenarios: readonly Scenario[]) {
    for (const [order, scenario] of scenarios.entries()) {
      const { match } = scenario;
      if (match === 'never') continue;
      const text = match.session === true ? match.url : match.task;
      const entries = typeof text === 'string' ? (this.#byText.get(text) ?? []) : this.#others;
      entries.push({ scenario, order });
      if (typeof text === 'string') this.#byText.set(text, entries);
    }
  }

  /** The first scenario, in the order they were given, that fits. */
  choose(request: TaskRequest): Scenario | undefined {
    const text = typeof request.task === 'string' ? request.task : request.url;
    const first = findFirstMatch(this.#byText.get(text as string) ?? [], request);
    const other = findFirstMatch(this.#others, request);
    return (first && (!other || first.order < other.order) ? first : other)?.scenario;
  }

  /**
   * The scenario that comes nearest, and why it does not match; undefined if it matches or if its similarity is below
   * `least` (0 to 2). It compares all scenarios: for messages only.
   */
  findNearest(request: TaskRequest, least = 0): { name: string; why: string } | undefined {
    let best: { scenario: Scenario; misses: string[]; score: number } | undefined;
    this.#words ??= new Map(this.scenarios.map((scenario) => [scenario, collectOwnWords(scenario)]));
    const requested = collectWords(request.task);
    for (const scenario of this.scenarios) {
      const similarity = computeSimilarity(scenario, request, this.#words.get(scenario)!, requested);
      // Mismatches only lower the score.
      if (similarity < least || (best && similarity <= best.score)) continue;
      const misses = [...listMismatches(scenario.match, request)];
      const score = similarity - misses.length / 10;
      if (!best || score > best.score) best = { scenario, misses, score };
    }
    if (!best || best.misses.length === 0 || best.score < least) return undefined;
    return { name: best.scenario.name, why: best.misses.join('; ') };
  }
}

interface MatchEntry {
  scenario: Scenario;
  order: number;
}

function findFirstMatch(entries: readonly MatchEntry[], request: TaskRequest): MatchEntry | undefined {
  return entries.find(({ scenario }) => listMismatches(scenario.match, request).next().done);
}

/** Why a request does not match a scenario. */
export function* listMismatches(match: Match, request: TaskRequest): Generator<string> {
  if (match === 'never') {
    yield 'it is chosen by name only (match: never)';
    return;
  }
  if (match.task !== undefined) yield* listTaskMismatches(match.task, request.task);
  const session = typeof request.task !== 'string';
  if (match.session !== undefined && match.session !== session) {
    yield match.session
      ? 'it is a session (task null), the request is a one-shot task'
      : 'it is a one-shot task, the request is a session (task null)';
  }
  if (match.url !== undefined && match.url !== request.url) {
    yield `it has url ${quote(match.url)}, the request ${typeof request.url === 'string' ? quote(request.url) : 'none'}`;
  }
  if (match.tools === undefined) return;
  const names = listToolNames(request);
  const missing = match.tools.filter((tool) => !names.includes(tool));
  if (missing.length > 0) {
    yield `it needs the tools ${missing.join(', ')}, the request registers ${names.join(', ') || 'none'}`;
  }
}

function* listTaskMismatches(
  wanted: string | { contains: string } | { pattern: string },
  task: unknown,
): Generator<string> {
  if (typeof task !== 'string') {
    yield 'it is a one-shot task, the request is a session (task null)';
    return;
  }
  const given = `the request has ${quote(task)}`;
  if (typeof wanted === 'string') {
    if (task !== wanted) yield `its task is ${quote(wanted)}, ${given}`;
  } else if ('contains' in wanted) {
    if (!task.includes(wanted.contains)) yield `its task contains ${quote(wanted.contains)}, ${given}`;
  } else if (!createLinearPattern(wanted.pattern).test(task))
    yield `its task matches ${quote(wanted.pattern)}, ${given}`;
}

/**
 * 0 to 2. Below 1: one is a task, the other a session. The rest is the share of common words in the task texts; if the request
 * offers all tools of the scenario, the tools count for one half and the words for the other.
 */
function computeSimilarity(
  { request: own }: Scenario,
  request: TaskRequest,
  ownWords: ReadonlySet<string>,
  requested: ReadonlySet<string>,
): number {
  const isTask = typeof request.task === 'string';
  if (isTask !== (typeof own.task === 'string')) return 0;
  const offered = listToolNames(request);
  const tools = listToolNames(own);
  const ofTools = tools.length > 0 && tools.every((tool) => offered.includes(tool)) ? 0.5 : 0;
  if (!isTask) return 1 + ofTools;
  let shared = 0;
  for (const word of ownWords) if (requested.has(word)) shared++;
  const ofWords = shared / Math.max(1, ownWords.size + requested.size - shared);
  return 1 + ofTools + (ofTools > 0 ? ofWords / 2 : ofWords);
}

function collectOwnWords({ match, request }: Scenario): Set<string> {
  return collectWords((match !== 'never' && match.task) || request.task);
}

/** The first words of a text, or of the text in a `match`, in lower case. Empty for a session. */
function collectWords(task: unknown): Set<string> {
  const text = typeof task === 'string' ? task : Object.values(task ?? {}).join(' ');
  const start = text.slice(0, 2000).toLowerCase();
  return new Set(start.match(/[\p{L}\p{N}_]+/gu) ?? []);
}

import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import { isTerminal, type TaskStatus } from '../../../../spec/vocabulary.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { statusOf } from '../../test-case/read-task.js';
import { Names, roleOf } from '../sequence/names.js';
import type { Command } from '../sequence/sequence.js';
import type { Thing } from '../sequence/things.js';
import { type Agreements, compare, type Difference } from './compare.js';
import type { Scene, SentWord } from './facts.js';
import { followTask, noteSent } from './follow.js';
import { learn } from './learn.js';
import type { Model, ModelAccounts } from './model.js';

/** A failure as a sequence shows it. */
export interface Finding {
  requirement: RequirementId;
  /** The rule about exchanges that found it; undefined where the model did. */
  rule?: string;
  message: string;
  difference?: Difference;
  /** `seq` of the exchanges of this sequence that show it. */
  evidence: number[];
}

/** A request that the service has responded to. */
export interface Sent {
  command: Command;
  request: ApiRequest;
  response: ApiResponse;
  /** Of a refusal about a task: a poll right after it. */
  polled?: ApiResponse;
  /** The same read again, as a task may take a moment to stop. */
  later: ApiResponse[];
}

/** What was sent, in order: requests (several at once), and waits in ms. */
export type Entry = readonly Sent[] | number;

/** What came of an entry. */
export interface Outcome {
  finding?: Finding;
  /** The model is in another state than the service from here on. */
  isDiverged?: boolean;
}

export interface JudgementSetup {
  model: Model;
  agreements: Agreements;
  isNewestFirst: boolean;
  word: string;
  now: number;
  /** Adds what the service needs of a request: its model gets the same. */
  amend: (operation: OperationId, request: ApiRequest) => ApiRequest;
  /** Reads again what a task may take a moment for; undefined once that has been done often enough. */
  readAgain: (sent: Sent) => Promise<ApiResponse | undefined>;
}

/** The model of a service beside what the service has responded, in one order of the requests that were sent at once. */
export class Judgement {
  readonly things: Thing[] = [];
  readonly service: Names;
  readonly model: Names;
  readonly observations: Difference[] = [];
  readonly kept = new Map<RequirementId, number[]>();
  /** What the service and its model agreed in, to be noted once the order is certain. */
  readonly agreed: string[] = [];
  readonly #accounts: ModelAccounts;
  readonly #words = new Map<string, SentWord>();
  readonly #settings = new Set<Command['operation']>();

  constructor(private readonly setup: JudgementSetup) {
    this.service = new Names(setup.word);
    this.model = new Names(setup.word);
    for (const names of [this.service, this.model]) names.set('now', { ms: Math.floor(setup.now) });
    this.#accounts = setup.model.open();
  }

  close(): void {
    this.#accounts.close();
  }

  /** `order`: indexes of the requests of the entry, in the order in which the model gets them. */
  async take(entry: Entry, order?: readonly number[]): Promise<Outcome> {
    if (typeof entry === 'number') {
      await this.#accounts.wait(entry);
      for (const thing of this.things) {
        thing.waitedMs = (thing.waitedMs ?? 0) + entry;
        for (const action of thing.task?.sent ?? []) action.waitedMs += entry;
      }
      return {};
    }
    // What the requests name is what it was before any of them.
    const requests = entry.map(({ command }) => {
      const request = this.model.resolve(command);
      return request && this.setup.amend(command.operation, request);
    });
    for (const index of order ?? entry.keys()) {
      const request = requests[index];
      if (!request) continue;
      const outcome = await this.#takeOne(entry[index]!, request, entry);
      if (outcome.finding || outcome.isDiverged) return outcome;
    }
    return {};
  }

  async #takeOne(sent: Sent, modelRequest: Scene['request'], entry: readonly Sent[]): Promise<Outcome> {
    const { command, request } = sent;
    let { response } = sent;
    const thing = this.things.find(({ label }) => label === command.on);
    const before = thing?.task?.status;
    if (sent.polled) await this.#tell(thing, sent.polled);
    // It may have ended after the refusal, as while a poll is held.
    const hasEnded = before !== thing?.task?.status && isTerminal(thing?.task?.status as TaskStatus);
    if (command.operation === 'getTask' && command.astray === undefined) await this.#tell(thing, response);
    const expected = await this.#accounts.send(command.operation, modelRequest);
    const judge = (actual: ApiResponse) =>
      this.#compare(
        command,
        thing,
        { request: modelRequest, response: expected },
        { request, response: actual },
      );
    let result = judge(response);
    for (let look = 0; result.differences.some(isLate); look++) {
      const again = sent.later[look] ?? (entry.length === 1 ? await this.setup.readAgain(sent) : undefined);
      if (!again) break;
      response = again;
      result = judge(response);
    }
    const evidence = entry.length === 1 ? [response.seq] : entry.map((each) => each.response.seq);
    for (const requirement of result.kept)
      this.kept.set(requirement, [...(this.kept.get(requirement) ?? []), ...evidence]);
    this.agreed.push(...result.agreed);
    if (expected.ok && response.ok) {
      const known = this.things.length;
      this.#learn(command, thing, { request, response }, modelRequest, expected);
      if (entry.length > 1) for (const made of this.things.slice(known)) made.isMadeAtOnce = true;
    }
    const failure = result.differences.find(({ isStated }) => isStated);
    if (
      failure &&
      isLate(failure) &&
      thing?.task?.isEndUnseen &&
      ['done', 'failed'].includes(statusOf(response) ?? '')
    )
      return { isDiverged: true };
    if (failure?.about === 'status' && hasEnded) return { isDiverged: true };
    if (failure) return { finding: { ...describe(failure, entry), evidence } };
    this.observations.push(...result.differences);
    return expected.ok !== response.ok ? { isDiverged: true } : {};
  }

  #learn(
    command: Command,
    thing: Thing | undefined,
    actual: Pick<Scene, 'request' | 'response'>,
    request: Scene['request'],
    response: ApiResponse,
  ): void {
    this.#noteWords(command);
    learn(command, this.things, [
      { names: this.service, ...actual },
      { names: this.model, request, response },
    ]);
    noteSent(command, thing, this.service, actual.response);
  }

  /** A poll shows what the agent did. */
  async #tell(thing: Thing | undefined, polled: ApiResponse): Promise<void> {
    if (!thing || !polled.ok) return;
    await followTask(thing, polled, this.service, { accounts: this.#accounts, names: this.model });
  }

  #compare(
    command: Command,
    thing: Thing | undefined,
    expected: Pick<Scene, 'request' | 'response'>,
    actual: Pick<Scene, 'request' | 'response'>,
  ) {
    const { isNewestFirst, agreements } = this.setup;
    const own = wordsOf(command);
    const words = own.length === 0 ? this.#words : new Map(this.#words);
    const about = { by: command.operation, owner: ownerOf(command), isOwn: true } as const;
    for (const word of own) words.set(word, { ...about, role: roleOf(word) });
    const { things } = this;
    const settings = this.#settings;
    const sceneOf = ({ request, response }: typeof expected, names: Names): Scene => {
      return { request, response, names, thing, things, words, settings, isNewestFirst };
    };
    return compare(command, sceneOf(expected, this.model), sceneOf(actual, this.service), agreements);
  }

  #noteWords(command: Command): void {
    const { operation, query } = command;
    this.#settings.add(operation);
    if (operation === 'updateOrganisation') {
      const name = this.service.text(String(query?.name));
      for (const names of [this.service, this.model]) names.set('settings', { name });
    }
    const owner = ownerOf(command);
    for (const word of wordsOf(command)) {
      const role = roleOf(word);
      for (const [other, sent] of this.#words)
        if (sent.owner === owner && sent.role === role && other !== word) sent.isFormer = true;
      this.#words.set(word, { by: operation, owner, role });
    }
  }
}

const wordsByCommand = new WeakMap<Command, readonly string[]>();

/** Texts that nothing else has, in what services keep of a request. */
function wordsOf(command: Command): readonly string[] {
  const { operation, path, query, body, form } = command;
  if (operation === 'createProfile' || operation === 'sendTaskEvent') return [];
  let words = wordsByCommand.get(command);
  if (!words) {
    const all = JSON.stringify([path, query, body, form]).matchAll(/\{\{word\.(\w+)\}\}/g);
    words = [...new Set([...all].map(([, word]) => word!))];
    wordsByCommand.set(command, words);
  }
  return words;
}

function ownerOf({ operation, as, on }: Command): string {
  return as ?? on ?? operation;
}

function isLate({ operation, about }: Difference): boolean {
  return operation === 'getTask' && about === 'status';
}

function describe(difference: Difference, entry: readonly Sent[]): Omit<Finding, 'evidence'> {
  const { requirement, expected, actual, operation, condition } = difference;
  const name = condition === 'plain' ? operation : `${operation} (${condition})`;
  const all = entry.map(({ command }) => command.operation).join(' and ');
  const together = entry.length > 1 ? `; ${all} at once, and no order of them explains the responses` : '';
  const message = `${name}: expected ${expected}, as the model of this service responds; got ${actual}${together}`;
  return { requirement, message, difference };
}

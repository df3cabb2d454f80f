import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { CheckResult } from '../../causes/check-result.js';
import { isLacking } from '../../common/lacks.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import { definitions } from '../operations/definitions.js';

/** Statuses for an unknown path or method. A service may also refuse the key before it checks the path. */
const ABSENT = new Set([404, 405, 501]);
const REFUSED = new Set([401, 403]);
const MOST_EVIDENCE = 20;
/** Neither waited for nor retried. */
const PASSING = [429, 500, 502, 503, 504];
const NO_SUCH_PATH = '/api/v1/taskdouble-no-such-path';

/** Which operations a service has, according to its responses. */
export interface Presence {
  there: number;
  of: number;
  /** Operations without a conclusive response, mostly those that need an allowance. */
  untried: number;
  missing: { operation: OperationId; status: number }[];
}

type SendOperation = (operation: OperationId, sending: ApiRequest) => Promise<ApiResponse>;

/**
 * Detects missing operations, with the status that shows it. Requests are sent without a key, so that no service executes them.
 * Returns nothing for a service that treats unknown records like unknown paths and checks records before the key (or needs no
 * key).
 */
export async function findAbsentOperations(
  send: SendOperation,
  target: ServiceTarget,
  candidates: readonly OperationId[],
): Promise<Map<OperationId, number>> {
  const requestAbsent = (id: OperationId) => {
    const path = Object.fromEntries(listPathParameters(id).map((name) => [name, 'taskdouble-none']));
    return send(id, { key: null, path, takes: PASSING }).catch(() => undefined);
  };
  const [ofTask, readUnknownPath] = [await requestAbsent('getTask'), createUnknownPathReader(target, false)];
  const isKeyFirst = ofTask !== undefined && REFUSED.has(ofTask.status);
  const unknown = { path: { task_id: 'taskdouble-none' }, mayBeRefused: true, takes: PASSING } as const;
  const ofRecord = await send('getTask', unknown).catch(() => undefined);
  const unknownPathBody = await createUnknownPathReader(target, true)('GET');
  const isDistinct =
    ofRecord !== undefined && isRecordDistinct(ofRecord, '/api/v1/task/taskdouble-none', unknownPathBody);
  const absent = new Map<OperationId, number>();
  await Promise.all(
    candidates.map(async (id) => {
      const { method, path, auth } = operations[id];
      const wantsKey = auth === 'key';
      const isCertain = isDistinct || (wantsKey && (isKeyFirst || listPathParameters(id).length === 0));
      if (definitions[id].allow !== undefined || !isCertain) return;
      const response = await requestAbsent(id);
      if (!response || !ABSENT.has(response.status)) return;
      const sent = `/api/v1${path.replace(/\{\w+\}/g, 'taskdouble-none')}`;
      if (
        response.status !== 404 ||
        normalizeBody(404, response.text, sent) === (await readUnknownPath(method))
      )
        absent.set(id, response.status);
    }),
  );
  return absent;
}

/** Whether the response for an unknown task differs from that for an unknown path. */
function isRecordDistinct(
  { status, text }: { status: number; text: string },
  url: string,
  forNothing: string | undefined,
): boolean {
  return status === 404 && normalizeBody(404, text, url) !== forNothing;
}

function listPathParameters(id: OperationId): string[] {
  return operations[id].params.flatMap((each) => (each.in === 'path' ? [each.name] : []));
}

/**
 * An operation is missing if every response to it equals the response for an unknown path. A different 404 is about a record, so
 * the operation exists. Operations in `lacks` are excluded.
 */
export async function determinePresence(
  exchanges: readonly Exchange[],
  target: ServiceTarget,
  lacks: readonly string[] = [],
): Promise<Presence> {
  const [readUnknownPath, readUnknownPathWithoutKey] = [
    createUnknownPathReader(target, true),
    createUnknownPathReader(target, false),
  ];
  const isThere = new Set<string>();
  const candidates = new Map<Operation, Exchange[]>();
  for (const exchange of exchanges) {
    const operation = operations[exchange.operation as OperationId];
    const status = exchange.response?.status;
    if (!operation || status === undefined || REFUSED.has(status) || isLacking(operation.id, lacks)) continue;
    if (!ABSENT.has(status)) isThere.add(operation.id);
    else candidates.set(operation, [...(candidates.get(operation) ?? []), exchange]);
  }
  const doubtful = [...candidates].filter(([{ id }]) => !isThere.has(id));
  const forPath = doubtful.length > 0 ? await readUnknownPath('GET') : undefined;
  const isDistinct = exchanges.some(({ operation, organisation, request, response }) => {
    const isUnknown = operation === 'getTask' && organisation === 'main' && response !== undefined;
    return (
      isUnknown && isRecordDistinct({ status: response.status, text: response.body }, request.url, forPath)
    );
  });
  const missing: Presence['missing'] = [];
  for (const [{ id, method, auth }, responses] of doubtful) {
    const forNothing = [await readUnknownPath(method), await readUnknownPathWithoutKey(method)];
    const isAbsenceResponse = ({ request, response }: Exchange) =>
      response!.status !== 404 || forNothing.includes(normalizeBody(404, response!.body, request.url));
    // If the requested record may not exist and both 404s are equal, the response is inconclusive.
    const isConclusive = ({ response, organisation }: Exchange) =>
      isDistinct ||
      response!.status !== 404 ||
      (auth === 'key' && organisation === 'nobody') ||
      definitions[id].open !== 'lookup';
    if (!responses.every(isAbsenceResponse)) isThere.add(id);
    else if (responses.some(isConclusive))
      missing.push({ operation: id, status: responses[0]!.response!.status });
  }
  const of = Object.keys(operations).length;
  return { there: isThere.size, of, untried: of - isThere.size - missing.length, missing };
}

/** Reads the response for an unknown path, once per method. */
function createUnknownPathReader({ fetch, baseUrl, keys }: ServiceTarget, hasKey: boolean) {
  const known = new Map<string, Promise<string | undefined>>();
  const requestUnknownPath = async (method: string) => {
    try {
      const headers: Record<string, string> = hasKey ? { apikey: keys.main } : {};
      const response = await fetch(baseUrl + NO_SUCH_PATH, { method, headers, redirect: 'manual' });
      return normalizeBody(response.status, await response.text(), NO_SUCH_PATH);
    } catch {
      return undefined;
    }
  };
  return (method: string) => {
    if (!known.has(method)) known.set(method, requestUnknownPath(method));
    return known.get(method)!;
  };
}

/** The body without the requested path. */
function normalizeBody(status: number, body: string, url: string): string {
  const path = url.replace(/\?.*/s, '');
  const forms = [url, path, decodeURIComponent(path)].flatMap((each) => [each, each.replace('/api/v1', '')]);
  return forms.reduce((text, each) => text.replaceAll(each, '/…'), `${status} ${body}`);
}

/** The reason to skip what needs a missing operation. */
export function explainAbsence(operation: string, status: number): string {
  return `it needs ${operation}, which is not there: requests to it get ${status}`;
}

export const MISSING_CHECK = 'resources/operations#missing';

/** Adds a check for missing operations. Checks that failed because of them are skipped: they have the same cause. */
export function addPresenceCheck(
  checks: readonly CheckResult[],
  presence: Presence,
  exchanges: readonly Exchange[],
  findCovers: (operation: OperationId) => CheckResult['covers'][number],
): CheckResult[] {
  const { missing } = presence;
  if (missing.length === 0) return [...checks];
  const statusByOperation = new Map<string, number>(
    missing.map(({ operation, status }) => [operation, status]),
  );
  const operationBySeq = new Map(exchanges.map(({ seq, operation }) => [seq, operation ?? '']));
  const others = checks.map((check): CheckResult => {
    const operation = operationBySeq.get(check.evidence.at(-1) ?? 0) ?? '';
    if (check.outcome !== 'failed' || check.severity === 'leak' || !statusByOperation.has(operation))
      return check;
    const { rule: _, severity: __, again_in: ___, ...rest } = check;
    const message = explainAbsence(operation, statusByOperation.get(operation)!);
    return { ...rest, outcome: 'skipped', message };
  });
  const ids = missing.map(({ operation }) => operation);
  const shown = exchanges.filter(({ operation }) => statusByOperation.has(operation ?? ''));
  const evidence = ids
    .map((id) => shown.find(({ operation }) => operation === id)!.seq)
    .slice(0, MOST_EVIDENCE);
  return [
    {
      id: MISSING_CHECK,
      case: 'resources/operations',
      suite: 'resources',
      title: 'The service has the operations of the API, except those in lacks',
      covers: [...new Set(ids.map(findCovers))],
      outcome: 'failed',
      message: `${describePresence(presence)}. If that is meant, add this to the configuration: lacks: [${collapseTags(ids).join(', ')}]`,
      evidence,
    },
    ...others,
  ];
}

/** `34 of 59 operations are there; 25 respond with 404`. */
export function describePresence({ there, of, missing, untried }: Presence): string {
  const statuses = [...new Set(missing.map(({ status }) => status))];
  const parts = statuses.map((status) => {
    const { length } = missing.filter((each) => each.status === status);
    return `${length} ${length === 1 ? 'responds' : 'respond'} with ${status}`;
  });
  if (untried > 0) parts.push(`${untried} ${untried === 1 ? 'was' : 'were'} not tried`);
  return `${there} of ${of} operations are there; ${parts.join(', ')}`;
}

/** Replaces operations with their tag if all operations of the tag are listed. */
export function collapseTags(ids: readonly OperationId[]): string[] {
  const all = Object.values(operations);
  const tags = [...new Set(ids.map((id) => operations[id].tag))];
  return tags.flatMap((tag) => {
    const ofTag = all.filter((each) => each.tag === tag).map(({ id }) => id);
    return ofTag.length > 1 && ofTag.every((id) => ids.includes(id))
      ? [tag]
      : ids.filter((id) => ofTag.includes(id));
  });
}

import { explore } from '../../conformance/explore/search/explore.js';
import type { ExploreOptions } from '../../conformance/explore/types.js';
import { type FormKind, type JudgedForm, listForms } from './first-failure.js';

const LONG_MS = 30 * 60_000;

/** `isBrief`: the search of a form ends with its first failure. */
interface SearchLimits extends Pick<ExploreOptions, 'schedules' | 'scenarios' | 'deviations'> {
  names?: readonly string[];
  isBrief?: boolean;
}

export interface ExploredForm extends JudgedForm {
  /** Number of the schedule that showed the first failure. */
  schedule: number | undefined;
  /** Groups of failures. */
  causes: number;
}

/** Searches each form of the independent clients with `explore`. */
export async function* exploreForms(
  kind: FormKind,
  { names, isBrief = false, ...options }: SearchLimits = {},
): AsyncGenerator<ExploredForm> {
  for (const { run, ...form } of listForms(kind, names)) {
    const stop = new AbortController();
    const { causes, failures } = await explore(
      { ...options, client: { kind: 'function', run }, signal: stop.signal, timeLimitMs: LONG_MS },
      (event) => {
        if (isBrief && event.type === 'failure' && event.failure.level === 'must') stop.abort();
      },
    );
    const [cause] = causes;
    const schedule = failures.length > 0 ? Math.min(...failures.map((each) => each.schedule)) : undefined;
    yield { ...form, found: cause && `${cause.title} ${cause.example}`, schedule, causes: causes.length };
  }
}

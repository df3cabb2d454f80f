import { generateScenario } from '../../conformance/client/generate/generate-scenario.js';
import { judgeRun } from '../../conformance/client/judge/verdict.js';
import { explainUnplayable } from '../../conformance/client/run/job.js';
import { play } from '../../conformance/client/run/play.js';
import type { ClientFunction } from '../../conformance/client/types.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { firstClients } from './clients/list-one.js';
import secondClients from './clients/list-two.js';

export type FormKind = 'bugs' | 'races' | 'styles';

/** A form of an independent client: with a bug, or with a permitted style. */
interface ClientForm {
  client: string;
  form: string;
  about: string;
}

/** `names`: of clients or forms; all if there is none. */
export function* listForms(
  kind: FormKind,
  names: readonly string[] = [],
): Generator<ClientForm & { run: ClientFunction }> {
  for (const { name: client, createRun, ...forms } of [...firstClients, ...secondClients]) {
    for (const [form, about] of Object.entries(forms[kind])) {
      if (names.length > 0 && !names.includes(client) && !names.includes(form)) continue;
      yield { client, form, about, run: createRun(form) };
    }
  }
}

export interface JudgedForm extends ClientForm {
  /** The first rule that it breaks, with the scenario; undefined if it breaks none. */
  found: string | undefined;
}

/**
 * Judges each form of the independent clients in the library, then in so many generated conversations, up to its first failure.
 */
export async function* judgeForms(
  kind: FormKind,
  { search = 0, seed = 1, names = [] }: { search?: number; seed?: number; names?: readonly string[] } = {},
): AsyncGenerator<JudgedForm> {
  const library = (await loadLibrary()).filter((scenario) => !explainUnplayable(scenario));
  const restoreTime = prepareVirtualTime();
  try {
    for (const { run, ...form } of listForms(kind, names)) {
      let found: string | undefined;
      for (let number = -library.length; number < search && found === undefined; number++) {
        const scenario = number < 0 ? library[number + library.length]! : generateScenario(seed, number + 1);
        const findings = judgeRun(await play(scenario, { kind: 'function', run }, { seed }));
        const failure = findings.find(({ level }) => level === 'must');
        if (failure) found = `${scenario.name} ${failure.rule}: ${failure.message.slice(0, 200)}`;
      }
      yield { ...form, found };
    }
  } finally {
    restoreTime();
  }
}

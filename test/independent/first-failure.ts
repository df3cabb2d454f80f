import type { ClientFunction } from '../../conformance/client/types.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { findFirstFailure } from '../clients/first-failure.js';
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
  const restoreTime = prepareVirtualTime();
  try {
    for (const { run, ...form } of listForms(kind, names)) {
      const failed = await findFirstFailure(run, search, seed);
      const found =
        failed && `${failed.scenario} ${failed.finding.rule}: ${failed.finding.message.slice(0, 200)}`;
      yield { ...form, found };
    }
  } finally {
    restoreTime();
  }
}

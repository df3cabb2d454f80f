import type { OperationId } from '../../../spec/generated/operations.js';
import type { Mutant } from '../mutant.js';
import { type Interception, mutant } from '../operators/make.js';
import type { MutantResponse } from '../operators/mutant-response.js';

/** Two keys of two organisations: what is of the one must not be seen with the other. */
export const isolationMutants: readonly Mutant[] = [
  mutant(
    'one-organisation-for-all',
    'SERVICE-04',
    'All keys act on behalf of the organisation that came first.',
    () => {
      let first: string | undefined;
      return async (request, next) => {
        const { key } = request;
        if (first !== undefined && key !== undefined && isGood(key)) request.key = first;
        const response = await next(request);
        if (response.ok && key !== undefined) first ??= key;
        return response;
      };
    },
  ),
  mutant(
    'tasks-of-all-listed',
    'SERVICE-04',
    'The list of tasks has those of all organisations.',
    joinLists('listTasks'),
  ),
  mutant(
    'profiles-of-all-listed',
    'SERVICE-04',
    'The list of profiles has those of all organisations.',
    joinLists('listProfiles'),
  ),
  mutant(
    'extensions-of-all-listed',
    'SERVICE-04',
    'The list of extensions has those of all organisations.',
    joinLists('listExtensions'),
  ),
  mutant(
    'poll-across-keys',
    'SERVICE-04',
    'A task can be polled with the key of another organisation.',
    searchOtherKeys('getTask'),
  ),
  mutant(
    'cancel-across-keys',
    'SERVICE-04',
    'A task can be stopped with the key of another organisation.',
    searchOtherKeys('deleteTask'),
  ),
  mutant(
    'event-across-keys',
    'SERVICE-04',
    'Events reach a task with the key of another organisation.',
    searchOtherKeys('sendTaskEvent'),
  ),
  mutant(
    'visibility-across-keys',
    'SERVICE-04',
    'The visibility of a task is told to another organisation.',
    searchOtherKeys('getTaskVisibility'),
  ),
  mutant(
    'visibility-set-across-keys',
    'SERVICE-04',
    'The visibility of a task can be set with the key of another organisation.',
    searchOtherKeys('setTaskVisibility'),
  ),
  mutant(
    'data-deleted-across-keys',
    'SERVICE-04',
    'The data of a task can be deleted with the key of another organisation.',
    searchOtherKeys('deleteTaskData'),
  ),
  mutant(
    'profile-deleted-across-keys',
    'SERVICE-04',
    'A profile can be deleted with the key of another organisation.',
    searchOtherKeys('deleteProfile'),
  ),
  mutant(
    'file-deleted-across-keys',
    'SERVICE-04',
    'A file can be deleted with the key of another organisation.',
    searchOtherKeys('deleteFile'),
  ),
  mutant(
    'extension-deleted-across-keys',
    'SERVICE-04',
    'An extension can be deleted with the key of another organisation.',
    searchOtherKeys('deleteExtension'),
  ),
  mutant(
    'workspace-across-keys',
    'SERVICE-04',
    'A workspace can be read with the key of another organisation.',
    searchOtherKeys('getWorkspace'),
  ),
  mutant(
    'chats-across-keys',
    'SERVICE-04',
    'The chats of a workspace can be listed with the key of another organisation.',
    searchOtherKeys('listChats'),
  ),
  mutant(
    'sops-across-keys',
    'SERVICE-04',
    'The SOPs of a workspace can be listed with the key of another organisation.',
    searchOtherKeys('listSops'),
  ),
  mutant(
    'automations-across-keys',
    'SERVICE-04',
    'The automations of a workspace can be listed with the key of another organisation.',
    searchOtherKeys('listAutomations'),
  ),
];

function isGood(key: string): boolean {
  return !/^(invalid|exhausted|free)-/.test(key);
}

/** Keys that were served, in the order in which they came. */
class ServedKeys {
  readonly #keys = new Set<string>();

  record(key: string | undefined, response: MutantResponse): void {
    if (key !== undefined && response.ok && isGood(key)) this.#keys.add(key);
  }

  listOthers(key: string | undefined): string[] {
    return key !== undefined && this.#keys.has(key) ? [...this.#keys].filter((each) => each !== key) : [];
  }
}

/** A list with what all organisations have. */
function joinLists(operation: OperationId): () => Interception {
  return () => {
    const keys = new ServedKeys();
    return async (request, next) => {
      const { key } = request;
      const response = await next(request);
      keys.record(key, response);
      if (!request.is(operation) || !response.ok) return response;
      const all = [...response.list];
      for (const other of keys.listOthers(key)) {
        request.key = other;
        all.push(...(await next(request)).list);
      }
      response.r = all;
      return response;
    };
  };
}

/** What is not there for one key is looked for with the others. */
function searchOtherKeys(operation: OperationId): () => Interception {
  return () => {
    const keys = new ServedKeys();
    return async (request, next) => {
      const { key } = request;
      const response = await next(request);
      keys.record(key, response);
      if (!request.is(operation) || response.status !== 404) return response;
      for (const other of keys.listOthers(key)) {
        request.key = other;
        const found = await next(request);
        if (found.ok) return found;
      }
      return response;
    };
  };
}

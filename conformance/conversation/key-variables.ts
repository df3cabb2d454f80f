import type { Exchange } from '../../spec/vocabulary.js';

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['other', '$TASKDOUBLE_API_KEY_OTHER'],
  ['free', '$TASKDOUBLE_API_KEY_FREE'],
  ['exhausted', '$TASKDOUBLE_API_KEY_EXHAUSTED'],
  ['stranger', 'invalid-key'],
]);

/** The placeholder for the key in a command that sends the request again: recordings hold no keys. */
export function readKeyVariable({ organisation }: Exchange): string {
  return VARIABLES.get(organisation) ?? '$TASKDOUBLE_API_KEY';
}

import type { Exchange } from '../../spec/vocabulary.js';

/** Environment variables that stand for keys, by whose key was sent. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['other', '$TASKDOUBLE_API_KEY_OTHER'],
  ['free', '$TASKDOUBLE_API_KEY_FREE'],
  ['exhausted', '$TASKDOUBLE_API_KEY_EXHAUSTED'],
  ['stranger', 'no-key-of-anybody'],
]);

/** What stands for the key of a request in a line that sends it again: recordings do not hold keys. */
export function readKeyVariable({ organisation }: Exchange): string {
  return VARIABLES.get(organisation) ?? '$TASKDOUBLE_API_KEY';
}

/** The bugs, races and permitted styles of `journaled.ts`. */

export const bugs: Record<string, string> = {
  'sorts-keys': 'From the tenth result on the order is wrong. Session sequence: results of actions in order.',
  'keys-by-name': 'My second goto is never sent. Event endpoint 1: POST sends an action.',
  'runs-by-input': 'Two equal calls run my tool once. Custom tools: the client runs the tool for each call.',
  'quotes-unescaped': 'Quotes in results turn into apostrophes. Events 5: `output` holds the result.',
  'line-ends': 'CR LF in results turns into LF. Events 5: `output` holds the result.',
  'drops-null-fields': 'Fields with null vanish from results and requests. Events 4: `output` is any value.',
  'assigns-keys': 'A field "__proto__" of a result is lost. Events 5: `output` holds the result.',
  'depth-limit': 'Deeply nested values are replaced by a text. Events 5: `output` holds the result.',
  'cut-at-4k': 'Long texts are cut. Task: `output` is the output of the task.',
  'two-decimals': 'Numbers are rounded to two decimals. Events 5: `output` holds the result.',
  'failed-is-retried': 'A failed task is polled until the deadline. Polling 1: `failed` ends the polling.',
  'closes-early':
    'The session closes during my last action. Session sequence: send actions, poll, send close.',
  'file-by-task': 'A second job with the same text gets the result of the first. POST /task starts a task.',
  'known-fields-only': 'profile_id and files are not sent. Task creation request: profile_id, files.',
  'dollar-keys': 'My schema arrives without $ref. Task creation request: response_model is a JSON Schema.',
  'latin1-file': 'Characters beyond Latin-1 are broken. Events 5: `output` holds the result.',
  'falsy-not-recorded': 'Results 0, "" and false are reported as null. Events 5: `output` holds the result.',
};

export const races: Record<string, string> = {
  'intended-is-done': 'A request that did not arrive is not sent again. Events 4: the client sends a reply.',
  'cursor-before-events':
    'A failure while an event is handled loses the next. Polling 2: events after `event_t`.',
  'outcome-not-recorded':
    'My tool runs again when its reply fails. Polling 4: an event is not handled twice.',
  'new-id-on-repeat':
    'My action runs twice after a lost response. Event endpoint 2: `id` is unique per event.',
  'ended-session-is-error': 'The service ends the session and I get an error. States: `done` is success.',
  'cancel-from-restart': 'Each failure postpones my cancel. DELETE /task/{task_id} stops the running task.',
  'conflict-is-error': 'A reply that is already there ends the run. Errors: the task goes on.',
  'call-ends-handling':
    'An event after a tool call in one response is lost. Polling 2: the response lists events.',
  'stops-once': 'A 429 on my cancel, and the task runs on. DELETE /task/{task_id} stops the running task.',
};

export const styles: Record<string, string> = {
  'timestamp-first': 'Event bodies begin with the timestamp.',
  'without-timestamp': 'Event bodies have no timestamp, as in an SDK.',
  'counted-ids': 'Ids of actions are short texts with a number.',
  'interval-1s': 'Polls every second.',
  'interval-4s': 'Polls every 4 s.',
  'limit-ends-run': 'Passes a 429 on to the caller.',
  'charset-header': 'Sends a content type with a charset.',
  'short-polls': 'Gives up a held poll after 5 s and polls again.',
  'lists-tasks-first': 'Reads GET /task?l=1 first.',
  'unknown-tool-500': 'Replies 500 to a call of an unknown tool.',
};

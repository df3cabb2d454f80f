/** What a user of the library complains about, and the sentence of the description that it contradicts. */
export const bugs: Record<string, string> = {
  'script-is-trimmed':
    'A script or URL loses the blanks at its ends. "evaluate_js: js is a string": it is the caller\'s.',
  'cancel-in-creation':
    'A cancel that falls due while the task is created does nothing. "DELETE /task/{task_id}: Stops the task."',
  'falsy-reply-is-null':
    'A tool returns 0 or false, the agent gets null. "output is any value: the tool result, or an error message."',
  'reply-has-own-id': 'The agent never gets a reply. "id equal to the id of the tool call event"',
  'cut-body-is-empty':
    'A response that was cut off ends the wait without a status. "Poll until status is not waiting or running."',
  'limited-poll-is-not-repeated':
    'After one limited poll nothing happens any more. "Poll GET /task/{task_id} until status is not waiting or running."',
  'blank-retry-after-is-zero':
    'A limit without Retry-After is asked eight times at once, then the client gives up. "Clients are advised to back off."',
  'cancel-when-idle':
    'A cancel that falls due during an action or a reply does nothing. "DELETE /task/{task_id}: Stops the task."',
  'refused-creation-is-ignored':
    'A refused creation is noticed at the deadline only. "422: Validation error" is the response to POST /task.',
  'unauthorised-is-cancelled':
    'A key that is withdrawn makes the task look cancelled. "cancelled" is a status of the task.',
  'waiting-is-unexpected':
    'A queued task ends the client with an error. "Task status values: waiting (queued), running, …"',
  'http-200-is-done':
    'A failed or cancelled task is reported as done. "done, failed or cancelled: HTTP status 200."',
  'structured-output-is-text':
    'Structured output is a text. "When response_model was given the output is structured data matching that schema."',
  'emoji-is-replaced': 'Outputs lose their emoji. "output: string, structured value or null."',
  'done-needs-output':
    'A task that is done with the output null is polled for ever. "Poll until status is not waiting or running."',
  'session-needs-close':
    'A session that the service ends during an action is polled for ever. "Poll until status is not waiting or running."',
  'initial-state-is-shared':
    'The results of a job begin with those of the job before. "a result event with the same id and the same name"',
  'counts-in-plain-object':
    'A tool named toString has never an outcome. "name: string: Unique identifier of the tool."',
  'bad-request-is-500':
    'A bad request looks like an internal error. "400 means a bad request; 500 means an internal error."',
  'cursor-counts-events':
    'Each poll lists all events. "the client uses the timestamp of the last returned event as the next event_t"',
};

/** Bugs that show only in some order of events, or with a fault. */
export const races: Record<string, string> = {
  'one-outcome-slot':
    'A reply that is repeated carries the outcome of another call. "payload = {code, output}: the tool result"',
  'lost-poll-forgets-action':
    'After a lost poll the result of the action is ignored. "The result of an action arrives later as an event with the same id."',
  'known-when-answered':
    'A call that is listed again before its reply is confirmed runs twice. "A client keeps the ids of events it has handled."',
  'refused-cancel-is-error':
    'A cancel that comes too late turns a task that is done into an error. "done: GET /task/{task_id}: HTTP status 200."',
  'conflict-is-failed-tool':
    'A reply that is refused as a repetition is followed by a failure. "code is 200 on success, or 400 or 500 on failure."',
  'last-event-counts':
    'A call beside a result in one response is never answered. "answers through the event endpoint"',
  'not-later-is-old':
    'Of two events of the same millisecond one is ignored. "A client keeps the ids of events it has handled."',
  'result-by-kind':
    'A result that is listed again counts for the next action. "causes a result event with the same id and the same name"',
  'equal-calls-are-one':
    'A second call with equal input is never answered. "id: Unique event id": it tells events apart.',
};

/** Permitted differences. */
export const styles: Record<string, string> = {
  'waits-5-s': 'polls every 5 s',
  'polls-at-once-after-events': 'polls again at once after a response with events, as public SDKs do',
  'tools-take-time': 'runs each tool for 0.9 s',
  'error-is-object': 'replies to a call of an unknown tool with an object ("output is any value")',
  'upper-case-header': 'writes the name of the header in upper case',
  'indented-bodies': 'indents its JSON',
  'downloads-false': 'sends downloads=false, which is the default',
  'reads-from-zero-at-end': 'reads all events once more at the end',
  'deletes-at-exit':
    'sends DELETE when the task is over and it has sent none, as a public SDK does, and ignores the response',
};

/** The bugs, races and permitted styles of `streams.ts`. */

export const bugs: Record<string, string> = {
  'falsy-output': 'Results 0, "" and false arrive as null. Events 5: `output` holds the result.',
  'failed-tool-aborts':
    'My tool fails and the whole task is given up. Events 4: the agent receives an error reply.',
  'numeric-strings': 'My tool gets 42 for "0042". Events 3: `input` is the object of the tool call.',
  'inherited-tool-name':
    'A call of the unknown tool "constructor" crashes. Events 4: code 400 or 500 on failure.',
  'unknown-tool-silent':
    'The agent waits for ever for a tool that I do not have. Events 4: the client replies.',
  'eager-actions': 'My script ran before the page was open. Session sequence: send actions, poll.',
  'drops-false-fields': 'Options with false or 0 have no effect. Task creation request: the fields as given.',
  'drops-null-task': 'No session starts. Task creation request: `task` null starts a session.',
  'ended-is-done': 'A failed task is reported as done. Task: status `failed`, `cancelled`.',
  'text-output': 'Structured output arrives as text. Task: `output` is structured data matching the schema.',
  'trims-text': 'Blanks and line ends around a result are lost. Events 5: `output` holds the result.',
  'ignores-cancel-0': 'A cancel at once is never sent. DELETE /task/{task_id} stops the task.',
  'waiting-ends': 'A queued task ends the wait. Polling 1: poll until status is not `waiting` or `running`.',
  'first-64k': 'A task with a large output fails. GET /task/{task_id} answers {r: ...}, of any size.',
  'earlier-results': 'Results of my previous session are in the report of the next. Events 3: same `id`.',
  'clock-cursor':
    'An event in the millisecond of a poll is lost. Polling 3: the timestamp of the last event.',
};

export const races: Record<string, string> = {
  'seen-per-response':
    'An event that a later poll repeats runs the tool again. Polling 4: not handled twice.',
  'held-poll-ends':
    'A poll that is held for long ends the run. Polling 1: poll until the status is terminal.',
  'runs-tool-again':
    'A lost response to a reply runs the tool again. Polling 4: a call is not handled twice.',
  'terminal-events-unread':
    'A result beside the terminal status is lost. Polling 2: the response lists events.',
  'reports-cancelled': 'A task that was done before my cancel is reported as cancelled. States: `done`.',
  'result-ends-response':
    'A tool call after a result in one response is ignored. Events 3: tool_call events.',
  'drops-same-time': 'The second of two events of one millisecond is ignored. Polling 4: known by their ids.',
  'drops-limited-reply': 'A 429 loses the reply of my tool. Custom tools: the client answers the call.',
};

export const styles: Record<string, string> = {
  'interval-2s': 'Polls every 2 s.',
  'adaptive-interval': 'Polls less often while nothing happens, up to 5 s.',
  'sequential-tools': 'Runs one tool at a time.',
  'unknown-tool-500': 'Replies 500 instead of 400 to a call of an unknown tool.',
  'first-poll-bare': 'The first poll has no event_t; the default is 0.',
  'omits-optional-fields': 'Leaves out the fields that are optional for a library.',
  'null-timestamp': 'Sends null as the timestamp of an event, as an SDK does.',
  'pretty-json': 'Indents its request bodies.',
  'escaped-json': 'Escapes all characters beyond ASCII in its request bodies.',
  'throws-error': 'Throws instead of returning `error`.',
  'replies-after-cancel': 'Finishes the reply of a running tool after its own cancel was confirmed.',
  'reads-usage-first': 'Reads GET /usage before the task; a failure there does not matter.',
};

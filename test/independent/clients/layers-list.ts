/** The bugs, races and permitted styles of `layers.ts`. */

export const bugs: Record<string, string> = {
  'camel-case': 'The keys of my structured output are renamed. Task: `output` matches the schema.',
  'snake-case':
    'Properties of my schema are renamed. Task creation request: response_model is a JSON Schema.',
  'inlines-refs': 'My schema arrives without $ref. Task creation request: response_model is a JSON Schema.',
  'default-max-steps':
    'run_task is limited to 10 steps that I did not ask for. run_task: max_steps is optional.',
  'args-if-truthy': 'A script gets no argument if it is 0 or false. evaluate_js: `args`.',
  'action-error-throws': 'A failed action ends my session. Events 5: 400 and 500 are results of an action.',
  'odd-code-waits':
    'A result with an unusual code is awaited for ever. Events 3: the result has the same `id`.',
  'output-as-text': 'The agent gets the output of my tool as JSON text. Events 4: `output` is any value.',
  'null-output': 'The agent gets "" from a tool that returns null. Events 4: `output` is any value.',
  'joined-files': 'My files are not found. Task creation request: `files` is an array of string.',
  'profile-renamed': 'My profile is not used. Task creation request: `profile_id`.',
  'cancelled-polls-on':
    'A cancelled task is polled for ever. Polling 1: poll until `waiting` and `running` end.',
  'revives-dates': 'Dates in results have another format. Events 5: `output` holds the result.',
  'long-digits': 'Long numbers in quotes lose digits. Events 5: `output` holds the result.',
  'unescapes-html': '&amp;lt; in results is decoded. Events 5: `output` holds the result.',
  'removes-empty': 'Empty lists are missing from results. Events 5: `output` holds the result.',
  'renames-tools': 'My tool "look up" is registered as "look_up". Custom tool definition: `name`.',
  'shared-defaults':
    'Options of the previous task apply to the next. Task creation request: the fields as given.',
  'normalizes-urls': 'https://host becomes https://host/. goto: `url`.',
  'trims-task': 'Blanks around my task text are lost. Task creation request: `task`.',
  'recording-at-once': 'There is never a recording. Task: `recording_url` is present on a completed task.',
};

export const races: Record<string, string> = {
  'repeats-without-body': 'A repeated POST is empty. Event endpoint 2: the body fields.',
  'result-before-response': 'A result before the response to its action is lost. Events 3: the same `id`.',
  'shared-retries': 'A long run with rare failures gives up. Errors: each request is its own.',
  'seconds-as-ms': 'A 429 is repeated at once. Limits: polling too fast triggers rate limiting.',
  'truncated-is-end': 'Half a response ends the wait. Polling 1: poll until the status is terminal.',
  'early-cancel-lost': 'A cancel during the creation is lost. DELETE /task/{task_id} stops the task.',
  'echo-is-result': 'An action ends without a result. Events 3: the result payload is `{code, output}`.',
  'refused-reply-ends': 'A reply that is too late ends my run with an error. Polling 1: poll for the status.',
  'stop-drops-results': 'Results beside my cancel are lost. Events 3: a result event with the same `id`.',
};

export const styles: Record<string, string> = {
  'extra-slashes': 'The base address ends in a slash, as in an SDK.',
  'upper-case-header': 'The key is in the header APIKEY; names of headers have no case.',
  'more-headers': 'Sends user-agent, accept and a number for tracing.',
  'interval-1s': 'Polls every second.',
  'interval-5s': 'Polls every 5 s.',
  'quiet-back-off': 'Polls less often while nothing happens.',
  'explicit-downloads': 'Polls with downloads=false, the default.',
  'creation-after-503': 'Repeats a creation that was refused with 503: nothing was created.',
  'html-ends-run': 'Gives up with an error after an error page of a gateway.',
  'prefixed-ids': 'Ids of actions have a prefix.',
  'unknown-tool-500': 'Replies 500 to a call of an unknown tool.',
  'reads-visibility': 'Reads the visibility of a new task.',
  'deletes-at-exit':
    'Sends DELETE at the end of each session, as a context manager of an SDK; 404 is ignored.',
  'adds-to-line': 'The report has more fields.',
};

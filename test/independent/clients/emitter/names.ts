/** What a user of the library complains about, and the sentence of the description that it contradicts. */
export const bugs: Record<string, string> = {
  'html-error-stops-poller':
    'After one 502 with an HTML page the task never ends. "Poll GET /task/{task_id} until status is not waiting or running."',
  'falsy-output-is-null':
    'A task whose output is 0, "" or false has the output null. "output: string, structured value or null."',
  'failed-without-output':
    'The output of a failed task, which says why, is null. "output: Null while running."',
  'waiting-is-end':
    'A queued task counts as ended. "Poll GET /task/{task_id} until status is not waiting or running."',
  'cancelled-is-not-end':
    'A cancelled task is polled for ever. "done, failed or cancelled: GET /task/{task_id}: HTTP status 200."',
  'poll-404-is-cancelled':
    'A task that the service does not know is reported as cancelled. "404: Resource not found (for example an unknown task)."',
  'limited-poll-is-failed':
    'A task is reported as failed because its polls stay limited. "429: Rate limit exceeded or credits exhausted."',
  'retry-after-date':
    'A limit with a date in Retry-After is asked again at once, and the client gives up. "Clients are advised to back off."',
  'event-t-in-seconds':
    'Every poll lists all events again. "the client uses the timestamp of the last returned event as the next event_t"',
  'no-event-t':
    'Every poll lists all events again. "the client uses the timestamp of the last returned event as the next event_t"',
  'timestamp-in-seconds':
    'The timestamps of events are of 1970. "Event timestamp is an integer Unix time in milliseconds."',
  'handled-in-process':
    'The tools of the second job of a process do not run. "id: Unique event id" of a task, and "The client runs the tool itself".',
  'results-in-process':
    'The results of a job begin with those of the job before. "a result event with the same id and the same name"',
  'results-by-name':
    'Of two goto actions one result is left. "The result of an action arrives later as an event with the same id."',
  'inherited-tool':
    'A call of a tool named toString, which nobody registered, gets a reply. "The client registers tool definitions."',
  'text-output-is-parsed':
    'A tool returns the text "170", the agent gets a number. "output is any value: the tool result, or an error message."',
  'second-call-is-missed':
    'Only the first tool call is answered. "the agent emits a tool_call event whenever it needs a tool"',
  'falsy-option-is-left-out':
    'An option set to false or 0 is not sent, so its default holds. "Task creation request (body of POST /task)."',
  'refused-creation-is-failed':
    'A creation that was refused looks like a task that failed. "Error bodies carry a field detail with a message text."',
  'close-as-browser-action':
    'A session is not closed. "close: session_action: {name: close}: Close the session and release resources."',
  'cancel-before-id':
    'A cancel that falls due while the task is created stops nothing. "DELETE /task/{task_id}: path task_id; stops the task."',
};

/** Bugs that show only in some order of events, or with a fault. */
export const races: Record<string, string> = {
  'held-poll-is-lost-task':
    'A poll that takes longer than 3 s ends the wait as if the task were unknown. "HTTP 202 is not an error."',
  'end-before-result':
    'A result in the response that ends the task is lost. "The result of an action arrives later as an event with the same id."',
  'one-event-a-response':
    'A tool call listed behind a result is never answered. "the agent emits a tool_call event whenever it needs a tool"',
  'handled-of-one-response':
    'A call that is listed again later runs its tool again. "A client keeps the ids of events it has handled."',
  'listens-after-sending':
    'A result that arrives before the response to its action is lost. "The result arrives as an event with the same id."',
  'listens-after-first-poll':
    'A tool call in the first poll response is never answered. "The client runs the tool itself and answers."',
  'new-id-for-repeat':
    'An action whose response is lost is done twice. "id (string, unique per event)" names one event.',
  'lost-reply-is-500':
    'A reply is repeated as a failure of its tool. "code is 200 on success, or 400 or 500 on failure."',
  'cancel-is-believed':
    'A task that was done before the cancel is reported as cancelled. "done: GET /task/{task_id}: unchanged."',
  'runs-tools-after-cancel':
    'A call that was on its way when the cancel was confirmed runs its tool. "DELETE /task/{task_id}: Stops the task."',
};

/** Permitted differences. */
export const styles: Record<string, string> = {
  'other-headers': 'sends further headers',
  'extra-slash': 'writes two slashes between the address and the path',
  'head-first': 'sends HEAD before the first poll, and ignores the response',
  'polls-twice': 'sends each poll twice, and ignores the first response',
  'polls-slowly': 'polls every 4 s',
  'reads-all-at-end': 'reads all events once more at the end',
  'no-timestamp': 'leaves the timestamp out of events, as a public SDK does',
  'skewed-clock': 'has a clock that is 200 s ahead',
  'unknown-tool-500': 'replies with 500 to a call of an unknown tool',
};

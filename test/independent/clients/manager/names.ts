/** What a user of the library complains about, and the sentence of the description that it contradicts. */
export const bugs: Record<string, string> = {
  'dates-are-revived':
    'A date in the output comes back written differently. "When response_model was given the output is structured data matching that schema."',
  'retry-after-date-blocks':
    'After a limit with a date in Retry-After a request is never sent again. "429: Rate limit exceeded": the request is not refused for good.',
  'empty-text-is-absent':
    'A task whose output is the empty text has the output null. "output: string, structured value or null."',
  'live-url-of-creation':
    'live_url() is null although the browser can be watched. "live_url: Present on a running task or session."',
  'failed-is-done':
    'A task that failed is reported as done. "done (completed successfully), failed, cancelled."',
  'only-200-is-result':
    'An action that the service refuses never settles. "400 means a bad request and output holds an error message."',
  'failed-tool-is-silent':
    'The agent waits for ever for a tool that failed. "code is 200 on success, or 400 or 500 on failure."',
  'refused-reply-is-fatal':
    'A refused reply ends the wait for a task that goes on. "Poll until status is not waiting or running."',
  'cursors-of-process':
    'The second job of a process misses its events. "With event_t=n the response lists only events whose timestamp is after n."',
  'options-of-process':
    'A task gets options that only an earlier task was given. "Task creation request (body of POST /task): Optional."',
  'failed-poll-drops-handle':
    'After one poll with 500 result() never settles. "Poll GET /task/{task_id} until status is not waiting or running."',
  'deadline-is-end':
    'At the deadline a running task is returned as if it had ended. "Poll until status is not waiting or running."',
  'cursor-of-first-event':
    'Each poll lists old events. "After each poll the client uses the timestamp of the last returned event as the next event_t."',
  'proto-is-lost':
    'An input named __proto__ does not reach the tool. "input: object matching the tool\'s inputs schema"',
  'digits-are-numbers':
    'The postcode "0170" reaches the tool as 170. "input: object matching the tool\'s inputs schema"',
  'large-numbers-are-text':
    'The number 1e21 becomes a text. "output is any value: the tool result, or an error message."',
  'long-text-is-cut':
    'Long outputs lose their end. "output is any value: the tool result, or an error message."',
  'close-with-input': 'A close is refused as invalid. "close: {name: close}: No input."',
  'close-is-end':
    'A session is reported as done before it is, and without its close. "The result of an action arrives later as an event."',
  'refused-creation-is-empty':
    'A refused creation looks like an empty success. "Error bodies carry a field detail with a message text."',
};

/** Bugs that show only in some order of events, or with a fault. */
export const races: Record<string, string> = {
  'limit-empties-queue':
    'A limited request drops the requests behind it. "The client runs the tool itself and answers through the event endpoint."',
  'handled-per-response':
    'A call that is listed again later runs its tool again. "A client keeps the ids of events it has handled."',
  'one-call-a-tool':
    'Of two calls of one tool in a response one is answered. "id equal to the id of the tool call event"',
  'no-results-at-end':
    'A result in the response that ends the task is lost. "The result of an action arrives later as an event with the same id."',
  'tool-runs-when-sent':
    'A lost response runs the tool again. "A client keeps the ids of events it has handled, so that it does not handle one twice."',
  'repeat-with-new-id':
    'An action whose response is lost is done twice. "id (string, unique per event)" names one event.',
  'cancel-behind-work':
    'A cancel waits behind a reply that is limited. "DELETE /task/{task_id}: Stops the task."',
  'cursor-of-clock':
    'An event that happens while a poll is on its way is missed. "the client uses the timestamp of the last returned event"',
  'close-beside-action':
    'The session is closed before the last action has its result. "create the session, send actions, poll, send close"',
};

/** Permitted differences. */
export const styles: Record<string, string> = {
  'cookie-too': 'sends the key as a cookie in addition to the header',
  'lists-first': 'lists the tasks before it creates one',
  'unset-is-null': 'sends null for options that are not set, as public SDKs do',
  'starts-late': 'polls for the first time 2.5 s after the creation',
  'ids-count': 'numbers its events ("any unique string")',
  'constant-timestamp': 'sends the same timestamp with each event',
  'event-t-when-known': 'leaves event_t out until it knows an event (default 0)',
  'polls-every-8-s': 'polls every 8 s',
  'failures-are-500': 'replies with 500 to each call whose tool failed ("400 or 500 on failure")',
  'urls-are-normalised': 'writes the URLs of goto in their normal form, with a slash behind the host',
  'reads-once-more': 'reads the ended task once more, with downloads=true',
};

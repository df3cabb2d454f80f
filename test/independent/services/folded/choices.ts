/** What the description leaves open, turned the other way one at a time. */
export const variations: Record<string, string> = {
  'plain-ids':
    'The form of identifiers is left open: short lower-case ids instead of long ones with characters unsafe in a URL.',
  'integer-ids':
    'The form of identifiers is left open: ids are whole numbers in text instead of long ones with unsafe characters.',
  'text-of-422': 'The shape of the 422 body is not shown: detail is one text instead of a list.',
  'device-optional': 'Required flags of the task request are not shown: device may be left out.',
  'start-page-optional': 'Required flags of the task request are not shown: a session may start without url.',
  'many-tools': 'The count limit of custom tools is not shown: one hundred instead of three.',
  'one-tool': 'The count limit of custom tools is not shown: one instead of three.',
  'repeated-id-ignored':
    'Reuse of an event id is not shown: the event is confirmed again and not carried out, instead of refused.',
  'repeated-id-performed':
    'Reuse of an event id is not shown: the action is carried out again, with another result, instead of refused.',
  'close-cancels': 'The status after close is not shown: cancelled instead of done.',
  'close-fails': 'The status after close is not shown: failed instead of done.',
  'slow-close':
    'How long a session takes to release is not shown: it stays running 3 s after the result of close.',
  'idle-cancels': 'The idle time-out of sessions is not shown: ends as cancelled instead of failed.',
  'short-idle': 'The idle time-out of sessions is not shown: 30 s instead of 5 min.',
  'json-for-no-body': 'Endpoints without a body schema: 200 with {r: true} instead of 204 without a body.',
  'string-for-no-body': 'Endpoints without a body schema: 200 with the JSON text OK instead of 204.',
  'created-201': 'The success status of creation is not stated: 201 instead of 200.',
  'envelope-extras': 'r is the one required field: optional fields stand beside it.',
  'no-extras': 'Fields beyond those listed are not shown: none are sent.',
  'live-url-kept': 'live_url of an ended task is not stated: it stays.',
  'credits-early': 'credits_used of a running task is not stated: sent as 0.',
  'results-in-order': 'The order of results of actions at work is not stated: in the order sent.',
  'no-bursts': 'When an event can be read first is not stated: at once, not in bursts of 300 ms.',
  'newest-first': 'The order of lists is not shown: newest first instead of newest last.',
  't-is-upper-bound':
    'The meaning of t in lists is not shown: only entries before t instead of entries after it.',
  'stop-twice-allowed':
    'DELETE of a task that is not running is not shown: succeeds without effect instead of 400.',
  'erased-shell-stays':
    'What remains after DELETE of the data is not shown: a task without events and output instead of 404.',
  'erase-while-running': 'DELETE of the data of a running task is not shown: stops it instead of 400.',
  'visible-to-others':
    'The meaning of visibility is not shown: a visible task can be read with the key of another organisation.',
  'visibility-tells-success': 'r of POST visibility is not explained: true for success, not the new value.',
  'goto-tells-page': 'The output of goto is not shown: the address and title instead of null.',
  'goes-on-without-tool':
    'The time-out of a tool call is not shown: the agent goes on without the tool instead of failing.',
  'stray-reply-accepted': 'A reply to no open call is not shown: confirmed without effect instead of 400.',
  'actions-checked-first':
    'Where input of another shape than stated is reported is not shown: 422 at once instead of a result with code 400.',
  'queued-first':
    'Transitions from and to waiting are not shown: polls in the first 300 ms after creation show waiting.',
  'tight-rate': 'Numeric rate limits are not shown: 4 polls of a task per second instead of 30.',
  'workspace-in-envelope': 'Shapes without r in the tables are not shown: wrapped in r all the same.',
  'payment-page': 'r of topup is boolean or string: a payment page instead of true.',
  'plan-at-once': 'r of plan is a plan or string: the new plan instead of a payment page.',
  'disagreeing-cookie-refused':
    'Header and cookie with different keys are not shown: 401 instead of the header being used.',
  'unknown-key-403': 'The response for an invalid key is not shown: 403 instead of 401.',
  'two-calls': 'How often the agent needs a tool is left open: twice instead of once.',
  'events-on-creation': 'Fields of POST /task beyond three are not shown: events is sent as an empty list.',
  'profile-on-demand': 'An unknown profile_id is not shown: the profile is created instead of 404.',
  'profile-again': 'A second POST of a profile id is not shown: answers the existing one instead of 400.',
  'strict-fields': 'Unknown fields of the task request are not shown: 422 instead of ignored.',
};

type Condition = 'everywhere' | 'value' | 'state' | 'second' | 'combination';

function groupFaults(condition: Condition, sentences: Record<string, string>) {
  return Object.entries(sentences).map(([name, breaks]) => [name, { breaks, condition }] as const);
}

/** Mistakes people make; each contradicts a sentence of the description. */
export const faults: Record<string, { breaks: string; condition: Condition }> = Object.fromEntries([
  ...groupFaults('everywhere', {
    'poll-always-200': 'GET of a running task is answered 200: it has to be 202.',
    'bare-task': 'POST /task answers the task itself: it has to be {r: TaskResponse}.',
    'event-t-inclusive': 'Events with a timestamp equal to event_t are listed: only those after it may be.',
    'timestamp-in-seconds': 'Event timestamps are in seconds: they are Unix time in milliseconds.',
    'result-with-own-id': 'A result carries a new id: it has to be the id of the action.',
    'result-named-session':
      'Results of browser_action are named session_action: the name has to be the same.',
    'confirmation-true': 'POST event answers {r: true}: it has to be {r: {id}}.',
    'no-live-url': 'POST /task answers no live_url: it carries id, status and live_url.',
    'starts-as-waiting': 'POST /task answers status waiting: the next state is running.',
    'message-not-detail': 'Error bodies carry message: they carry detail.',
    'stop-means-done': 'DELETE of a running task makes it done: it becomes cancelled.',
    'events-backwards':
      'Events are listed newest first: the timestamp of the last returned event is the next event_t, so nothing may follow twice.',
    'credits-fraction': 'credits_used of an ended task is 1.5: it is an integer.',
    'upload-field-renamed': 'POST /file wants the part named upload: it is named file.',
    'webhook-with-key': 'POST /webhook wants a key: it carries no security requirement.',
    'result-without-code': 'The payload of a result is {value} with the output: it is {code, output}.',
  }),
  ...groupFaults('value', {
    'zero-event-t-empty': 'event_t=0 given in the query lists nothing: it returns all events.',
    'l-128-refused': 'l=128 is answered 422: the maximum is 128.',
    'l-0-accepted': 'l=0 is accepted: the minimum is 1.',
    'falsy-output-lost': 'A result of 0, false or empty text arrives as null: output holds the result.',
    'reply-500-refused': 'A reply with code 500 is answered 422: code is 200, or 400 or 500 on failure.',
    'reply-null-refused': 'A reply with output null is answered 422: output is any value.',
    'event-t-in-32-bits': 'event_t above 2^31 is cut to 32 bits: only events after event_t are listed.',
    'list-model-wrapped':
      'For a response_model of type array the output is an object: it matches the schema.',
    'integers-as-text':
      'Integers in structured output are texts: the output is structured data matching the schema.',
    'enum-overlooked': 'Values of an enum are arbitrary text in structured output: it matches the schema.',
    'id-escaped': 'Ids of actions with special characters come back escaped: the result has the same id.',
    'long-id-cut': 'Ids of actions above 64 characters come back cut: any unique string is an id.',
    'visible-false-is-true': 'visibility=false makes a task visible: the parameter is a boolean.',
    'renewal-false-is-true': 'auto_renew=false leaves renewal on: it is the monthly renewal flag.',
    'auto-topup-amount-500': 'POST /topup/auto without amount uses 500: the default is 0.',
    'shared-by-default': 'POST /workspace/{name} without shared makes it shared: the default is false.',
    'js-error-is-200': 'A script that throws gives code 200: an error has code 400 or 500.',
    'only-first-required': 'Only the first required field is in structured output: it matches the schema.',
  }),
  ...groupFaults('state', {
    'cancelled-turns-failed': 'A cancelled task reads failed at the second poll: GET leaves it unchanged.',
    'done-202-at-first': 'The first poll of an ended task is answered 202: it is 200 when terminal.',
    'stop-changes-done': 'DELETE of a done task makes it cancelled: it applies to a running task.',
    'only-25-events': 'event_t=0 lists the last 25 events only: it returns all events.',
    'third-action-lost': 'A third action while two are at work has no result: every action causes one.',
    'erased-still-served':
      'After DELETE of the data output and events remain: it deletes all data of the task.',
    'late-reply-revives': 'A tool reply after the end makes the task running: a terminal status stays.',
    'close-leaves-open': 'After close the session takes actions for ever: close releases the resources.',
    'partial-output': 'output is text once a tool has replied and the task runs: null while running.',
  }),
  ...groupFaults('second', {
    'refused-reply-answers':
      'After a refused reply (422) the correct one is answered 400: the client answers a call through the event endpoint.',
    'events-once': 'Events are listed by one poll only: event_t=0 returns all events.',
    'id-known-elsewhere':
      'An action with an id used in another task has no result: an id is unique per event, and every action causes a result.',
    'deleted-profile-listed': 'A deleted profile is still listed: profiles are deleted by id.',
    'recording-later': 'recording_url is missing in the first poll of an ended task: it is present.',
    'retry-with-same-id':
      'The second tool_call after an error reply has the id of the first: ids are unique.',
    'second-task-same-id': 'A second task of an organisation has the id of the first: id identifies a task.',
    'title-kept': 'A second title of a chat is not taken: POST /chat/id updates the title.',
    'cookie-once': 'The cookie apikey works for the first request only: each secured endpoint accepts it.',
  }),
  ...groupFaults('combination', {
    'stop-in-call-fails': 'DELETE while a tool call is open makes the task failed: it becomes cancelled.',
    'polls-share-events': 'Of two polls at once the second lists no events: event_t=0 returns all.',
    'close-drops-actions': 'close beside an action at work drops its result: every action causes a result.',
    'downloads-resets-event-t': 'With downloads=true event_t is ignored: only events after it are listed.',
    't-disables-l': 'With t, l is ignored by GET /task: l limits the list.',
    'foreign-task-read': 'Another organisation reads a task by its id: a key identifies its organisation.',
    'foreign-event-taken':
      'Another organisation sends events to a session: a key identifies its organisation.',
    'foreign-file-passed': 'A task takes file ids of another organisation: ids are those of its own uploads.',
    'foreign-profile-deleted': 'DELETE removes the profile of another organisation with the same id.',
    'model-lost-with-tools':
      'response_model together with custom_tools gives text: the output matches the schema.',
    'profile-makes-one-shot': 'task null with profile_id starts a one-shot task: null starts a session.',
    'second-tool-first-input':
      'With two tools the call names the last one with input for the first: input matches the schema of the tool.',
    'cookie-beside-header': 'The same key in header and cookie is answered 401: the cookie is accepted too.',
    'newest-session-result':
      'With two sessions open, results arrive in the newest: the result is read by polling the task of the action.',
    'result-dated-at-send':
      'A slow result is dated when sent and hidden behind a faster one: polling with event_t has to show it.',
    'foreign-workspace-listed': 'The workspace of another organisation answers its chats: 404 not found.',
  }),
]);

/** The one variation and the one fault a service is run with. */
export interface Choices {
  varies(name: string): boolean;
  fault(name: string): boolean;
}

function checkName(name: string | undefined, table: Record<string, unknown>, what: string) {
  if (name !== undefined && !Object.hasOwn(table, name)) throw new RangeError(`no ${what} named ${name}`);
}

export function readChoices(variation: string | undefined, fault: string | undefined): Choices {
  checkName(variation, variations, 'variation');
  checkName(fault, faults, 'fault');
  return { varies: (name) => name === variation, fault: (name) => name === fault };
}

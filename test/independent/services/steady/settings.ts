/** What the description leaves open: each variation turns one choice of the default form the other way. */
export const variationTexts = {
  'detail-list':
    'The shape of a 422 body is not shown: `detail` is a list of places and messages instead of a text.',
  'key-403': 'The answer to a missing or unknown key is not shown: 403 instead of 401.',
  'wrong-method-404': 'The answer to a method that a path does not have is not shown: 404 instead of 405.',
  'created-201': 'The success code of creating requests is not shown: 201 instead of 200.',
  'no-content': 'Endpoints without body schema have an unspecified body: 204 without a body instead of null.',
  wrapped: 'Responses that are only named have an unknown shape: they are wrapped in `r` instead of bare.',
  'cookie-wins':
    'Which key counts when header and cookie carry different ones is not shown: the cookie, not the header.',
  'missing-task-opens-session':
    'Required flags of the task request are not shown: a missing `task` is taken as null instead of refused.',
  'devices-listed':
    'Allowed values of `device` are not shown: only desktop and mobile are accepted, not any text.',
  'unknown-reference-404':
    'The code for an unknown profile or file in a task request is not shown: 404 instead of 400.',
  'profile-made-on-use':
    'Whether a task may name a profile that does not exist is not shown: it is created instead of refused.',
  'profile-repeat-refused':
    'Creating a profile with an id that exists is not described: 400 instead of answering the existing one.',
  'ended-delete-refused': 'Stopping a task that has ended is not described: 400 instead of no effect.',
  'visibility-answers-value':
    'The boolean answered by setting the visibility is not explained: the new value instead of success.',
  'data-deletion-keeps-record':
    'What stays after deletion of the data is not shown: the bare record instead of an unknown task.',
  'data-of-running-deleted':
    'Deleting the data of a running task is not described: it is cancelled first instead of refused.',
  'closed-is-cancelled': 'The status after a close event is not given: cancelled instead of done.',
  'close-drops-queue':
    'What becomes of actions that wait at a close is not shown: they fail with 500 instead of being done first.',
  'parallel-actions': 'The order of results is not shown: actions run beside each other, not one by one.',
  'goto-tells-page':
    'The output of a goto is not shown (null for some actions): an object with url and title instead of null.',
  'throw-is-400': 'Whose fault a throwing script is is not shown: code 400 instead of 500.',
  'reused-id-refused': 'Reuse of an event id is not shown: 400 instead of accepting it without effect.',
  'unknown-call-400': 'The code for a reply to no tool call is not shown: 400 instead of 404.',
  'second-reply-refused': 'A second reply to a call is not described: 400 instead of no effect.',
  'late-reply-accepted': 'A reply after the end is not described: 200 without effect instead of 400.',
  'tools-at-once': 'When the agent calls tools is its own affair: several at once instead of one by one.',
  'gives-up': 'The agent may retry after an error reply: it ends as failed instead.',
  impatient: 'How long the agent waits for a reply is not shown: 20 s, then failed, instead of 2 minutes.',
  'tight-rate': 'Numeric rate limits are not shown: 40 polls of a task a second instead of 250.',
  'live-url-stays': 'live_url of an ended task is not described: it stays instead of being left out.',
  'credits-only-done':
    'Fields of tasks that did not complete are not shown: only done tasks carry credits_used and recording_url.',
  'newest-first': 'The order of GET /task is not shown: newest first instead of oldest first.',
  't-is-after': 'The meaning of `t` in lists is not shown: entries after it instead of before it.',
  'ids-to-encode': 'The form of ids is not shown: task ids have characters to encode in a path.',
  'long-ids': 'The form of ids is not shown: long hexadecimal ids instead of short ones.',
  'json-type-needed':
    'Bodies are JSON: a content type other than application/json is refused instead of ignored.',
  'strict-booleans': 'Spellings of a boolean are not shown: only true and false, not 1 and 0.',
  'unknown-deletion-false':
    'Deleting an unknown file or extension has no stated code: `{r: false}` instead of 404.',
  'event-time-needed':
    'Required flags of an event are not shown: one without a timestamp is refused instead of accepted.',
  'topup-answers-true': 'POST /topup answers a boolean or a string: true instead of an address.',
  'plan-answers-url': 'POST /plan answers a plan or a string: an address instead of a plan.',
  'short-idle':
    'Idle time-outs are not shown: a session ends after 60 s without a request instead of 15 min.',
  'idle-is-done': 'The status of a session left idle is not shown: done instead of failed.',
  'empty-task-fails': 'What the agent makes of an empty text is not shown: failed instead of done.',
  'list-with-events': 'Further fields of listed tasks are not shown: they carry their events too.',
  slow: 'How long work takes is not shown: five times as long.',
  'required-only':
    'Which optional properties are given is not shown: outputs and tool inputs have the required ones only.',
  'webhook-always-accepts':
    'The answer to a webhook for an unknown automation is not shown: success instead of 404.',
} as const;

export type SteadyVariation = keyof typeof variationTexts;
export const variations: Record<string, string> = variationTexts;

export interface SteadyFault {
  breaks: string;
  condition: 'everywhere' | 'value' | 'state' | 'second' | 'combination';
}
const under =
  (condition: SteadyFault['condition']) =>
  (breaks: string): SteadyFault => ({ breaks, condition });
const everywhere = under('everywhere');
const value = under('value');
const state = under('state');
const second = under('second');
const combination = under('combination');

export const faultTexts = {
  'running-answers-200': everywhere('"HTTP 200 when terminal, 202 when waiting or running": 200 always.'),
  'ended-answers-202': everywhere('"done, failed or cancelled: HTTP status 200": 202 always.'),
  'created-waiting': everywhere('"(none), POST /task, next state running": the response says waiting.'),
  'created-without-live-url': everywhere('"Response carries id, status and live_url": no live_url.'),
  'event-answer-bare': everywhere('"The response is {r: {id: <string>}}": no r around it.'),
  'seconds-as-time': everywhere('"Event timestamp is an integer Unix time in milliseconds": in seconds.'),
  'results-one-name': everywhere(
    '"a result event with the same id and the same name": session actions come back as browser_action.',
  ),
  'output-while-running': everywhere('"output: Null while running": an empty text.'),
  'error-key': everywhere('"Error bodies are {detail: <string>}": the field is named error.'),
  'webhook-needs-key': everywhere('"POST /webhook carries no security requirement": it asks for a key.'),
  'input-as-text': everywhere('"input: <object matching the inputs schema>": the object as JSON text.'),
  'close-without-result': everywhere(
    '"Sending a session_action event causes a result event": none for close.',
  ),
  'unknown-task-400': everywhere('"404 when unknown": 400.'),
  'no-recording': everywhere('"recording_url: Present on a completed task": missing.'),
  'stopped-is-failed': everywhere('"DELETE /task/{task_id}: next state cancelled": failed.'),
  'renewal-ignored': everywhere('"auto_renew" of PATCH /proxy: the answer shows the old value.'),
  'event-t-inclusive': value('"only events whose timestamp is after n": also the one at n.'),
  'path-not-decoded': value('Ids in a path: percent-encoded characters, %2F say, are not decoded.'),
  'path-lower-cased': value('"deleted by profile_id": ids with upper-case letters are not found.'),
  'empty-task-is-session': value('"A string starts a one-shot task": the empty text opens a session.'),
  'falsy-is-null': value('"200 means output holds the result": 0, false and "" come as null.'),
  'null-reply-lost': value('"output is any value": a reply whose output is null is not noticed.'),
  'empty-list-is-object': value('"output holds the result": an empty list comes as {}.'),
  'long-text-cut': value('"output holds the result": texts above 256 characters are cut.'),
  'non-ascii-lost': value('"a result event with the same id": characters outside ASCII become "?".'),
  'digits-are-number': value('"a result event with the same id": leading zeros of an id of digits are lost.'),
  'result-digits-are-number': value('"output holds the result": a text of digits comes as a number.'),
  'l-128-refused': value('"l integer, 1 to 128": 128 is refused.'),
  'l-0-accepted': value('"l minimum 1": 0 is accepted and taken as the default.'),
  'visibility-false-is-true': value('"visibility boolean": the text false counts as true.'),
  'tool-name-lower-cased': value('"name: <tool name>": upper-case letters of the name are lost.'),
  'code-400-refused': value('"code is 200 on success, or 400 or 500 on failure": a reply of 400 is refused.'),
  'nested-model-flat': value('"structured data matching that schema": nested objects come as JSON text.'),
  'events-given-once': second('"event_t=0 returns all events": events already polled are not shown again.'),
  'output-given-once': second(
    'GET leaves a task unchanged: the output is null from the second poll after the end.',
  ),
  'newest-25-events': state('"event_t=0 returns all events": only the newest 25.'),
  'late-reply-revives': state('"cancelled, GET: unchanged": a reply after a stop makes the task done.'),
  'deleted-profile-listed': state(
    '"deleted by profile_id": the list still shows a deleted profile that was used.',
  ),
  'second-deletion-crashes': second('"404 Resource not found": deleting a profile twice answers 500.'),
  'data-stays': state('"deletes all data of the task": a task that has ended can be read as before.'),
  'refusal-blocks-session': state(
    '"Sending an event causes a result event": none for the action that follows a refused one.',
  ),
  'third-action-lost': state('"Sending an event causes a result event": none for a third one at work.'),
  'call-id-repeated': second('"Unique event id": the call of a retry has the id of the first.'),
  'stop-after-end': state('"DELETE cancels a running task": a done one becomes cancelled.'),
  'visibility-set-once': second('"POST visibility": a second change has no effect.'),
  'top-up-remembers': second('"amount integer default 0": the amount of the last request stays.'),
  'sop-update-adds': second('"creates or updates a SOP": an update adds another.'),
  'goto-does-not-move': second('"Navigate to a URL": a second goto leaves the page.'),
  'stop-waits-for-reply': combination('"DELETE: next state cancelled": a task with an open call goes on.'),
  'close-loses-actions': combination(
    '"Sending an event causes a result event": none for actions at work when a close is sent.',
  ),
  'polls-share-event-t': combination('"With event_t=<n>": of two polls at once both get the n of the last.'),
  'downloads-hides-events': combination('"With event_t=<n>": no events with downloads=true and an event_t.'),
  'foreign-stop': combination('"A client key identifies the organisation": another one may stop the task.'),
  'foreign-reply': combination(
    '"A client key identifies the organisation": another one may reply to a call.',
  ),
  'foreign-profile-deleted': combination(
    '"A client key identifies the organisation": a deletion also deletes a profile of the same id elsewhere.',
  ),
  'tools-and-model-give-text': combination(
    '"When response_model was given the output is structured data": not with custom_tools.',
  ),
  'error-reply-is-output': combination(
    '"output is structured data matching that schema": a reply of failure becomes the output.',
  ),
  'tools-of-last-task': combination(
    '"registers tool definitions when creating a task": those of the newest task.',
  ),
  'l-ignored-with-t': combination('"l integer, 1 to 128": without effect when t is given.'),
  'dated-at-sending': combination(
    '"only events whose timestamp is after n": a result behind a tool call has the time of its sending.',
  ),
  'two-keys-refused': combination('"also accepts an optional cookie": header and cookie together get 401.'),
} as const satisfies Record<string, SteadyFault>;

export type SteadyFaultName = keyof typeof faultTexts;
export const faults: Record<string, SteadyFault> = faultTexts;

export interface ServiceSettings {
  /** Virtual time in epoch milliseconds. */
  now(): number;
  variation?: string;
  fault?: string;
}

export interface SteadyChoices {
  now(): number;
  varies(name: SteadyVariation): boolean;
  fault(name: SteadyFaultName): boolean;
}

export function readChoices(settings: ServiceSettings): SteadyChoices {
  const { variation, fault } = settings;
  if (variation !== undefined && !Object.hasOwn(variations, variation))
    throw new Error(`Unknown variation ${variation}`);
  if (fault !== undefined && !Object.hasOwn(faults, fault)) throw new Error(`Unknown fault ${fault}`);
  return {
    now: () => Math.floor(settings.now()),
    varies: (name) => name === variation,
    fault: (name) => name === fault,
  };
}

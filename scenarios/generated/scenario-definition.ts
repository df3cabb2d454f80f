/** Types of a scenario file. Generated from scenarios/scenario.schema.json by npm run generate. Do not edit. */

/**
 * Which requests follow this scenario without naming it; never: only when chosen by name. Left out: the same task text and tools, or a session with the same url.
 */
type Match =
  | string
  | {
      /**
       * The whole text, or a part of it (contains), or a pattern. Left out: any text.
       */
      task?:
        | string
        | {
            /**
             * A part of the task text.
             */
            contains?: string;
            /**
             * A regular expression (linear-time syntax: no look-around, no back-references).
             */
            pattern?: string;
          };
      /**
       * true: only sessions. false: only one-shot tasks. Left out: both.
       */
      session?: boolean;
      /**
       * Names that must all be among the tools of the request. Left out: any tools.
       *
       * Items: Name of a tool.
       */
      tools?: string[];
      /**
       * The url of the request, to the letter. Left out: any.
       */
      url?: string;
    };
/**
 * One step of the service, the client or the network.
 */
type Step =
  | ServiceStatus
  | ServiceToolCall
  | ServiceResult
  | ServiceEvent
  | ServiceLiveUrl
  | ServiceRecordingUrl
  | ServiceDownloadsUrl
  | ServiceOpen
  | ServiceFinish
  | ClientReply
  | ClientAction
  | ClientClose
  | ClientCancel
  | ClientPoll
  | NetworkDelay
  | NetworkHold
  | NetworkDrop
  | NetworkDuplicate
  | NetworkReorder
  | NetworkSameInstant
  | NetworkFail
  | NetworkQuota
  | NetworkGarble
  | NetworkTruncate
  | NetworkThrottle
  | NetworkCompress
  | NetworkAtOnce
  | NetworkRedeliver
  | NetworkRepeat
  | NetworkShuffle
  | NetworkReissue
  | NetworkReshape;
/**
 * Name of this step, by which other steps refer to it. Unique in the timeline. Left out: the step has no name.
 */
type Id = string;
/**
 * What the step waits for, counted from the moment the step before it happened: a time, a number of polls, or several things that must all hold. Left out: nothing, it happens at once.
 */
type After =
  | string
  | number
  | {
      /**
       * So long after the step before it.
       */
      time?: string | number;
      /**
       * So many polls of the task must have received their responses since.
       */
      polls?: number;
      /**
       * A gate that must be open. A step `service: open` opens it, or the admin API, or a test.
       */
      gate?: string;
      /**
       * Id of a tool_call step that the client must have replied to.
       */
      reply?: string;
      /**
       * Id of a step that must have happened.
       */
      step?: string;
    };
/**
 * 200: it worked. 400: bad input. 500: it failed.
 */
type Code = 200 | 400 | 500;
/**
 * The steps below do not wait for this one: it waits in parallel to them.
 */
type Meanwhile = boolean;
/**
 * auto: an address on the mock itself. null: not ready yet. Empty text: not available.
 */
type Address = string | null;
/**
 * The requests this is about: any, a word (create, poll, reply, action, cancel, or an operation id), a method and a path (GET /usage), or a mapping whose parts must all hold. Left out: any.
 */
type Target =
  | string
  | {
      /**
       * POST /task: true for any, n for the n-th.
       */
      create?: boolean | number;
      /**
       * GET /task/{task_id}: true for any, n for the n-th of the task.
       */
      poll?: boolean | number;
      /**
       * A reply to a tool call: true for any, or the id of the tool_call step (or of the event).
       */
      reply?: boolean | string;
      /**
       * An action of a session: true for any, the name of the action, or the id of the client step.
       */
      action?: boolean | string;
      /**
       * DELETE /task/{task_id}: true for any, n for the n-th of the task.
       */
      cancel?: boolean | number;
      /**
       * Id of an operation in openapi.yaml, such as listTasks.
       */
      operation?: string;
      /**
       * HTTP method.
       */
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /**
       * Path below /api/v1; * stands for anything but a slash.
       */
      path?: string;
      /**
       * Id of a service step: for hold the step that waits, for same-instant and reissue the one whose event it is about, for at-once the finish.
       */
      step?: string;
    };
/**
 * The gate, step, request or response that releases it; a bare text is the name of a gate.
 */
type Until =
  | string
  | {
      /**
       * Until this gate is open.
       */
      gate?: string;
      /**
       * Until the step of this id has happened.
       */
      step?: string;
      arrive?: Target;
      response?: Target;
    };

/**
 * A conversation between a client and the service, written down as a timeline.
 */
export interface ScenarioDefinition {
  /**
   * What happens, in one line.
   */
  title: string;
  /**
   * What the scenario tests, and what to look at. Left out: none.
   */
  description?: string;
  /**
   * Ids of the requirements that it shows, from requirements.yaml. Left out: none.
   *
   * Items: Id of a requirement, such as POLL-02.
   */
  covers?: string[];
  /**
   * What the scenario shows with the client that it was found with. Written by explore, read by explore --replay. Left out: nothing in particular.
   */
  reproduces?: {
    /**
     * The rule that is broken, and what it is about.
     */
    failure: string;
    /**
     * Seed of the mock.
     */
    seed: number;
    /**
     * Whose time the runs took.
     */
    time: 'real' | 'virtual (in process)' | 'virtual (Node.js)' | 'virtual (adapter)';
  };
  /**
   * What the client is to report beyond its job. A client that does not report it is not judged by this scenario. Left out: nothing.
   *
   * Items: An address of the task, or what another wait for its end gives.
   */
  asks?: ('live_url' | 'recording_url' | 'downloads_url' | 'second_wait' | 'wait_again')[];
  /**
   * What the scenario is about where that takes time. In a run whose clock skips waits such a scenario is inconclusive, never passed. Left out: nothing.
   *
   * Items: long-wait: what a client does while nothing happens for long. client-time-out: what it does once it has waited for longer than it wants to.
   */
  exposes?: ('long-wait' | 'client-time-out')[];
  /**
   * Another job that the same process of the client does, before this one or at the same time: what one job leaves behind must not affect the other. Only a client that is a function plays it. Left out: none.
   */
  other_job?: {
    /**
     * Name of a scenario of the library.
     */
    scenario: string;
    /**
     * before: it has ended before this job starts. with: both run at the same time.
     */
    starts: 'before' | 'with';
    /**
     * Whether both jobs have the same API key. Left out: false.
     */
    same_key?: boolean;
  };
  /**
   * Fields of the request that a client under test may leave out, because its library does not have them; with another value they are never right. Left out: all that the description of the API does not list.
   *
   * Items: The name of a field.
   */
  optional_fields?: string[];
  match?: Match;
  request: Request;
  /**
   * The id of the task, unless there is one of this id. Left out: a new one.
   */
  task_id?: string;
  /**
   * What happens, step after step. A service step happens at its moment, a client step waits until the client has done it, a network step is set when it is reached.
   *
   * @minItems 1
   * @maxItems 10000
   */
  timeline: Step[];
}
/**
 * Body of POST /task: what the client asks for. A $ref anywhere in it stands for the contents of another YAML or JSON file.
 */
interface Request {
  /**
   * A text starts a one-shot task, null a session. Left out: not sent.
   */
  task?: string | null;
  /**
   * Start page of a session. Left out: not sent.
   */
  url?: string | null;
  /**
   * Kind of device: desktop, mobile, desktop-lg. Left out: not sent.
   */
  device?: unknown;
  /**
   * Tools of the client that the agent may call. Left out: not sent.
   */
  custom_tools?: Tool[] | null;
  /**
   * Browser profile to use. Left out: not sent.
   */
  profile_id?: string | null;
  /**
   * JSON Schema that the output has to fit. Left out: not sent.
   */
  response_model?: Record<string, unknown> | null;
  /**
   * Ids of uploaded files. Left out: not sent.
   */
  files?: string[] | null;
}
/**
 * A tool that the client offers, or a $ref to a file that holds one.
 */
interface Tool {
  /**
   * Path of a file that holds the tool, relative to this file; no other key is allowed.
   */
  $ref?: string;
  /**
   * Unique name of the tool.
   */
  name?: string;
  /**
   * What it does and when to use it.
   */
  description?: string;
  /**
   * JSON Schema of the input, of type object.
   */
  inputs?: Record<string, unknown>;
  /**
   * What it returns, in words.
   */
  output?: string;
}
/**
 * The task is queued (waiting) or taken up (running).
 */
interface ServiceStatus {
  /**
   * The task is queued (waiting) or taken up (running).
   */
  service: 'status';
  /**
   * The status from here on.
   */
  status: 'waiting' | 'running';
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * Perform the step only when the reply to a call had this code, or one of these. Left out: always.
 */
interface If {
  /**
   * Id of the tool_call step.
   */
  reply: string;
  /**
   * The code, or a list of codes.
   *
   * @minItems 1
   */
  code: ((200 | 400 | 500) | unknown[]) &
    ((((200 | 400 | 500) | unknown[]) & number) | (((200 | 400 | 500) | unknown[]) & Code[]));
}
/**
 * The agent calls a tool of the client: an event of the name tool_call, with an id to reply to.
 */
interface ServiceToolCall {
  /**
   * The agent calls a tool of the client: an event of the name tool_call, with an id to reply to.
   */
  service: 'tool_call';
  /**
   * Name of a tool in request.custom_tools.
   */
  tool: string;
  /**
   * What the tool is called with. {{step.output}} in a text stands for the reply to an earlier call. Left out: made from the schema of the tool's inputs.
   */
  input?: Record<string, unknown>;
  /**
   * The id of the event on the wire. Left out: a new one.
   */
  event_id?: string;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The result of an action that the client sent: an event with the id and the name of that action.
 */
interface ServiceResult {
  /**
   * The result of an action that the client sent: an event with the id and the name of that action.
   */
  service: 'result';
  /**
   * Id of the client's action or close step.
   */
  to: string;
  /**
   * 200, 400 or 500; anything else is a mistake of the service on purpose.
   */
  code?: number;
  /**
   * The result, or a message about the error; null for a goto stands alone. Left out: made up to fit the action.
   */
  output?: unknown;
  /**
   * Credits that the action has cost. Left out: 1 for run_task, 0 for the others.
   */
  credits_used?: number;
  /**
   * Seconds that the action has taken. Left out: the time since it was sent.
   */
  duration?: number;
  /**
   * The output stands alone, without the figures around it, as in the dialect event.result-shape: bare.
   */
  bare?: boolean;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * An event sent exactly as it stands here, right or wrong.
 */
interface ServiceEvent {
  /**
   * An event sent exactly as it stands here, right or wrong.
   */
  service: 'event';
  /**
   * Name of the event.
   */
  name: 'browser_action' | 'session_action' | 'tool_call';
  /**
   * Payload of the event.
   */
  payload: Record<string, unknown>;
  /**
   * The id of the event. Left out: a new one.
   */
  event_id?: string;
  /**
   * Timestamp of the event in Unix ms. Left out: now.
   */
  timestamp?: number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The live view gets its address (auto), or loses it (null).
 */
interface ServiceLiveUrl {
  /**
   * The live view gets its address (auto), or loses it (null).
   */
  service: 'live_url';
  value: Address;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The recording gets its address. May come after the end of the task.
 */
interface ServiceRecordingUrl {
  /**
   * The recording gets its address. May come after the end of the task.
   */
  service: 'recording_url';
  value: Address;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The downloads get their address. May come after the end of the task.
 */
interface ServiceDownloadsUrl {
  /**
   * The downloads get their address. May come after the end of the task.
   */
  service: 'downloads_url';
  value: Address;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * Opens a gate for steps and held requests that wait for it.
 */
interface ServiceOpen {
  /**
   * Opens a gate for steps and held requests that wait for it.
   */
  service: 'open';
  /**
   * Name of the gate.
   */
  gate: string;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The task ends, at the earliest 2 s after its last event, so that the event can be read on a 202 first.
 */
interface ServiceFinish {
  /**
   * The task ends, at the earliest 2 s after its last event, so that the event can be read on a 202 first.
   */
  service: 'finish';
  /**
   * How it ends.
   */
  status?: 'done' | 'failed' | 'cancelled';
  /**
   * Output of the task. {{step.output}} stands for the reply to an earlier call. Left out: made up from response_model or the task text.
   */
  output?: unknown;
  /**
   * Credits that the task has cost. Left out: for a session the sum of its results, for a one-shot task that is done a number that grows with its events, otherwise 0.
   */
  credits_used?: number;
  /**
   * auto: an address on the mock itself. null: not ready yet. Empty text: not available.
   */
  recording_url?: string | null;
  /**
   * Ends at once: the last event need not be readable on a 202 first.
   */
  at_once?: boolean;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The client replies to a tool call. The timeline goes on when it has, whatever it replied.
 */
interface ClientReply {
  /**
   * The client replies to a tool call. The timeline goes on when it has, whatever it replied.
   */
  client: 'reply';
  /**
   * Id of the tool_call step.
   */
  to: string;
  /**
   * 200: it worked. 400: bad input. 500: it failed.
   */
  code?: 200 | 400 | 500;
  /**
   * What a well-behaved client would reply: the tool's result, or a message about the error. Left out: null under 200, some text under the others.
   */
  output?: unknown;
  /**
   * The client is not given this tool when it is judged: it has to say so.
   */
  unknown_tool?: boolean;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The client sends an action to the session. The timeline goes on when it has.
 */
interface ClientAction {
  /**
   * The client sends an action to the session. The timeline goes on when it has.
   */
  client: 'action';
  /**
   * Name of the action.
   */
  name: 'goto' | 'extract' | 'evaluate_js' | 'run_task' | 'close';
  /**
   * Input of the action. Left out: none.
   */
  input?: Record<string, unknown>;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The client closes the session.
 */
interface ClientClose {
  /**
   * The client closes the session.
   */
  client: 'close';
  /**
   * With a close action (event), or with DELETE (delete).
   */
  by?: 'event' | 'delete';
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The client stops the task with DELETE.
 */
interface ClientCancel {
  /**
   * The client stops the task with DELETE.
   */
  client: 'cancel';
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The client polls. The timeline goes on when it has polled so often.
 */
interface ClientPoll {
  /**
   * The client polls. The timeline goes on when it has polled so often.
   */
  client: 'poll';
  /**
   * So many times.
   */
  times?: number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * Requests or responses take longer. A delayed response shows the state of before the delay.
 */
interface NetworkDelay {
  /**
   * Requests or responses take longer. A delayed response shows the state of before the delay.
   */
  network: 'delay';
  /**
   * How much longer.
   */
  time: string | number;
  /**
   * Up to so much more or less, drawn from the seed.
   */
  jitter?: string | number;
  /**
   * Where it is delayed.
   */
  side?: 'request' | 'response';
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * A request, a response or a step of the service waits until something happens.
 */
interface NetworkHold {
  /**
   * A request, a response or a step of the service waits until something happens.
   */
  network: 'hold';
  until: Until;
  /**
   * Released after so long at the latest.
   */
  at_most?: string | number;
  /**
   * What is held: the request on its way in, or the response on its way out.
   */
  side?: 'request' | 'response';
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The request, or the response to it, is lost: the connection ends without a response.
 */
interface NetworkDrop {
  /**
   * The request, or the response to it, is lost: the connection ends without a response.
   */
  network: 'drop';
  /**
   * request: it never reaches the service. response: the service handles it, and the client receives nothing.
   */
  side?: 'request' | 'response';
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The service handles the request twice; the client gets the first response.
 */
interface NetworkDuplicate {
  /**
   * The service handles the request twice; the client gets the first response.
   */
  network: 'duplicate';
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The response leaves only after the response to the next such request.
 */
interface NetworkReorder {
  /**
   * The response leaves only after the response to the next such request.
   */
  network: 'reorder';
  /**
   * Waits for the next one so long at the latest.
   */
  at_most?: string | number;
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The event of a service step gets the same timestamp as the event before it.
 */
interface NetworkSameInstant {
  /**
   * The event of a service step gets the same timestamp as the event before it.
   */
  network: 'same-instant';
  of: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * An error response in place of the service's own.
 */
interface NetworkFail {
  /**
   * An error response in place of the service's own.
   */
  network: 'fail';
  /**
   * HTTP status.
   */
  status: number;
  /**
   * Text in the field `detail` of the body. Left out: a text that names the rule.
   */
  detail?: string;
  /**
   * Header Retry-After, rounded up to whole seconds. Left out: no such header.
   */
  retry_after?: string | number;
  /**
   * Retry-After in seconds, or as a date of HTTP.
   */
  retry_after_form?: 'seconds' | 'date';
  /**
   * request: the service never sees it. response: it has handled the request all the same.
   */
  side?: 'request' | 'response';
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * At most so many requests in each window of time, then 429 with Retry-After.
 */
interface NetworkQuota {
  /**
   * At most so many requests in each window of time, then 429 with Retry-After.
   */
  network: 'quota';
  /**
   * Requests in a window.
   */
  requests: number;
  /**
   * Length of the window.
   */
  per: string | number;
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * A body that is not JSON.
 */
interface NetworkGarble {
  /**
   * A body that is not JSON.
   */
  network: 'garble';
  /**
   * HTTP status.
   */
  status?: number;
  /**
   * The body. Left out: an HTML page of a gateway.
   */
  body?: string;
  /**
   * Content type of the response.
   */
  content_type?: string;
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The body ends too early, and the connection with it.
 */
interface NetworkTruncate {
  /**
   * The body ends too early, and the connection with it.
   */
  network: 'truncate';
  /**
   * After so many bytes. Left out: half of the body.
   */
  bytes?: number;
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The body of the response arrives slowly: the status and the headers at once, then so many bytes per second.
 */
interface NetworkThrottle {
  /**
   * The body of the response arrives slowly: the status and the headers at once, then so many bytes per second.
   */
  network: 'throttle';
  /**
   * Bytes of the body per second.
   */
  bytes_per_second: number;
  /**
   * The rest of the body follows after so long at the latest.
   */
  at_most?: string | number;
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The body of the response is compressed with gzip if the request accepts that (`accept-encoding`), as behind a CDN.
 */
interface NetworkCompress {
  /**
   * The body of the response is compressed with gzip if the request accepts that (`accept-encoding`), as behind a CDN.
   */
  network: 'compress';
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The finish `of` ends the task at once: the last event need not be readable on a 202 first.
 */
interface NetworkAtOnce {
  /**
   * The finish `of` ends the task at once: the last event need not be readable on a 202 first.
   */
  network: 'at-once';
  of: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The response to a poll lists all events from the beginning, whatever its event_t says.
 */
interface NetworkRedeliver {
  /**
   * The response to a poll lists all events from the beginning, whatever its event_t says.
   */
  network: 'redeliver';
  /**
   * Only so many of the events that were listed before, the oldest. Left out: all of them.
   */
  first?: number;
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * Every event in the response to a poll is in it twice.
 */
interface NetworkRepeat {
  /**
   * Every event in the response to a poll is in it twice.
   */
  network: 'repeat';
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The events in the response to a poll are in reverse order.
 */
interface NetworkShuffle {
  /**
   * The events in the response to a poll are in reverse order.
   */
  network: 'shuffle';
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The event of a step comes again under the same id with a later timestamp: a call once it has been replied to, a result once it has been delivered.
 */
interface NetworkReissue {
  /**
   * The event of a step comes again under the same id with a later timestamp: a call once it has been replied to, a result once it has been delivered.
   */
  network: 'reissue';
  of: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}
/**
 * The response has another shape that the API leaves open: how it says that there are no events, unknown fields.
 */
interface NetworkReshape {
  /**
   * The response has another shape that the API leaves open: how it says that there are no events, unknown fields.
   */
  network: 'reshape';
  /**
   * What stands for no events, where there are none: absent (no such field), null, or empty (a list without members). Left out: as the service has it.
   */
  events?: 'absent' | null | 'empty';
  /**
   * Fields that are added to the task and to each event. Left out: none.
   */
  extra?: Record<string, unknown>;
  of?: Target;
  /**
   * Fires at most so often. Left out: once in a timeline, without end in a network file.
   */
  times?: number;
  /**
   * Lets the first n such requests pass.
   */
  skip?: number;
  /**
   * Fires with this probability, drawn from the seed.
   */
  probability?: number;
  /**
   * Gone so long after it was set. Left out: never.
   */
  expires?: string | number;
  id?: Id;
  after?: After;
  if?: If;
  meanwhile?: Meanwhile;
}

import { App, Reply, type ResponseStep, type ServiceCall } from './base/app.js';
import { addResources } from './base/resources.js';
import type { Service } from './base/service.js';
import { TaskStore } from './base/tasks.js';

type MiddlewareStep = (route: string, reply: Reply) => Reply;

const chain =
  (...steps: MiddlewareStep[]): ResponseStep =>
  (route, reply) =>
    steps.reduce((each, step) => step(route, each), reply);

/** Old clients could not read errors of GET: they get an empty success. */
const emptyForUnknown: MiddlewareStep = (route, reply) =>
  route === 'GET /task/:id' && reply.status === 404 ? new Reply(200, { r: null }) : reply;

/** What is final is served from the archive, which has no envelope. */
const archive: MiddlewareStep = (route, reply) => {
  const { r } = reply.body as { r?: { status?: string } };
  return route === 'GET /task/:id' && reply.status === 200 && r?.status ? new Reply(200, r) : reply;
};

/** Gives each validation error a number for the help page. */
const helpfulErrors: MiddlewareStep = (_, reply) =>
  reply.status === 422 ? new Reply(422, { code: 4220, message: 'Validation failed' }) : reply;

const countsAsCreated: MiddlewareStep = (route, reply) =>
  route === 'POST /task/:id/event' && reply.status === 200 ? new Reply(200, { r: true }) : reply;

class LenientTasks extends TaskStore {
  override receive(call: ServiceCall): unknown {
    if (!call.body.name) return { id: call.body.id ?? this.newId('event') };
    return super.receive(call);
  }
}

const service: Service = (now) => {
  const app = new LenientTasks(now).routes(addResources(new App()));
  app.finish = chain(emptyForUnknown, archive, helpfulErrors, countsAsCreated);
  return app;
};

export default service;

/** Organisation, profiles, proxies, files, extensions, browsers and telemetry. */
import {
  answer,
  invalid,
  Refusal,
  route,
  type SteadyExchange,
  type SteadyRoute,
  unknown,
} from './exchange.js';
import type { SteadyStore } from './store.js';
import type { Json } from './values.js';

const BROWSER_LIFETIME = 300_000;

export function buildRecordRoutes(store: SteadyStore): SteadyRoute[] {
  const { choices } = store;
  const { fault, varies } = choices;
  const organisationOf = (exchange: SteadyExchange) => store.organisations.get(exchange.org)!;

  function showOrganisation(exchange: SteadyExchange): Response {
    const { id, name, group } = organisationOf(exchange);
    return answer({ r: { name, id, group } });
  }

  function renameOrganisation(exchange: SteadyExchange): Response {
    organisationOf(exchange).name = exchange.text('name');
    return exchange.plain();
  }

  function invite(exchange: SteadyExchange): Response {
    const email = exchange.text('email');
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalid('email', 'is no address');
    const org = organisationOf(exchange);
    org.invited += 1;
    return answer({ r: { [email]: org.invited } });
  }

  function showUsage(exchange: SteadyExchange): Response {
    const { credits, plan, browsers } = organisationOf(exchange);
    return answer({
      r: { plan_name: plan, browser_sessions: Math.max(0, 20 - browsers.size), api_credits: credits },
    });
  }

  function topUp(exchange: SteadyExchange): Response {
    const amount = exchange.integer('amount');
    if (amount <= 0) throw new Refusal(400, 'amount is not positive');
    const org = organisationOf(exchange);
    if (!varies('topup-answers-true'))
      return answer({ r: `https://pay.steady.example/${org.id}?amount=${amount}` });
    org.credits += amount;
    return answer({ r: true });
  }

  function setAutoTopUp(exchange: SteadyExchange): Response {
    const active = exchange.boolean('active');
    const org = organisationOf(exchange);
    const before = fault('top-up-remembers') ? org.topUp.amount : 0;
    const amount = exchange.optionalInteger('amount') ?? before;
    const threshold = exchange.optionalInteger('threshold') ?? 0;
    if (amount < 0 || threshold < 0) throw new Refusal(400, 'amount and threshold must not be negative');
    org.topUp = { threshold, amount, active };
    return answer({ r: { ...org.topUp } });
  }

  function choosePlan(exchange: SteadyExchange): Response {
    const plan = exchange.text('plan');
    const group = exchange.query.get('group') ?? 'zero';
    if (varies('plan-answers-url'))
      return answer({ r: `https://pay.steady.example/plan?name=${encodeURIComponent(plan)}` });
    Object.assign(organisationOf(exchange), { plan, group });
    return answer({ r: { group, plan } });
  }

  async function createProfile(exchange: SteadyExchange): Promise<Response> {
    const { id } = await exchange.body();
    if (typeof id !== 'string' || id === '') throw invalid('id', 'is no id');
    const { profiles } = organisationOf(exchange);
    const found = profiles.get(id);
    if (found !== undefined && varies('profile-repeat-refused'))
      throw new Refusal(400, 'There is a profile with this id');
    const profile = found ?? { id, created: choices.now(), used: false };
    profiles.set(id, profile);
    return exchange.created({ r: { created: profile.created, id } });
  }

  const deletedProfiles = new Map<string, Set<string>>();
  function listProfiles(exchange: SteadyExchange): Json[] {
    const listed = [...organisationOf(exchange).profiles.values()].map(({ id, created }) => ({
      created,
      id,
    }));
    if (!fault('deleted-profile-listed')) return listed;
    const kept = [...(deletedProfiles.get(exchange.org) ?? [])];
    return [...listed, ...kept.map((id) => ({ created: 0, id }))];
  }

  function deleteProfile(exchange: SteadyExchange): Response {
    const id = exchange.path.profile_id ?? '';
    const { profiles } = organisationOf(exchange);
    const deleted = deletedProfiles.get(exchange.org) ?? new Set<string>();
    const found = profiles.get(id);
    if (found === undefined && deleted.has(id) && fault('second-deletion-crashes'))
      throw new Refusal(500, 'Internal error');
    if (found === undefined) throw unknown('profile');
    profiles.delete(id);
    if (found.used || !fault('deleted-profile-listed')) deletedProfiles.set(exchange.org, deleted.add(id));
    if (fault('foreign-profile-deleted'))
      for (const org of store.organisations.values()) org.profiles.delete(id);
    return exchange.plain();
  }

  function renewProxy(exchange: SteadyExchange): Response {
    const renews = exchange.boolean('auto_renew');
    const proxy = organisationOf(exchange).proxies.get(exchange.path.proxy_id ?? '');
    if (proxy === undefined) throw unknown('proxy');
    if (!fault('renewal-ignored')) proxy.auto_renew = renews;
    return answer({ r: { ...proxy } });
  }

  function listProxies(exchange: SteadyExchange): Response {
    const { proxies } = organisationOf(exchange);
    for (const { id, auto_renew, expires } of proxies.values())
      if (!auto_renew && expires <= choices.now()) proxies.delete(id);
    return answer({ r: [...proxies.values()].map((proxy) => ({ ...proxy })) });
  }

  async function uploadFile(exchange: SteadyExchange): Promise<Response> {
    const part = (await exchange.form()).get('file');
    if (part === null || typeof part === 'string') throw invalid('file', 'is no file');
    const id = store.newId('up');
    organisationOf(exchange).files.set(id, { id, name: part.name, size: part.size });
    return exchange.created({ r: { size: part.size, name: part.name, id } });
  }

  async function uploadExtension(exchange: SteadyExchange): Promise<Response> {
    const form = await exchange.form();
    const org = organisationOf(exchange);
    if (org.plan === 'free')
      throw new Refusal(403, 'Extensions are a premium feature: your plan does not have them');
    const files = [...form.values()].filter((part) => typeof part !== 'string');
    const [part] = files;
    if (part === undefined) throw invalid('body', 'carries no file');
    const id = store.newId('xt');
    org.extensions.set(id, { id, name: part.name, size: part.size });
    return exchange.created({ r: { name: part.name, id } });
  }

  const listExtensions = (exchange: SteadyExchange) =>
    [...organisationOf(exchange).extensions.values()].map(({ id, name }) => ({ name, id }));

  function deleteUpload(kind: 'files' | 'extensions', parameter: string) {
    return (exchange: SteadyExchange): Response => {
      const deleted = organisationOf(exchange)[kind].delete(exchange.path[parameter] ?? '');
      if (!deleted && !varies('unknown-deletion-false')) throw unknown(kind.slice(0, -1));
      return answer({ r: deleted });
    };
  }
  const deleteExtension = deleteUpload('extensions', 'extension_id');

  async function openBrowser(exchange: SteadyExchange): Promise<Response> {
    await exchange.body();
    const id = store.newId('bs');
    const closes = choices.now() + BROWSER_LIFETIME;
    organisationOf(exchange).browsers.set(id, closes);
    const live_url = `https://live.steady.example/browser/${id}`;
    return exchange.created({ r: { closes, live_url, session_id: id } });
  }

  function closeBrowser(exchange: SteadyExchange): Response {
    const { browsers } = organisationOf(exchange);
    for (const [id, closes] of browsers) if (closes <= choices.now()) browsers.delete(id);
    if (!browsers.delete(exchange.path.session_id ?? '')) throw unknown('browser session');
    return exchange.plain();
  }

  async function takeTelemetry(exchange: SteadyExchange): Promise<Response> {
    await exchange.body();
    const job = store.newId('jb');
    store.jobs.add(job);
    return varies('no-content') ? exchange.plain() : answer({ job });
  }

  function showJob(exchange: SteadyExchange): Response {
    const job = exchange.path.job_id ?? '';
    if (!store.jobs.has(job)) throw unknown('job');
    return answer({ state: 'finished', job });
  }

  return [
    route('POST /org/user', invite),
    route('GET /org', showOrganisation),
    route('POST /org', renameOrganisation),
    route('GET /usage', showUsage),
    route('GET /org/billing', (exchange) =>
      answer({ r: `https://pay.steady.example/portal/${organisationOf(exchange).id}` }),
    ),
    route('POST /topup', topUp),
    route('GET /topup/auto', (exchange) => answer({ r: { ...organisationOf(exchange).topUp } })),
    route('POST /topup/auto', setAutoTopUp),
    route('POST /plan', choosePlan),
    route('POST /profile', createProfile),
    route('GET /profile', (exchange) => answer({ r: listProfiles(exchange) })),
    route('DELETE /profile/{profile_id}', deleteProfile),
    route('GET /proxy', listProxies),
    route('PATCH /proxy/{proxy_id}', renewProxy),
    route('POST /extension', uploadExtension),
    route('GET /extension', (exchange) => answer({ r: listExtensions(exchange) })),
    route('DELETE /extension/{extension_id}', deleteExtension),
    route('DELETE /browser/extension/{extension_id}', deleteExtension),
    route('POST /file', uploadFile),
    route('DELETE /file/{file_id}', deleteUpload('files', 'file_id')),
    route('POST /browser/session', openBrowser),
    route('DELETE /browser/session/{session_id}', closeBrowser),
    route('GET /browser/profile', (exchange) => answer({ r: { profiles: listProfiles(exchange) } })),
    route('DELETE /browser/profile/{profile_id}', deleteProfile),
    route('POST /browser/extension', uploadExtension),
    route('GET /browser/extension', (exchange) => answer({ r: { extensions: listExtensions(exchange) } })),
    route('POST /telemetry', takeTelemetry),
    route('GET /job/{job_id}', showJob, false),
  ];
}

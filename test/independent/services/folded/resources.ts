import {
  type Answer,
  bodyFields,
  type Call,
  extras,
  inR,
  inRCreated,
  invalid,
  noBody,
  notFound,
  queryInteger,
  queryText,
  Refusal,
  type Route,
  refuseFreePlan,
  refuseWithoutCredits,
  requiredBoolean,
  requiredInteger,
  sortList,
} from './http.js';
import type { Fields } from './ledger.js';

const minutes = 60_000;
const plans = ['free', 'starter', 'growth'];

const self = (call: Call): Fields => call.ledger.shelf('org').get('self')!;

function changeOrg(call: Call, change: Fields): void {
  call.ledger.put(call.now, 'org', 'self', { ...self(call), ...change });
}

function invite(call: Call): Answer {
  const email = queryText(call, 'email');
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw invalid('query', 'email', 'is not an address');
  call.ledger.put(call.now, 'invites', email, { email });
  return inR({ invited: 1, open_invites: call.ledger.shelf('invites').size });
}

function rename(call: Call): Answer {
  changeOrg(call, { name: queryText(call, 'name') });
  return noBody(call);
}

function viewUsage(call: Call): Answer {
  const open = [...call.ledger.shelf('browsers').values()].length;
  const credits = Math.max(0, call.ledger.state.credits);
  const usage = { credits, browser_sessions: Math.max(0, 100 - open), plan: self(call)['plan'] ?? 'free' };
  return inR({ ...usage, ...extras(call, { counted_at: call.now }) });
}

function topUp(call: Call): Answer {
  const amount = requiredInteger(call, 'amount');
  if (amount <= 0) throw invalid('query', 'amount', 'is not above 0');
  if (call.house.choices.varies('payment-page')) return inR(`https://pay.example.net/topup?amount=${amount}`);
  call.ledger.append({ kind: 'balance', at: call.now, change: amount });
  return inR(true);
}

function viewAutoTopUp(call: Call): Fields {
  const { active = false, amount = 0, threshold = 0 } = call.ledger.shelf('org').get('topup') ?? {};
  return { active, amount, threshold, ...extras(call, { currency: 'credits' }) };
}

function setAutoTopUp(call: Call): Answer {
  const active = requiredBoolean(call, 'active');
  const otherwise = call.house.choices.fault('auto-topup-amount-500') ? 500 : 0;
  const amount = queryInteger(call, 'amount') ?? otherwise;
  const threshold = queryInteger(call, 'threshold') ?? 0;
  if (amount < 0 || threshold < 0) throw invalid('query', amount < 0 ? 'amount' : 'threshold', 'is below 0');
  call.ledger.put(call.now, 'org', 'topup', { active, amount, threshold });
  return inR(viewAutoTopUp(call));
}

function choosePlan(call: Call): Answer {
  const plan = queryText(call, 'plan');
  if (!plans.includes(plan)) throw new Refusal(400, 'There is no such plan.');
  const group = call.query.get('group') ?? 'zero';
  if (!call.house.choices.varies('plan-at-once')) return inR(`https://pay.example.net/plan?to=${plan}`);
  changeOrg(call, { plan, group });
  return inR({ plan, group });
}

function takeProfile(call: Call): Answer {
  const { id } = bodyFields(call);
  if (typeof id !== 'string' || id === '') throw invalid('body', 'id', 'is not a text');
  const known = call.ledger.shelf('profiles').get(id);
  if (known && !call.house.choices.varies('profile-again'))
    throw new Refusal(400, 'There is a profile with this id.');
  return inRCreated(
    call,
    known ?? call.ledger.put(call.now, 'profiles', id, { id, ...extras(call, { made_at: call.now }) }),
  );
}

/** Removes one entry; what is deleted is unknown at once. */
function drop(call: Call, shelf: string, id: string, what: string): void {
  if (!call.ledger.shelf(shelf).has(id)) throw notFound(what);
  call.ledger.append({ kind: 'drop', at: call.now, shelf, id });
}

function dropProfile(call: Call): Answer {
  const { choices, ledgers } = call.house;
  const id = call.params[0]!;
  if (choices.fault('foreign-profile-deleted')) {
    for (const one of ledgers) one.append({ kind: 'drop', at: call.now, shelf: 'profiles', id });
    return noBody(call);
  }
  const before = call.ledger.shelf('profiles').get(id);
  drop(call, 'profiles', id, 'profile');
  if (choices.fault('deleted-profile-listed') && before) call.ledger.put(call.now, 'ghosts', id, before);
  return noBody(call);
}

function listProfiles(call: Call): Fields[] {
  return sortList(call, [...call.ledger.shelf('profiles').values(), ...call.ledger.shelf('ghosts').values()]);
}

function setRenewal(call: Call): Answer {
  const asked = requiredBoolean(call, 'auto_renew');
  const proxy = call.ledger.shelf('proxies').get(call.params[0]!);
  if (!proxy) throw notFound('proxy');
  refuseFreePlan(call, 'proxies');
  const auto_renew = call.house.choices.fault('renewal-false-is-true') ? true : asked;
  return inR(call.ledger.put(call.now, 'proxies', call.params[0]!, { ...proxy, auto_renew }));
}

/** With renewal off a proxy is released at its expiry date; with renewal on the date moves on by months. */
function listProxies(call: Call): Answer {
  const month = 30 * 24 * 60 * minutes;
  for (const [id, proxy] of [...call.ledger.shelf('proxies')]) {
    const expires = Number(proxy['expires_at']);
    if (expires > call.now) continue;
    if (proxy['auto_renew'] !== true) call.ledger.append({ kind: 'drop', at: expires, shelf: 'proxies', id });
    else {
      const next = expires + Math.ceil((call.now - expires + 1) / month) * month;
      call.ledger.put(call.now, 'proxies', id, { ...proxy, expires_at: next });
    }
  }
  return inR(sortList(call, [...call.ledger.shelf('proxies').values()]));
}

function filesOf(form: FormData | undefined): File[] {
  const all: File[] = [];
  form?.forEach((value) => {
    if (typeof value !== 'string') all.push(value);
  });
  return all;
}

function takeExtension(call: Call): Answer {
  refuseFreePlan(call, 'extensions');
  const [file] = filesOf(call.form);
  if (!file) throw invalid('body', 'form', 'holds no file');
  const id = call.house.makeId('extension');
  const value = { id, name: file.name, ...extras(call, { bytes: file.size }) };
  return inRCreated(call, call.ledger.put(call.now, 'extensions', id, value));
}

const listExtensions = (call: Call) => sortList(call, [...call.ledger.shelf('extensions').values()]);

function dropExtension(call: Call): Answer {
  drop(call, 'extensions', call.params[0]!, 'extension');
  return inR(true);
}

function takeFile(call: Call): Answer {
  const field = call.house.choices.fault('upload-field-renamed') ? 'upload' : 'file';
  const file = call.form?.get(field);
  if (!file || typeof file === 'string') throw invalid('body', field, 'is not a file');
  const id = call.house.makeId('file');
  const value = { id, ...extras(call, { name: file.name, bytes: file.size }) };
  return inRCreated(call, call.ledger.put(call.now, 'files', id, value));
}

function dropFile(call: Call): Answer {
  drop(call, 'files', call.params[0]!, 'file');
  return inR(true);
}

function openBrowser(call: Call): Answer {
  bodyFields(call);
  refuseWithoutCredits(call);
  const id = call.house.makeId('browser');
  const closes_at = call.now + 5 * minutes;
  const value = { id, live_url: `https://live.example.net/browser?of=${encodeURIComponent(id)}`, closes_at };
  return inRCreated(call, call.ledger.put(call.now, 'browsers', id, value));
}

function closeBrowser(call: Call): Answer {
  const id = call.params[0]!;
  const browser = call.ledger.shelf('browsers').get(id);
  if (browser && Number(browser['closes_at']) <= call.now) {
    call.ledger.append({ kind: 'drop', at: Number(browser['closes_at']), shelf: 'browsers', id });
  }
  drop(call, 'browsers', id, 'browser session');
  return noBody(call);
}

function takeTelemetry(call: Call): Answer {
  bodyFields(call);
  return noBody(call);
}

function viewJob(call: Call): Answer {
  const known = call.house.ledgers.some((one) => one.shelf('jobs').has(call.params[0]!));
  if (!known) throw notFound('job');
  return noBody(call);
}

const viewOrg = (call: Call) => inR({ ...self(call), ...extras(call, { members: 1 }) });

export const resourceRoutes: Route[] = [
  { method: 'POST', path: '/org/user', run: invite },
  { method: 'GET', path: '/org', run: viewOrg },
  { method: 'POST', path: '/org', run: rename },
  { method: 'GET', path: '/usage', run: viewUsage },
  { method: 'GET', path: '/org/billing', run: () => inR('https://pay.example.net/portal') },
  { method: 'POST', path: '/topup', run: topUp },
  { method: 'GET', path: '/topup/auto', run: (call) => inR(viewAutoTopUp(call)) },
  { method: 'POST', path: '/topup/auto', run: setAutoTopUp },
  { method: 'POST', path: '/plan', run: choosePlan },
  { method: 'POST', path: '/profile', reads: 'json', run: takeProfile },
  { method: 'GET', path: '/profile', run: (call) => inR(listProfiles(call)) },
  { method: 'DELETE', path: '/profile/*', run: dropProfile },
  { method: 'GET', path: '/proxy', run: listProxies },
  { method: 'PATCH', path: '/proxy/*', run: setRenewal },
  { method: 'POST', path: '/extension', reads: 'form', run: takeExtension },
  { method: 'GET', path: '/extension', run: (call) => inR(listExtensions(call)) },
  { method: 'DELETE', path: '/extension/*', run: dropExtension },
  { method: 'DELETE', path: '/browser/extension/*', run: dropExtension },
  { method: 'POST', path: '/file', reads: 'form', run: takeFile },
  { method: 'DELETE', path: '/file/*', run: dropFile },
  { method: 'POST', path: '/browser/session', reads: 'json', run: openBrowser },
  { method: 'DELETE', path: '/browser/session/*', run: closeBrowser },
  { method: 'GET', path: '/browser/profile', run: (call) => inR({ profiles: listProfiles(call) }) },
  { method: 'DELETE', path: '/browser/profile/*', run: dropProfile },
  { method: 'POST', path: '/browser/extension', reads: 'form', run: takeExtension },
  { method: 'GET', path: '/browser/extension', run: (call) => inR({ extensions: listExtensions(call) }) },
  { method: 'POST', path: '/telemetry', reads: 'json', run: takeTelemetry },
  { method: 'GET', path: '/job/*', open: true, run: viewJob },
];

/** All records of the service, by organisation. */
import type { SteadyChoices } from './settings.js';
import type { SteadyTask } from './state.js';
import type { JsonObject } from './values.js';
import { SteadyWork } from './work.js';

export interface SteadyChat {
  id: string;
  t: number;
  title: string;
  kind: string;
  messages: JsonObject[];
}

export interface SteadyWorkspace {
  id: string;
  org: string;
  name: string;
  shared: boolean;
  chats: SteadyChat[];
  sops: { t: number; sop: JsonObject }[];
  automations: { id: string; runs: number; request: JsonObject }[];
  apps: string[];
}

export interface SteadyOrganisation {
  id: string;
  name: string;
  plan: string;
  group: string;
  credits: number;
  topUp: { active: boolean; amount: number; threshold: number };
  invited: number;
  profiles: Map<string, { id: string; created: number; used: boolean }>;
  files: Map<string, { id: string; name: string; size: number }>;
  extensions: Map<string, { id: string; name: string; size: number }>;
  browsers: Map<string, number>;
  proxies: Map<string, { id: string; auto_renew: boolean; expires: number }>;
  polls: Map<string, { window: number; count: number }>;
}

const PLANS: Record<string, { plan: string; credits: number; proxies: number }> = {
  'main-key': { plan: 'team', credits: 5_000_000, proxies: 2 },
  'other-key': { plan: 'solo', credits: 5_000_000, proxies: 1 },
  'free-key': { plan: 'free', credits: 100_000, proxies: 0 },
  'exhausted-key': { plan: 'solo', credits: 0, proxies: 1 },
};

export class SteadyStore {
  readonly organisations = new Map<string, SteadyOrganisation>();
  readonly tasks = new Map<string, SteadyTask>();
  readonly workspaces = new Map<string, SteadyWorkspace>();
  readonly attachments = new Map<string, { workspace: string; record: JsonObject }>();
  readonly jobs = new Set<string>();
  readonly work: SteadyWork;
  private count = 0;
  private lastStamp = 0;

  constructor(readonly choices: SteadyChoices) {
    this.work = new SteadyWork(choices, (key, credits) => {
      const org = this.organisations.get(key);
      if (org !== undefined) org.credits = Math.max(0, org.credits - credits);
    });
    for (const [key, { plan, credits, proxies }] of Object.entries(PLANS)) {
      const numbered = Array.from({ length: proxies }, (_, at) => `px${at + 1}-${key.slice(0, 4)}`);
      const expires = choices.now() + 30 * 86_400_000;
      this.organisations.set(key, {
        id: `org_${key.replace('-key', '')}`,
        name: `Organisation ${key.replace('-key', '')}`,
        plan,
        group: 'zero',
        credits,
        topUp: { active: false, amount: 0, threshold: 0 },
        invited: 0,
        profiles: new Map(),
        files: new Map(),
        extensions: new Map(),
        browsers: new Map(),
        proxies: new Map(numbered.map((id) => [id, { id, auto_renew: true, expires }])),
        polls: new Map(),
      });
    }
  }

  newId(kind: string): string {
    const number = ++this.count;
    const mixed = Math.imul(number + 77, 2_654_435_761) >>> 0;
    if (this.choices.varies('long-ids')) {
      const more = Math.imul(mixed ^ 0x5bd1e995, 0x85ebca6b) >>> 0;
      return [mixed, more, number, mixed ^ more]
        .map((part) => (part >>> 0).toString(16).padStart(8, '0'))
        .join('');
    }
    if (kind === 'Tk' && this.choices.varies('ids-to-encode'))
      return `${kind}/${number}?é #${mixed.toString(36)}`;
    return `${kind}-${mixed.toString(36).toUpperCase()}.${number}`;
  }

  /** A time that no other record carries: chats and SOPs are told apart by it. */
  newStamp(): number {
    this.lastStamp = Math.max(this.choices.now(), this.lastStamp + 1);
    return this.lastStamp;
  }
}

/** What the service keeps of a task. */
import type { Json, JsonObject } from './values.js';

export interface SteadyTool {
  name: string;
  description: string;
  inputs: JsonObject;
  output: string;
}

export interface SteadyEvent {
  id: string;
  name: string;
  payload: JsonObject;
  timestamp: number;
}

export interface SteadyCall {
  id: string;
  tool: SteadyTool;
  input: Json;
  at: number;
  attempt: number;
  over: boolean;
  reply?: { code: number; output: Json; at: number };
}

export interface SteadyRun {
  text: string;
  model: Json;
  plan: { tool: SteadyTool; attempt: number }[];
  wakeAt: number;
  open: SteadyCall[];
  notes: string[];
  errorOutput?: Json;
  ended?: { good: boolean; output: Json; at: number };
}

export interface SteadyAction {
  id: string;
  name: string;
  payload: JsonObject;
  at: number;
  run?: SteadyRun;
}

export interface SteadyTask {
  id: string;
  org: string;
  text: string | null;
  model: Json;
  tools: SteadyTool[];
  created: number;
  status: 'running' | 'done' | 'failed' | 'cancelled';
  output: Json;
  credits: number;
  visible: boolean;
  visibilitySet: boolean;
  lastUse: number;
  freeAt: number;
  url: string;
  moved: boolean;
  refused: boolean;
  closing: boolean;
  polledAfterEnd: boolean;
  askedFrom: number;
  shown: Set<string>;
  seen: Set<string>;
  events: SteadyEvent[];
  calls: SteadyCall[];
  queue: SteadyAction[];
  run?: SteadyRun;
  wiped: boolean;
}

import type { TestProject } from 'vitest/node';
import { type Packed, pack, temporary } from './pack.js';

declare module 'vitest' {
  export interface ProvidedContext {
    packed: Packed;
  }
}

/** Packs once for all tests. */
export default function setup({ provide }: TestProject): () => void {
  const { directory, clear } = temporary();
  provide('packed', pack(directory));
  return clear;
}

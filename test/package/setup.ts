import type { TestProject } from 'vitest/node';
import { createTemporary, type PackedPackage, pack } from './pack.js';

declare module 'vitest' {
  export interface ProvidedContext {
    packed: PackedPackage;
  }
}

/** Packs once for all tests. */
export default function setup({ provide }: TestProject): () => void {
  const { directory, clear } = createTemporary();
  provide('packed', pack(directory));
  return clear;
}

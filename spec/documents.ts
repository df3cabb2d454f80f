/** The shapes of the YAML files in this folder. The generated data is type-checked against them. */
import type { OperationId } from './generated/operations.js';

/** An OpenAPI 3.1 document, as deep as its readers go. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly [field: string]: unknown };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** By path, then by method in lower case; beside the methods stands `parameters`. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<
    Record<'parameters' | 'securitySchemes' | 'responses' | 'schemas', Readonly<Record<string, JsonObject>>>
  >;
  readonly [field: string]: unknown;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** One rule of the API. */
export interface Requirement {
  /** Such as `POLL-02`; never given away again. */
  readonly id: string;
  readonly level: 'must' | 'advice';
  /** Who has to keep it. */
  readonly side: 'service' | 'client';
  /** The rule in a sentence. */
  readonly rule: string;
  /** Heading of the API description it comes from. */
  readonly section: string;
  /** Empty when it is about every operation. */
  readonly operations: readonly OperationId[];
  /** Why HTTP cannot show it; absent when it can. */
  readonly unobservable?: string;
}

interface OpenPointBase {
  /** Such as `auth.missing-key`. */
  readonly id: string;
  /** Heading of the API description that leaves it open. */
  readonly section: string;
  readonly question: string;
  /** Why the default is what it is. */
  readonly why: string;
  /** False when nothing in the answers of a service tells which choice it made. */
  readonly observable?: boolean;
}

/** A point with a few admissible choices. */
export interface OpenChoice extends OpenPointBase {
  readonly kind: 'choice';
  /** What each choice means, by its name. */
  readonly choices: Readonly<Record<string, string>>;
  /** The choice of the mock unless a dialect says otherwise. */
  readonly default: string;
}

/** A point with a figure to choose. */
export interface OpenNumber extends OpenPointBase {
  readonly kind: 'number';
  readonly choices: {
    readonly type: 'integer';
    readonly unit: 'ms' | 'bytes' | 'count' | 'per-second';
    readonly minimum: number;
    readonly maximum: number;
  };
  readonly default: number;
  /** What 0 stands for, where it is no figure like the others. */
  readonly zero?: string;
}

/** One thing that the API does not say. */
export type OpenPoint = OpenChoice | OpenNumber;
